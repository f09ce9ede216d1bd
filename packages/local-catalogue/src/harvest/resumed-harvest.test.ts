import { expect, it } from 'vitest';
import { temporaryFolder } from '../../../../test/temporary-folder.ts';
import { DAY, THEN, followedUpstream, novels } from '../../test/followed-upstream.ts';
import { harvestedIn } from '../../test/harvest-under-test.ts';
import { startRespServer } from '../../../../test/store/resp-server.ts';
import { createLogger } from '@mokuroku/kit/process';
import type { Task } from './harvest-journal.ts';
import type { HarvestProgress } from './harvest-run.ts';
import { harvest, startState } from './harvest.ts';

const upstream = followedUpstream();

type Options = Parameters<typeof upstream.options>[1];

/** Harvests until the walk has fetched its pages, but not checked them. */
async function interruptedWalk(dir: string, of: Options = {}): Promise<void> {
  const onProgress = ({ step }: { step: string }) => {
    if (step === 'recount') throw new Error('interrupted');
  };
  const options = upstream.options(dir, { ...of, onProgress });
  await expect(harvest(options)).rejects.toThrow('interrupted');
}

const NOVELS: Task = { kind: 'walk', site: 'novels' };
const ADULT: Task = { kind: 'walk', site: 'adult' };
const RANKINGS: Task = { kind: 'rankings' };
const ROUND: Task = { kind: 'round', site: 'novels' };

it.each<[string, Task[], 'harvest' | 'follow', Partial<Parameters<typeof startState>[1]>, Task[] | 'anew']>([
  ['its tasks, also without --rankings', [NOVELS, RANKINGS], 'harvest', {}, [NOVELS, RANKINGS]],
  ['its rankings without the novels', [RANKINGS], 'harvest', { rankings: true }, [RANKINGS]],
  ['its novels with the rankings', [NOVELS], 'harvest', { rankings: true }, [NOVELS, RANKINGS]],
  ['a walk of --follow', [NOVELS, RANKINGS], 'follow', {}, [NOVELS, RANKINGS]],
  ['adult novels that the earlier walk lacked', [NOVELS], 'harvest', { adult: true }, [NOVELS, ADULT]],
  ['adult novels only once', [ADULT], 'harvest', { adult: true }, [ADULT]],
  ['every novel after the rankings of --follow', [RANKINGS], 'follow', {}, 'anew'],
  ['every novel after a round of --follow', [ROUND, RANKINGS], 'follow', {}, 'anew'],
  ['every novel after a whole harvest', [], 'harvest', {}, 'anew'],
])('a harvest fetches %s', (_, tasks, begunBy, requested, expected) => {
  const adult = tasks.includes(ADULT);
  const wanted = { adult: false, rankings: false, ...requested };
  expect(startState({ tasks, begunBy, adult }, wanted)).toEqual({
    isResumed: expected !== 'anew',
    begunBy: 'harvest',
    adult: adult || wanted.adult,
    tasks: expected === 'anew' ? [NOVELS] : expected,
  });
});

it('a new harvest fetches all that is requested', () => {
  const { tasks } = startState({ tasks: [], adult: true }, { adult: true, rankings: true });
  expect(tasks).toEqual([NOVELS, ADULT, RANKINGS]);
});

it('a harvest after following that stopped at the rankings walks the novels', async () => {
  const dir = temporaryFolder();
  upstream.novels = novels(2);
  const onProgress = ({ step }: HarvestProgress) => {
    if (step === 'rankings') throw new Error('killed');
  };
  await expect(upstream.followUntil(dir, THEN + DAY, { onProgress })).rejects.toThrow('killed');
  upstream.novels = novels(3);
  const { sites } = await harvest(upstream.options(dir));
  expect(sites.map(({ had }) => had)).toEqual([3]);
});

it('a harvest with a shared store has counted its own requests and bytes', async () => {
  const store = await startRespServer(() => `*3\r\n${':9000000\r\n'.repeat(3)}`);
  const config = {
    STORE_URL: [`redis://127.0.0.1:${store.port}`],
    UPSTREAM_DAILY_REQUESTS: 1_000,
    UPSTREAM_DAILY_BYTES: 1_000_000,
  };
  const dir = temporaryFolder();
  upstream.novels = novels(40);
  const options = upstream.options(dir, { config });
  await harvest(options);
  expect(store.commands.some(([name]) => name === 'evalsha')).toBe(true);
  const { spent: own, usage } = options.progress.at(-1) as HarvestProgress;
  expect(usage.bytes).toBeGreaterThan(0);
  expect([own.requests, own.bytes]).toEqual([usage.requests, usage.bytes]);
});

it('a harvest does not report the store as lost that it closes at its end', async () => {
  const store = await startRespServer(() => `*3\r\n${':9000000\r\n'.repeat(3)}`);
  const lines: string[] = [];
  const { logger } = createLogger('harvest', 'warn', { write: (line) => lines.push(line) });
  upstream.novels = novels(1);
  const config = { STORE_URL: [`redis://127.0.0.1:${store.port}`] };
  await harvest({ ...upstream.options(temporaryFolder(), { config }), logger });
  await expect.poll(() => store.sockets.size).toBe(0);
  await new Promise(setImmediate);
  expect(lines).toEqual([]);
});

it('a harvest that spent its share under a clock set ahead does not wait for that time once it is corrected', async () => {
  const dir = temporaryFolder();
  upstream.novels = novels(40);
  const config = { UPSTREAM_DAILY_REQUESTS: 4 };
  upstream.clock.set(THEN + 30 * DAY);
  await interruptedWalk(dir, { config });
  upstream.clock.set(THEN);
  await harvest(upstream.options(dir, { config }));
  expect(harvestedIn(dir, 'novels').size).toBe(40);
  expect(upstream.clock.now()).toBeLessThan(THEN + 7 * DAY);
});
