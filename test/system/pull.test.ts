import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import { buildIndex, changeIndex } from '../../src/catalogue/index/engine/build-index.ts';
import { newestGeneration, requireGeneration } from '../../src/catalogue/index/engine/index-generations.ts';
import { verifyIndex } from '../catalogue/verify-index.ts';
import { publishRankings } from '../../src/catalogue/local/publish-rankings.ts';
import { plainNovel } from '../catalogue/plain-novel.ts';
import { freePort } from '../free-port.ts';
import { CLI, startServe } from './running-service.ts';

// Sets up a harvested folder behind nginx, three replicas that pull it and are killed, and three services on their
// folders.

const NOVELS = 3_000;
/** A pull is killed after it has staged this many files of a generation. */
const STAGED = [1, 4, 8, 12, 20, Infinity];
/** Each machine is killed in each of these states. */
const KILLS = Number(process.env['MOKUROKU_PULL_KILLS'] ?? STAGED.length);
const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

/** A folder of this attempt. nginx reads it as its own user. */
function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'mokuroku-pull-'));
  chmodSync(folder, 0o755);
  cleanUps.push(() => {
    rmSync(folder, { recursive: true, force: true });
  });
  return folder;
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill(signal);
  await ended;
}

/** Kills a pull as soon as it has staged this many files, unless it ends earlier. */
async function endWhenStaged(pull: ChildProcess, dir: string, files: number): Promise<void> {
  const staging = join(dir, 'novels/pull');
  const staged = () => {
    try {
      return readdirSync(staging).length;
    } catch {
      return 0; // The pull has not begun, or is done.
    }
  };
  while (pull.exitCode === null && staged() < files) await wait(2);
  await end(pull, 'SIGKILL');
}

async function startNginx(folder: string): Promise<string> {
  const port = await freePort();
  const own = newFolder();
  const scratch = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  const paths = scratch.map((each) => `${each}_temp_path ${own}/${each};`).join(' ');
  const site = `server { listen 127.0.0.1:${port}; root ${folder}; }`;
  writeFileSync(
    join(own, 'nginx.conf'),
    `daemon off; pid ${own}/nginx.pid; error_log ${own}/error.log; events {}\nhttp { access_log off; ${paths}\n${site} }`,
  );
  const nginx = spawn('nginx', ['-e', `${own}/early.log`, '-c', `${own}/nginx.conf`], { stdio: 'ignore' });
  cleanUps.push(() => end(nginx, 'SIGTERM'));
  const url = `http://127.0.0.1:${port}/`;
  await expect
    .poll(
      () =>
        fetch(url).then(
          () => true,
          () => false,
        ),
      { timeout: 10_000 },
    )
    .toBe(true);
  return url;
}

/** The generation of novels that a service serves. */
async function generationOf(base: string): Promise<number> {
  const { catalogue } = (await (await fetch(`${base}/readyz`)).json()) as {
    catalogue: { generation: number };
  };
  return catalogue.generation;
}

it(
  "three machines pull from nginx, are killed repeatedly, and serve the harvester's data",
  { timeout: 600_000 },
  async () => {
    const now = Math.floor(Date.now() / 1000);
    const root = newFolder();
    const harvested = join(root, 'harvested');
    const novels = Array.from({ length: NOVELS }, (_, index) =>
      plainNovel({
        ncode: `N${String(index).padStart(4, '0')}AB`,
        story: `第${index}話。霧の夜ごとに鐘を鳴らす。`.repeat(20),
        weekly_point: index,
        fetched_at: now,
      }),
    );
    await buildIndex(join(harvested, 'novels'), novels);
    const rows = novels
      .slice(0, 300)
      .map(({ ncode }, index) => ({ ncode, pt: 1_000 - index, rank: index + 1 }));
    await publishRankings(join(harvested, 'rankings'), {
      put: [{ type: 'daily', date: '2026-01-05', fetchedAt: now, rows }],
    });
    const url = await startNginx(harvested);
    const dirs = ['a', 'b', 'c'].map((name) => join(root, name));
    const pullInto = (dir: string) =>
      spawn(process.execPath, [CLI, 'pull', '--from', url, '--dir', dir], {
        stdio: ['ignore', 'ignore', 'inherit'],
      });
    const services = [];
    for (const dir of [harvested, ...dirs]) {
      mkdirSync(dir, { recursive: true });
      const service = await startServe({ LOG_LEVEL: 'silent', RATE_LIMIT: '0' }, ['--catalogue', dir]);
      services.push(service);
      cleanUps.push(() => service.end('SIGKILL'));
    }
    for (let kill = 0; kill < KILLS; kill++) {
      const put = [{ ...novels[kill]!, title: `書き換え${kill}`, fetched_at: now }];
      if (kill % 4 === 3)
        await buildIndex(join(harvested, 'novels'), [...put, ...novels.slice(100)], { keptGenerations: 1 });
      else await changeIndex(join(harvested, 'novels'), { put, remove: [novels[1_000 + kill]!.ncode] });
      await Promise.all(
        dirs.map((dir, machine) =>
          endWhenStaged(pullInto(dir), dir, STAGED[(kill + machine) % STAGED.length]!),
        ),
      );
      for (const dir of dirs) {
        if (newestGeneration(join(dir, 'novels'))) expect(verifyIndex(join(dir, 'novels'))).toEqual([]);
      }
    }
    const ends = await Promise.all(dirs.map((dir) => once(pullInto(dir), 'exit')));
    expect(ends).toEqual(dirs.map(() => [0, null]));
    const urls = [
      '/v1/novels?lim=500&order=weekly&of=n-t-gp',
      `/v1/novels?word=${encodeURIComponent('書き換え')}&lim=50`,
      '/v1/rankings/daily?date=2026-01-05&raw=1',
      '/v1/changes?lim=100',
    ];
    const answersOf = async (base: string) =>
      Promise.all(
        urls.map(async (each) => {
          const { data } = (await (await fetch(base + each)).json()) as { data: unknown };
          return data;
        }),
      );
    const { number } = requireGeneration(join(harvested, 'novels'));
    // Earlier requests would make a service cache responses of the previous generation for minutes.
    for (const { catalogue } of services) {
      await expect.poll(() => generationOf(catalogue), { timeout: 120_000 }).toBe(number);
    }
    const wanted = await answersOf(services[0]!.catalogue);
    expect(wanted.every(Boolean)).toBe(true);
    for (const { catalogue } of services.slice(1)) expect(await answersOf(catalogue)).toEqual(wanted);
  },
);
