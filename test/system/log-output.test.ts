import { spawnSync } from 'node:child_process';
import { existsSync, openSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { request } from 'undici';
import { describe, expect, it } from 'vitest';
import { CLI, endWithTest, startMokuroku } from './running-service.ts';
import { canMount, mountSmallDisk } from './small-disk.ts';
import { freePort } from '../free-port.ts';
import { serveHttp } from '../http/serve-http.ts';
import { temporaryFolder } from '../temporary-folder.ts';

/** Fills the rest of a file system. */
function fill(folder: string): void {
  try {
    for (let i = 0; ; i++) writeFileSync(join(folder, `filler-${i}`), Buffer.alloc(4_096));
  } catch {
    // The disk is full.
  }
}

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
    const reports = () => running.printed().match(/The log cannot be written: ENOSPC/g);
    // Once by each service.
    await expect.poll(reports).toHaveLength(2);
    expect(await statusOf('/v1/novels')).toBe(200);
    for (const name of readdirSync(folder)) if (name !== 'log') rmSync(join(folder, name));
    expect(await statusOf('/v1/novels?lim=2')).toBe(200);
    await expect.poll(() => readFileSync(log, 'utf8')).toContain('/v1/novels?lim=2');
    expect(reports()).toHaveLength(2);
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

  it('moves no cursor over events that are not printed', async () => {
    const cursor = join(temporaryFolder(), 'cursor');
    const data = Array.from({ length: 500 }, (_, at) => ({ kind: 'new', ncode: 'N0001A', cursor: `c${at}` }));
    const address = await serveHttp((_request, response) => {
      response.setHeader('Content-Type', 'application/json');
      response.end(JSON.stringify({ data, meta: { next: 'end', more: false } }));
    });
    const given = ['changes', '--json', '--cursor', cursor, '--base-url', address];
    const stdio = ['ignore', openSync('/dev/full', 'w'), 'pipe'] as const;
    expect(await startMokuroku(given, {}, { stdio: [...stdio] }).ended).toBe(1);
    expect(existsSync(cursor)).toBe(false);
  });
});

it('a command whose output nobody reads ends at a signal', async () => {
  let lines = 0;
  const address = await serveHttp((_request, response) => {
    response.writeHead(200, { 'Content-Type': 'application/x-ndjson' });
    const write = () => {
      do lines += 1_000;
      while (response.write('{"ncode":"N0001A"}\n'.repeat(1_000)));
    };
    write();
    response.on('drain', write);
  });
  const running = endWithTest(startMokuroku(['novels', '--ndjson', '--base-url', address], {}));
  running.child.stdout?.pause();
  let before = 0;
  const isFull = () => before === (before = lines) && lines > 0;
  // Nothing more fits in the pipe, nor in the buffers before it.
  await expect.poll(isFull, { interval: 500, timeout: 20_000 }).toBe(true);
  running.child.kill('SIGTERM');
  await expect.poll(() => running.child.exitCode).toBe(130);
});

describe('a log without a reader', () => {
  /** A thousand of its lines are more than a pipe holds. */
  const longPath = `/v1/meta/genres?x=${'x'.repeat(2_000)}`;

  it('delays neither responses nor the shutdown', async () => {
    const { running, statusOf } = await serveInto('pipe');
    for (let i = 0; i < 1_000; i++) expect(await statusOf(longPath)).toBe(200);
    const ended = running.end('SIGINT');
    // It is 1 if the process had to be killed after 9.5 s.
    await expect.poll(() => running.child.exitCode).toBe(0);
    running.child.stdout?.resume();
    await ended;
  });

  it('is buffered up to 4 MB, and continues when there is a reader again', async () => {
    const { running, statusOf } = await serveInto('pipe');
    // The log cuts long addresses: these lines are 8 MB.
    for (let i = 0; i < 600; i++) await Promise.all(Array.from({ length: 20 }, () => statusOf(longPath)));
    running.child.stdout?.resume();
    await expect
      .poll(async () => {
        await statusOf('/v1/meta/genres?at=last');
        return running.printed().includes('at=last');
      })
      .toBe(true);
    expect(running.printed().length).toBeGreaterThan(3_500_000);
    expect(running.printed().length).toBeLessThan(6_000_000);
  });
});
