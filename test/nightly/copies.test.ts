import { chmodSync, cpSync, readdirSync, rmSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { buildIndex } from '../../packages/local-catalogue/src/engine/build-index.ts';
import { requireGeneration } from '../../packages/local-catalogue/src/engine/index-generations.ts';
import { publishRankings } from '../../packages/local-catalogue/src/local/ranking-files.ts';
import { plainNovel } from '../../packages/narou/test/plain-novel.ts';
import { verifyIndex } from '../../packages/local-catalogue/test/index-under-test.ts';
import { freePort } from '../free-port.ts';
import { readDeployed, startNginx } from '../system/nginx.ts';
import { endWithTest, serve, startProgram } from '../system/running-service.ts';
import type { RunningCommand, RunningProgram } from '../system/running-service.ts';
import { temporaryFolder } from '../temporary-folder.ts';

// A harvested folder is copied by rsync and rclone, as docs/harvest.md says, into folders that services read meanwhile.

const NOVELS = 2_000;
const NOW_SECONDS = Math.floor(Date.now() / 1000);
const PARTS = ['novels', 'rankings'];

/** nginx reads it as its own user. */
function newFolder(): string {
  const folder = temporaryFolder();
  chmodSync(folder, 0o755);
  return folder;
}

/** Publishes a generation in which every novel has the number of this edition in its title. */
async function publishEdition(dir: string, edition: number): Promise<void> {
  const novels = Array.from({ length: NOVELS }, (_, index) =>
    plainNovel({
      ncode: `N${String(index).padStart(4, '0')}AB`,
      title: `鐘 第${edition}版`,
      story: `第${index}話。霧の夜ごとに鐘を鳴らす。`.repeat(20),
      fetched_at: NOW_SECONDS,
    }),
  );
  await buildIndex(join(dir, 'novels'), novels, { keptGenerations: edition % 3 === 0 ? 1 : 2 });
  await publishRankings(join(dir, 'rankings'), {
    put: [
      {
        type: 'daily',
        date: `2026-01-0${edition}`,
        fetchedAt: NOW_SECONDS,
        rows: novels.slice(0, 300).map(({ ncode }, index) => ({ ncode, pt: 1_000 - index, rank: index + 1 })),
      },
    ],
  });
}

/** nginx with deploy/nginx-catalogue.conf, without TLS and password. */
async function startWebServer(harvested: string): Promise<string> {
  const port = await freePort();
  const site = readDeployed('nginx-catalogue.conf')
    .replace('listen 443 ssl;', `listen 127.0.0.1:${port};`)
    .replaceAll(/^ *(ssl_|auth_basic).*;$/gm, '')
    .replace('root /var/lib/mokuroku;', `root ${join(harvested, '..')};`);
  endWithTest(startNginx(newFolder(), site), 'SIGTERM');
  const url = `http://127.0.0.1:${port}/catalogue/`;
  const status = (path: string) =>
    fetch(url + path).then(
      ({ status }) => status,
      () => 0,
    );
  await expect.poll(() => status('novels/'), { timeout: 10_000 }).toBe(200);
  expect(await status('harvest/')).toBe(404);
  return url;
}

/** The commands of docs/harvest.md for one folder of a catalogue; `limit` is in kB a second. */
type Copy = (part: string, dir: string, limit: number) => readonly [string, ...string[]];

function copiesFrom(harvested: string, url: string): Record<string, Copy> {
  const rclone = (source: (part: string) => string[]): Copy => {
    return (part, dir, limit) => [
      'rclone',
      'sync',
      '--bwlimit',
      `${limit}k`,
      ...source(part),
      join(dir, part),
    ];
  };
  return {
    rsync: (part, dir, limit) => {
      return ['rsync', '--archive', '--delete-after', `--bwlimit=${limit}`, join(harvested, part), dir];
    },
    'rclone from a web server': rclone((part) => ['--http-url', url, `:http:${part}`]),
    'rclone from a folder': rclone((part) => [join(harvested, part)]),
  };
}

const start = ([command, ...args]: ReturnType<Copy>): RunningProgram =>
  endWithTest(startProgram(command, args, { env: { RCLONE_CONFIG: '/dev/null' } }));

async function copyAll(copy: Copy, dir: string): Promise<void> {
  for (const part of PARTS) {
    const copying = start(copy(part, dir, 0));
    expect([await copying.ended, copying.printed()]).toEqual([0, expect.any(String)]);
  }
}

const filesIn = (dir: string): string[] => readdirSync(dir, { recursive: true }) as string[];

/** Kills a slow copy of the novels as soon as this many new files are there, partly or whole. Returns whether it ended before. */
async function killCopy(copy: Copy, dir: string, newFiles: number): Promise<boolean> {
  const novels = join(dir, 'novels');
  const before = new Set(filesIn(novels));
  const copying = start(copy('novels', dir, 2_000));
  const ended = () => copying.child.exitCode !== null;
  while (!ended() && filesIn(novels).filter((file) => !before.has(file)).length < newFiles) await wait(2);
  const isDone = ended();
  await copying.end('SIGKILL');
  return isDone;
}

/** Copies an edition with one file cut or full of zeros, as a machine may leave it that loses power; the manifests last. */
function copySpoiled(harvested: string, dir: string, how: 'cut' | 'zeros'): void {
  const [from, to] = [join(harvested, 'novels'), join(dir, 'novels')];
  const { segments } = requireGeneration(from);
  const { folder = '' } = segments.at(-1) ?? {};
  cpSync(join(from, folder), join(to, folder), { recursive: true, preserveTimestamps: true });
  const file = join(to, folder, 'records');
  const { size } = statSync(file);
  if (how === 'zeros') truncateSync(file, 0);
  truncateSync(file, how === 'cut' ? size - 1 : size);
  // Not the files that are served.
  cpSync(from, to, { recursive: true, force: false, preserveTimestamps: true });
}

/** Searches without a pause; every response must be whole and from one edition. */
function keepSearching({ catalogue }: RunningCommand) {
  const editions = new Set<number>();
  let isStopped = false;
  const faults: unknown[] = [];
  const search = async () => {
    for (let offset = 1; !isStopped; offset = (offset % (NOVELS - 20)) + 1) {
      const word = encodeURIComponent('鐘');
      const response = await fetch(`${catalogue}/v1/novels?word=${word}&lim=20&of=t&st=${offset}`);
      const body = (await response.json()) as {
        data?: { title: string }[];
        meta?: { upstreamAllCount: number };
      };
      const titles = new Set(body.data?.map(({ title }) => title));
      if (response.status !== 200 || body.meta?.upstreamAllCount !== NOVELS || titles.size !== 1)
        faults.push(body);
      editions.add(Number(/第(\d+)版/.exec([...titles].join())?.[1]));
      await wait(10);
    }
  };
  const done = search();
  return {
    editions,
    faults,
    stop: async () => {
      isStopped = true;
      await done;
    },
  };
}

/** The generation of novels that a service serves. */
async function generationOf({ catalogue }: RunningCommand): Promise<number> {
  const response = await fetch(`${catalogue}/readyz`);
  return ((await response.json()) as { catalogue: { generation: number } }).catalogue.generation;
}

it.each(['rsync', 'rclone from a web server', 'rclone from a folder'])(
  'a folder copied by %s is never served half, whatever is killed, cut or copied first',
  { timeout: 300_000 },
  async (name) => {
    const harvested = join(newFolder(), 'catalogue');
    await publishEdition(harvested, 1);
    const copy = copiesFrom(harvested, await startWebServer(harvested))[name]!;
    const dir = newFolder();
    await copyAll(copy, dir);
    const service = await serve({ LOG_LEVEL: 'warn', RATE_LIMIT: '0' }, ['--catalogue', dir]);
    const searches = keepSearching(service);
    onTestFinished(searches.stop);

    let killed = 0;
    for (const [index, newFiles] of [1, 4, 8, 12].entries()) {
      await publishEdition(harvested, index + 2);
      if (index % 2 === 0) {
        for (const file of filesIn(join(harvested, 'novels')).filter((file) => file.endsWith('.json')))
          cpSync(join(harvested, 'novels', file), join(dir, 'novels', file));
      }
      if (!(await killCopy(copy, dir, newFiles))) killed++;
      expect(verifyIndex(join(dir, 'novels'))).toEqual([]);
    }
    expect(killed).toBeGreaterThan(1);
    const { number } = requireGeneration(join(harvested, 'novels'));
    const complaints = () =>
      service.printed().match(/"generation":\d+.*skipped a .*generation/g)?.length ?? 0;
    for (const [index, how] of (['cut', 'zeros'] as const).entries()) {
      await copyAll(copy, dir);
      await expect.poll(() => generationOf(service), { timeout: 60_000 }).toBe(number + index);
      await publishEdition(harvested, 6 + index);
      const before = complaints();
      copySpoiled(harvested, dir, how);
      await expect.poll(complaints, { timeout: 30_000 }).toBeGreaterThan(before);
      expect(await generationOf(service)).toBe(number + index);
    }
    await copyAll(copy, dir);
    await expect.poll(() => generationOf(service), { timeout: 60_000 }).toBe(number + 2);
    const latest = () => [...searches.editions].at(-1);
    await expect.poll(latest, { timeout: 60_000 }).toBe(7);
    await searches.stop();
    expect(searches.faults).toEqual([]);
    expect(verifyIndex(join(dir, 'novels'))).toEqual([]);
    expect(filesIn(join(dir, 'novels')).sort()).toEqual(filesIn(join(harvested, 'novels')).sort());
    const ranking = async () => {
      const response = await fetch(`${service.catalogue}/v1/rankings/daily?date=2026-01-07&raw=1`);
      return ((await response.json()) as { data?: unknown[] }).data?.length;
    };
    await expect.poll(ranking, { timeout: 60_000 }).toBe(300);
  },
);

it('a source that lacks its folder deletes nothing', async () => {
  const harvested = join(newFolder(), 'catalogue');
  await publishEdition(harvested, 1);
  const copies = copiesFrom(harvested, await startWebServer(harvested));
  const dirs = await Promise.all(
    Object.values(copies).map(async (copy) => {
      const dir = newFolder();
      await copyAll(copy, dir);
      return dir;
    }),
  );
  rmSync(join(harvested, 'novels'), { recursive: true });
  for (const [index, copy] of Object.values(copies).entries()) {
    expect(await start(copy('novels', dirs[index]!, 0)).ended).not.toBe(0);
    expect(verifyIndex(join(dirs[index]!, 'novels'))).toEqual([]);
  }
});
