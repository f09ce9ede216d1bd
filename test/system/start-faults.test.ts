import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { CLI, startServe } from './running-service.ts';

const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

/** A start that must fail: its exit code and standard error. */
function startThatEnds(
  environment: Record<string, string>,
  shellPrefix = '',
): Promise<[number | null, string]> {
  const child = spawn('bash', ['-c', `${shellPrefix} exec "$0" "$@"`, process.execPath, CLI, 'serve'], {
    env: { PATH: process.env['PATH'], CATALOGUE_PORT: '0', REGISTRATION_PORT: '0', ...environment },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  cleanUps.push(() => child.kill('SIGKILL'));
  let printed = '';
  child.stderr.on('data', (chunk: Buffer) => {
    printed += chunk.toString();
  });
  return new Promise((resolve) => {
    child.once('close', (code) => {
      resolve([code, printed]);
    });
  });
}

/** Returns a port in use. */
async function takenPort(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  cleanUps.push(() => server.close());
  await new Promise((listening) => server.once('listening', listening));
  return String((server.address() as AddressInfo).port);
}

describe('a failing start', () => {
  it.each([
    ['CATALOGUE_PORT', 'The catalogue service'],
    ['REGISTRATION_PORT', 'The registration service'],
    ['METRICS_PORT', 'The metrics'],
  ])('reports once that %s is in use, and exits', async (name, what) => {
    const port = await takenPort();
    const [code, printed] = await startThatEnds({ [name]: port });
    expect(printed.split(`${what} cannot listen: port ${port} is taken. Set MOKUROKU_${name}.`)).toHaveLength(
      2,
    );
    expect(printed).not.toContain('    at ');
    expect(code).toBe(2);
  });

  it('reports that CACHE_DIR is not a folder, and exits', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'mokuroku-faults-'));
    cleanUps.push(() => {
      rmSync(folder, { recursive: true, force: true });
    });
    writeFileSync(join(folder, 'file'), '');
    const [code, printed] = await startThatEnds({ CACHE_DIR: join(folder, 'file') });
    expect(printed).toContain('must be a writable folder');
    expect(code).toBe(2);
  });

  it.each([32, 64])('reports that it may open too few files (%i), and exits', async (files) => {
    const [code, printed] = await startThatEnds({}, `ulimit -n ${files};`);
    expect(printed).toContain('ulimit -n 1024');
    expect(code).toBe(2);
  });
});

describe('a start with a doubtful setting', () => {
  it('warns if the live upstream is used without NAROU_CONTACT', async () => {
    const live = { CATALOGUE_SOURCE: 'narou', NAROU_BASE_URL: 'http://127.0.0.1:9' };
    const silent = await startServe({ ...live, NAROU_CONTACT: 'https://example.org/' });
    cleanUps.push(() => silent.end('SIGKILL'));
    expect(silent.printed()).not.toContain('NAROU_CONTACT');
    const running = await startServe(live);
    cleanUps.push(() => running.end('SIGKILL'));
    await expect.poll(running.printed, { timeout: 60_000 }).toContain('NAROU_CONTACT is not set');
  });
});
