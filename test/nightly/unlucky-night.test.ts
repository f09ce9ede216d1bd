import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import { startNarouServer } from '@mokuroku/narou/narou-server';
import { systemClock } from '@mokuroku/kit/process';
import { createEmbeddedCatalogue } from '@mokuroku/narou/sample';
import { startRedis } from '../system/redis-servers.ts';
import { CLI, startServe } from '../system/running-service.ts';
import type { RunningCommand } from '../system/running-service.ts';
import { canMount, mountSmallDisk } from '../system/small-disk.ts';

const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

function temporaryFolder(): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'mokuroku-night-'));
  cleanUps.push(() => fs.rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A module that moves the clock of its process by a day: forward on SIGPWR, back on each second one. */
function jumpingClock(): string {
  const file = path.join(temporaryFolder(), 'jumping-clock.mjs');
  fs.writeFileSync(
    file,
    `const now = Date.now;
    let offset = 0;
    Date.now = () => now() + offset;
    process.on('SIGPWR', () => { offset = offset === 0 ? 86_400_000 : 0; });`,
  );
  return file;
}

/** Sends one request after the other, some new and some repeated, until it is stopped. Returns the failures. */
function startClient({ catalogue, registration }: RunningCommand): () => Promise<string[]> {
  const failures: string[] = [];
  let isStopped = false;
  let sent = 0;
  async function query(url: string): Promise<void> {
    const response = await fetch(url, { signal: AbortSignal.timeout(10_000) });
    const text = await response.text();
    if (response.status !== 200) failures.push(`${url} ${response.status} ${text.slice(0, 200)}`);
  }
  async function run(): Promise<void> {
    for (; !isStopped; sent++) {
      const st = 1 + (sent % 1_000);
      for (const url of [
        `${catalogue}/v1/novels?lim=50&st=${st}`,
        `${catalogue}/v1/novels?lim=5`,
        `${registration}/example.com`,
        `${registration}/example.org?x=${sent}`,
      ])
        await query(url).catch((error: unknown) => failures.push(`${url} ${String(error)}`));
      await wait(10);
    }
  }
  const ended = run();
  return async () => {
    isStopped = true;
    await ended;
    expect(sent).toBeGreaterThan(10);
    return failures;
  };
}

it.skipIf(!canMount)(
  'serves its clients through a night of faults, logs nothing else, and is whole in the morning',
  async () => {
    const upstream = await startNarouServer({
      catalogue: createEmbeddedCatalogue({ clock: systemClock }),
      clock: systemClock,
    });
    cleanUps.push(() => upstream.close());
    const redis = await startRedis();
    cleanUps.push(() => redis.close());
    const { folder: cacheDir, unmount } = mountSmallDisk();
    cleanUps.push(unmount);
    const dir = path.join(temporaryFolder(), 'volume');
    fs.mkdirSync(dir);
    const service = await startServe({
      CATALOGUE_SOURCE: 'local',
      CATALOGUE_DIR: dir,
      CACHE_DIR: cacheDir,
      STORE_URL: redis.url,
      RATE_LIMIT: '0',
      LOG_LEVEL: 'warn',
      NODE_OPTIONS: `--import ${jumpingClock()}`,
    });
    cleanUps.push(() => service.end('SIGKILL'));
    const ready = async () => {
      const response = await fetch(`${service.catalogue}/readyz`);
      return `${response.status} ${await response.text()}`;
    };

    function harvest(): { kill: (signal: NodeJS.Signals) => void; ended: Promise<string> } {
      const child = spawn(process.execPath, [CLI, 'harvest', '--dir', dir], {
        env: { PATH: process.env['PATH'] ?? '', NAROU_BASE_URL: upstream.url, HARVEST_PAUSE_MS: '0' },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      let printed = '';
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (text) => (printed += String(text)));
      const ended = new Promise<string>((resolve) =>
        child.once('close', (code) => {
          resolve(`${String(code)} ${printed}`);
        }),
      );
      return { kill: (signal) => child.kill(signal), ended };
    }
    const expectReady = () => expect.poll(ready, { timeout: 30_000 }).toMatch(/^200 /);

    // The volume comes late.
    expect(await ready()).toContain('there is no such folder');
    expect(await harvest().ended).toMatch(/^0 /);
    await expectReady();
    const stopClient = startClient(service);

    // The store does not respond, then it does again.
    redis.process().kill('SIGSTOP');
    await expect.poll(service.printed, { timeout: 20_000 }).toContain('the store is unreachable');
    redis.process().kill('SIGCONT');

    // A harvest is ended amid a dripping response; a second one is refused meanwhile.
    upstream.switches.dripMs = 2;
    const dripped = harvest();
    const before = upstream.requestCount();
    await expect.poll(() => upstream.requestCount(), { timeout: 20_000 }).toBeGreaterThan(before);
    expect(await harvest().ended).toMatch(/^2 [^]*is in use by another harvest/);
    dripped.kill('SIGTERM');
    expect(await dripped.ended).toMatch(/^130 [^]*the next run resumes/);
    upstream.switches.dripMs = 0;

    // Another is ended while it builds the index.
    const novels = path.join(dir, 'novels');
    const building = harvest();
    const isBuilding = () => fs.readdirSync(novels).some((name) => name.includes('-000002'));
    await expect.poll(isBuilding, { timeout: 30_000, interval: 1 }).toBe(true);
    building.kill('SIGTERM');
    expect(await building.ended).toMatch(/^130 [^]*the next run resumes/);

    // The clock jumps ahead by a day, and back.
    for (let jump = 0; jump < 2; jump++) {
      service.child.kill('SIGPWR');
      await expectReady();
      await wait(1_000);
    }

    // A newer generation is not readable; then it is.
    const unreadable = path.join(novels, 'generation-000002.json');
    fs.symlinkSync(path.basename(unreadable), unreadable);
    await expect.poll(service.printed, { timeout: 20_000 }).toContain('ELOOP');
    fs.rmSync(unreadable);
    expect(await harvest().ended).toMatch(/^0 /);
    await expect.poll(ready, { timeout: 30_000 }).toMatch(/^200 .*"generation":2/);

    expect(await stopClient()).toEqual([]);
    const { code } = await service.end('SIGTERM');
    expect(code).toBe(0);
    const warnings = service
      .printed()
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => (JSON.parse(line) as { msg: string }).msg);
    expect(new Set(warnings)).toEqual(
      new Set([
        'the store is unreachable: continuing without it',
        'the disk cache failed: responses are cached in memory only, and the disk is retried later',
        'the catalogue folder cannot be read at present; it is read again every two seconds, and an open generation is still served',
      ]),
    );
  },
  300_000,
);
