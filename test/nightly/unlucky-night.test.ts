import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { startNarouServer } from '../upstream/index.ts';
import { systemClock } from '@mokuroku/kit/process';
import { createEmbeddedCatalogue } from '@mokuroku/narou/sample';
import { startRedis } from '../system/redis-servers.ts';
import { serve, startMokuroku } from '../system/running-service.ts';
import type { RunningCommand } from '../system/running-service.ts';
import { temporaryFolder } from '../temporary-folder.ts';

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

it('serves its clients through a night of faults, logs nothing else, and is whole in the morning', async () => {
  const upstream = await startNarouServer({
    catalogue: createEmbeddedCatalogue({ clock: systemClock }),
    clock: systemClock,
  });
  onTestFinished(() => upstream.close());
  const redis = await startRedis();
  onTestFinished(async () => void (await redis.kill()));
  const dir = path.join(temporaryFolder(), 'volume');
  fs.mkdirSync(dir);
  const service = await serve({
    CATALOGUE_SOURCE: 'local',
    CATALOGUE_DIR: dir,
    STORE_URL: redis.url,
    RATE_LIMIT: '0',
    LOG_LEVEL: 'warn',
    NODE_OPTIONS: `--import ${jumpingClock()}`,
  });
  const ready = async () => {
    const response = await fetch(`${service.catalogue}/readyz`);
    return `${response.status} ${await response.text()}`;
  };

  function harvest() {
    const env = { NAROU_BASE_URL: upstream.url, HARVEST_PAUSE_MS: '0' };
    const { ended, printed, child } = startMokuroku(['harvest', '--dir', dir], env);
    return { child, ended: ended.then((code) => `${String(code)} ${printed()}`) };
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
  dripped.child.kill('SIGTERM');
  expect(await dripped.ended).toMatch(/^130 [^]*the next run resumes/);
  upstream.switches.dripMs = 0;

  // Another is ended while it builds the index.
  const novels = path.join(dir, 'novels');
  const building = harvest();
  const isBuilding = () => fs.readdirSync(novels).some((name) => name.includes('-000002'));
  await expect.poll(isBuilding, { timeout: 30_000, interval: 1 }).toBe(true);
  building.child.kill('SIGTERM');
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
      'the catalogue folder cannot be read at present; it is read again every two seconds, and an open generation is still served',
    ]),
  );
}, 300_000);
