import { expect, it } from 'vitest';
import { OPEN_POINTS } from '../../scripts/open-points.ts';
import { probeUpstream } from '../../scripts/probe-upstream.ts';
import { UNKNOWN_SWITCHES } from '../upstream/switches.ts';
import type { NarouServerSwitches } from '../upstream/switches.ts';
import { japan, upstreamUnderTest } from '../../packages/narou/test/upstream-under-test.ts';

const upstream = upstreamUnderTest();

/** The answers by name, the lengths of the pauses, and why the probe ended early. */
async function probe(switches: Partial<NarouServerSwitches>) {
  // An hour at which the ranking of the day may or may not be published.
  upstream.clock.set(japan('2026-11-21T05:30:00'));
  Object.assign(upstream.server.switches, switches);
  const lines: string[] = [];
  const pauses: number[] = [];
  const before = upstream.server.requestCount();
  const stopped = await probeUpstream({
    baseUrl: upstream.server.url,
    userAgent: 'probe of a test (me@example.org)',
    clock: upstream.clock,
    pause: (ms) => Promise.resolve(pauses.push(ms)),
    print: (line) => lines.push(line),
  });
  const answers = Object.fromEntries(
    lines.map((line): [string, string] => [/^\w+/.exec(line)?.[0] ?? '', line.replace(/^\w+: | -- .*/g, '')]),
  );
  return { answers, lines, pauses, stopped, sentCount: upstream.server.requestCount() - before };
}

const differing = (lines: readonly string[]) => lines.filter((line) => line.includes('the stand-in assumes'));

it('every point is asked, a request a second, and the stand-in answers as it assumes', async () => {
  const { lines, pauses, stopped, sentCount, answers } = await probe({});
  expect(differing(lines)).toEqual([]);
  expect([lines.length, stopped]).toEqual([OPEN_POINTS.length + 1, undefined]);
  expect(answers['userFields']).toMatch(/^userid name yomikata /);
  expect(sentCount).toBeGreaterThan(35);
  expect(sentCount).toBeLessThanOrEqual(50);
  expect(pauses).toEqual(Array.from({ length: sentCount - 1 }, () => 1_000));
});

/** Values of a switch other than the stand-in's, as the probe names them. */
function othersOf([name, row]: [string, { default: unknown; values?: readonly unknown[] }]) {
  if (name === 'maxUrlLength') return [{ name, value: 1000, answer: 'other (414)' }];
  if (name === 'maintenance') return [];
  return (row.values ?? []).slice(1).map((value) => {
    // At half past five, the hours 4 and 5 look alike.
    const hour = value === 5 ? '4' : 'late';
    const answer = name === 'rankingReadyHour' ? hour : String(value);
    return { name, value, answer };
  });
}

// All switches at once, for as many rounds as the longest list has values.
it.each([0, 1, 2, 3])('the other answers of the site are named (%i)', async (round) => {
  const changes = Object.entries(UNKNOWN_SWITCHES).flatMap((entry) =>
    othersOf(entry).slice(round, round + 1),
  );
  const { lines } = await probe(Object.fromEntries(changes.map(({ name, value }) => [name, value])));
  const expected = changes
    .filter(({ answer }) => answer !== '4')
    .map(({ name, answer }) => `${name}: ${answer}`);
  expect(
    differing(lines)
      .map((line) => line.split(' (the stand-in')[0])
      .sort(),
  ).toEqual(expected.sort());
});

it.each<[Partial<NarouServerSwitches>, string, number]>([
  [{ maintenance: 'html503' }, 'does not respond as expected', 3],
  [{ maintenance: 'text200' }, 'does not respond as expected', 3],
  [{ status: 429 }, 'throttles', 1],
  [{ status: 503, retryAfterSeconds: 60 }, 'throttles', 1],
])('a site that fails (%j) gets few further requests', async (switches, why, requests) => {
  const { stopped, sentCount, answers } = await probe(switches);
  expect(stopped).toContain(why);
  expect(sentCount).toBe(requests);
  if (switches.maintenance) expect(answers['maintenance']).toContain(switches.maintenance);
});
