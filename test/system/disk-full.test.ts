import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { openSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { request } from 'undici';
import { afterEach, describe, expect, it } from 'vitest';
import { CLI, startServe } from './running-service.ts';
import type { RunningCommand } from './running-service.ts';
import { canMount, mountSmallDisk } from './small-disk.ts';
import { freePort } from '../free-port.ts';

const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

function mountSmall(): string {
  const { folder, unmount } = mountSmallDisk();
  cleanUps.push(unmount);
  return folder;
}

async function serve(folder: string): Promise<RunningCommand> {
  const running = await startServe({ CACHE_DIR: folder, RATE_LIMIT: '0', LOG_LEVEL: 'warn' });
  cleanUps.push(() => running.end('SIGKILL'));
  return running;
}

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
    const folder = mountSmall();
    const running = await serve(folder);
    await requestMuch(running);
    await expect.poll(() => complaintsOf(running).length).toBe(1);
    expect(complaintsOf(running)[0]).toContain('ENOSPC');
    expect(running.child.exitCode).toBe(null);
  });

  it('restarts on it and serves its cached responses', async () => {
    const folder = mountSmall();
    const first = await serve(folder);
    await requestMuch(first);
    const fileCount = readdirSync(folder, { recursive: true }).length;
    expect(fileCount).toBeGreaterThan(3);
    await first.end('SIGTERM');
    const second = await serve(folder);
    await requestMuch(second);
    await requestMuch(second, 1_000);
    expect(second.child.exitCode).toBe(null);
  });

  it('starts on a disk that is full of other files', async () => {
    const folder = mountSmall();
    fill(folder);
    const running = await serve(folder);
    await requestMuch(running);
    expect(complaintsOf(running).length).toBeGreaterThan(0);
  });

  it('starts on a read-only disk and serves its cached responses', async () => {
    const folder = mountSmall();
    const first = await serve(folder);
    await request(`${first.catalogue}/v1/novels?lim=5`).then(({ body }) => body.dump());
    await first.end('SIGTERM');
    execFileSync('mount', ['-o', 'remount,ro', folder]);
    const second = await serve(folder);
    const { body, headers } = await request(`${second.catalogue}/v1/novels?lim=5`);
    await body.dump();
    expect(headers['cache-status']).toContain('hit');
    await requestMuch(second);
    expect(complaintsOf(second)[0]).toContain('EROFS');
  });
});

describe.skipIf(!canMount)('a full disk behind standard output', () => {
  it('does not end the services; they report it, and resume their log when there is space', async () => {
    const folder = mountSmall();
    const log = join(folder, 'log');
    const output = openSync(log, 'a');
    fill(folder);
    const [catalogue, registration] = [await freePort(), await freePort()];
    const ports = { CATALOGUE_PORT: String(catalogue), REGISTRATION_PORT: String(registration) };
    const child = spawn(process.execPath, [CLI, 'serve'], {
      env: { PATH: process.env['PATH'], RATE_LIMIT: '0', ...ports },
      stdio: ['ignore', output, 'pipe'],
    });
    cleanUps.push(() => child.kill('SIGKILL'));
    let complaints = '';
    child.stderr?.on('data', (chunk: Buffer) => (complaints += chunk.toString()));
    const send = async (path: string) => {
      const { statusCode, body } = await request(`http://127.0.0.1:${catalogue}${path}`);
      await body.dump();
      return statusCode;
    };
    await expect.poll(() => send('/livez').catch(() => 0), { timeout: 20_000 }).toBe(200);
    for (let i = 0; i < 20; i++) expect(await send(`/v1/novels?lim=1&st=${i + 1}`)).toBe(200);
    await expect.poll(() => complaints).toContain('The log cannot be written: ENOSPC');
    expect(await send('/v1/novels')).toBe(200);
    for (const name of readdirSync(folder)) if (name !== 'log') rmSync(join(folder, name));
    expect(await send('/v1/novels?lim=2')).toBe(200);
    await expect.poll(() => readFileSync(log, 'utf8')).toContain('/v1/novels?lim=2');
    expect(child.exitCode).toBe(null);
    // Printed when both services run and handle signals.
    await expect.poll(() => complaints).toContain('SAMPLE MODE');
    child.kill('SIGINT');
    const [code] = (await once(child, 'exit')) as [number];
    expect(code).toBe(0);
  });

  it('does not delay their shutdown', async () => {
    const child = spawn(process.execPath, [CLI, 'serve'], {
      env: { PATH: process.env['PATH'], CATALOGUE_PORT: '0', REGISTRATION_PORT: '0', METRICS_PORT: '0' },
      stdio: ['ignore', openSync('/dev/full', 'w'), 'pipe'],
    });
    cleanUps.push(() => child.kill('SIGKILL'));
    let complaints = '';
    child.stderr?.on('data', (chunk: Buffer) => (complaints += chunk.toString()));
    await expect.poll(() => complaints, { timeout: 20_000 }).toContain('The log cannot be written');
    // Printed when both services run and handle signals.
    await expect.poll(() => complaints, { timeout: 20_000 }).toContain('SAMPLE MODE');
    child.kill('SIGINT');
    const [code] = (await once(child, 'exit')) as [number];
    expect(code).toBe(0);
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
    const port = String(await freePort());
    // A pipe buffers 64 kB until it is read.
    const child = spawn(process.execPath, [CLI, 'serve'], {
      env: { PATH: process.env['PATH'], RATE_LIMIT: '0', CATALOGUE_PORT: port, REGISTRATION_PORT: '0' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    cleanUps.push(() => child.kill('SIGKILL'));
    let said = '';
    child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
    const query = async (path: string) => {
      const { statusCode, body } = await request(`http://127.0.0.1:${port}${path}`);
      await body.dump();
      return statusCode;
    };
    await expect.poll(() => query('/livez').catch(() => 0), { timeout: 20_000 }).toBe(200);
    for (let i = 0; i < 1_000; i++) expect(await query(`/v1/meta/genres?x=${i}`)).toBe(200);
    await expect.poll(() => said).toContain('SAMPLE MODE');
    child.kill('SIGINT');
    const [code] = (await once(child, 'exit')) as [number];
    // It is 1 if the process had to be killed after 9.5 s.
    expect(code).toBe(0);
  });
});
