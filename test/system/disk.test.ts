import { execFileSync, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { openSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { request } from 'undici';
import { describe, expect, it } from 'vitest';
import { createLogger, systemClock } from '@mokuroku/kit/process';
import { openDiskTier } from '../../packages/kit/src/cache/disk-tier.ts';
import { CLI, endWithTest, serve, startMokuroku, startProgram, until } from './running-service.ts';
import type { RunningCommand } from './running-service.ts';
import { canMount, mountSmallDisk } from './small-disk.ts';
import { freePort } from '../free-port.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const serveFrom = (folder: string) => serve({ CACHE_DIR: folder, RATE_LIMIT: '0', LOG_LEVEL: 'warn' });

/** Requests more than a megabyte of different responses, none of which may fail. */
async function requestMuch({ catalogue }: RunningCommand, from = 0): Promise<void> {
  for (let i = from; i < from + 15; i++) {
    const response = await request(`${catalogue}/v1/novels?lim=100&st=${i + 1}`);
    await response.body.dump();
    expect(response.statusCode).toBe(200);
  }
}

const complaintsOf = (running: RunningCommand) =>
  running
    .printed()
    .split('\n')
    .filter((line) => line.includes('the disk cache failed'));

/** Fills the rest of a file system. */
function fill(folder: string): void {
  try {
    for (let i = 0; ; i++) writeFileSync(join(folder, `filler-${i}`), Buffer.alloc(4_096));
  } catch {
    // The disk is full.
  }
}

describe.skipIf(!canMount)('a service with a full disk', () => {
  it('still serves and logs it once', async () => {
    const folder = mountSmallDisk();
    const running = await serveFrom(folder);
    await requestMuch(running);
    await expect.poll(() => complaintsOf(running).length).toBe(1);
    expect(complaintsOf(running)[0]).toContain('ENOSPC');
    expect(running.child.exitCode).toBe(null);
  });

  it('restarts on it and serves its cached responses', async () => {
    const folder = mountSmallDisk();
    const first = await serveFrom(folder);
    await requestMuch(first);
    const fileCount = readdirSync(folder, { recursive: true }).length;
    expect(fileCount).toBeGreaterThan(3);
    await first.end('SIGTERM');
    const second = await serveFrom(folder);
    await requestMuch(second);
    await requestMuch(second, 1_000);
    expect(second.child.exitCode).toBe(null);
  });

  it('starts on a disk that is full of other files', async () => {
    const folder = mountSmallDisk();
    fill(folder);
    const running = await serveFrom(folder);
    await requestMuch(running);
    expect(complaintsOf(running).length).toBeGreaterThan(0);
  });

  it('starts on a read-only disk and serves its cached responses', async () => {
    const folder = mountSmallDisk();
    const first = await serveFrom(folder);
    await request(`${first.catalogue}/v1/novels?lim=5`).then(({ body }) => body.dump());
    await first.end('SIGTERM');
    execFileSync('mount', ['-o', 'remount,ro', folder]);
    const second = await serveFrom(folder);
    const { body, headers } = await request(`${second.catalogue}/v1/novels?lim=5`);
    await body.dump();
    expect(headers['cache-status']).toContain('hit');
    await requestMuch(second);
    expect(complaintsOf(second)[0]).toContain('EROFS');
  });
});

/** Starts both services with this standard output; resolves when the catalogue responds, with its status for a path. */
async function serveInto(output: number | 'pipe') {
  const port = String(await freePort());
  const env = { RATE_LIMIT: '0', CATALOGUE_PORT: port, REGISTRATION_PORT: '0', METRICS_PORT: '0' };
  const running = endWithTest(startMokuroku(['serve'], env, { stdio: ['ignore', output, 'pipe'] }));
  const statusOf = async (path: string) => {
    const { statusCode, body } = await request(`http://127.0.0.1:${port}${path}`);
    await body.dump();
    return statusCode;
  };
  // A pipe buffers 64 kB until it is read.
  running.child.stdout?.pause();
  // Printed when both services run and handle signals.
  await expect.poll(running.printed).toContain('SAMPLE MODE');
  return { running, statusOf };
}

describe.skipIf(!canMount)('a full disk behind standard output', () => {
  it('does not end the services; they report it, and resume their log when there is space', async () => {
    const folder = mountSmallDisk();
    const log = join(folder, 'log');
    const output = openSync(log, 'a');
    fill(folder);
    const { running, statusOf } = await serveInto(output);
    for (let i = 0; i < 20; i++) expect(await statusOf(`/v1/novels?lim=1&st=${i + 1}`)).toBe(200);
    await expect.poll(running.printed).toContain('The log cannot be written: ENOSPC');
    expect(await statusOf('/v1/novels')).toBe(200);
    for (const name of readdirSync(folder)) if (name !== 'log') rmSync(join(folder, name));
    expect(await statusOf('/v1/novels?lim=2')).toBe(200);
    await expect.poll(() => readFileSync(log, 'utf8')).toContain('/v1/novels?lim=2');
    expect((await running.end('SIGINT')).code).toBe(0);
  });

  it('does not delay their shutdown', async () => {
    const { running } = await serveInto(openSync('/dev/full', 'w'));
    await expect.poll(running.printed).toContain('The log cannot be written');
    expect((await running.end('SIGINT')).code).toBe(0);
  });

  it('is a one-line error for a command that only prints', () => {
    const { status, stderr } = spawnSync(process.execPath, [CLI, '--help'], {
      stdio: ['ignore', openSync('/dev/full', 'w'), 'pipe'],
      encoding: 'utf8',
    });
    expect(stderr).toMatch(/^Cannot write the output: ENOSPC.*\n$/);
    expect(status).toBe(1);
  });
});

describe('a log without a reader', () => {
  it('delays neither responses nor the shutdown', async () => {
    const { running, statusOf } = await serveInto('pipe');
    for (let i = 0; i < 1_000; i++) expect(await statusOf(`/v1/meta/genres?x=${i}`)).toBe(200);
    const ended = running.end('SIGINT');
    // It is 1 if the process had to be killed after 9.5 s.
    await expect.poll(() => running.child.exitCode).toBe(0);
    running.child.stdout?.resume();
    await ended;
  });
});

describe('the disk cache of several processes', () => {
  const maxBytes = 16_000_000;
  /** Writes until it is killed. */
  async function startWriter(directory: string) {
    const script = join(import.meta.dirname, 'disk-writer.ts');
    const args = ['--import', 'tsx', script, directory, String(maxBytes)];
    const writer = endWithTest(startProgram(process.execPath, args));
    await once(writer.child.stdout!, 'data');
    return writer;
  }
  const filesUnder = (folder: string): string[] =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));

  it('is intact and within its bound after they are killed repeatedly', async () => {
    const directory = temporaryFolder();
    const complaints: string[] = [];
    const { logger } = createLogger('test', 'warn', { write: (line: string) => complaints.push(line) });
    for (let round = 0; round < 3; round++) {
      const writers = await Promise.all([1, 2, 3].map(() => startWriter(directory)));
      await until(() => filesUnder(directory).length >= 50);
      await wait(40 * round);
      for (const writer of writers) await writer.end('SIGKILL');
      const tier = await openDiskTier({ directory, scope: 'crash', maxBytes, clock: systemClock, logger });
      let whole = 0;
      for (let i = 0; i < 500; i++) {
        const entry = await tier.find(`k${i}`);
        if (!entry) continue;
        whole++;
        expect((JSON.parse(entry.data.toString()) as string).replaceAll(`k${i}`, '')).toBe('');
      }
      await tier.sweep();
      expect(tier.stats.bytes).toBeLessThanOrEqual(maxBytes * 0.9);
      await tier.close();
      expect(whole).toBeGreaterThan(10);
      const bytes = filesUnder(directory).reduce((sum, file) => sum + statSync(file).size, 0);
      expect(bytes).toBeLessThanOrEqual(maxBytes);
    }
    expect(complaints).toEqual([]);
  });
});
