import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { request } from 'undici';
import { describe, expect, it, onTestFinished } from 'vitest';
import { CLI, endWithTest, serve, startProgram } from './running-service.ts';

/** A start that must fail: its exit code and standard error. */
async function startThatEnds(
  env: Record<string, string>,
  shellPrefix = '',
): Promise<[number | null, string]> {
  const start = startProgram(
    'bash',
    ['-c', `${shellPrefix} exec "$0" "$@"`, process.execPath, CLI, 'serve'],
    {
      env: { CATALOGUE_PORT: '0', REGISTRATION_PORT: '0', ...env },
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  );
  return [await endWithTest(start).ended, start.printed()];
}

describe('a failing start', () => {
  it.each([
    ['CATALOGUE_PORT', 'The catalogue service'],
    ['REGISTRATION_PORT', 'The registration service'],
    ['METRICS_PORT', 'The metrics'],
  ])('reports once that %s is in use, and exits', async (name, what) => {
    const server = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    const port = String((server.address() as AddressInfo).port);
    const [code, printed] = await startThatEnds({ [name]: port });
    expect(printed.split(`${what} cannot listen: port ${port} is taken. Set MOKUROKU_${name}.`)).toHaveLength(
      2,
    );
    expect(printed).not.toContain('    at ');
    expect(code).toBe(2);
  });

  it.each([32, 64])('reports that it may open too few files (%i), and exits', async (files) => {
    const [code, printed] = await startThatEnds({}, `ulimit -n ${files};`);
    expect(printed).toContain('ulimit -n 1024');
    expect(code).toBe(2);
  });
});

it('clients do not use up the files that a process may open: a look-up still reaches its registry', async () => {
  const { catalogue, registration } = await serve(
    {},
    [],
    ['bash', '-c', 'ulimit -n 128; exec "$0" "$@"', process.execPath, CLI],
  );
  const port = Number(new URL(catalogue).port);
  const sockets = Array.from({ length: 200 }, (_, index) =>
    connect({ port, host: '127.0.0.1', localAddress: `127.0.${index + 1}.1` }).on('error', () => undefined),
  );
  onTestFinished(() => sockets.forEach((socket) => void socket.destroy()));
  const closed = () => sockets.filter(({ closed: isClosed }) => isClosed).length;
  await expect.poll(closed, { timeout: 60_000 }).toBeGreaterThan(100);
  expect((await request(`${registration}/example.com`)).statusCode).toBe(200);
});

describe('a start with a doubtful setting', () => {
  it('warns if the live upstream is used without NAROU_CONTACT', async () => {
    const live = { CATALOGUE_SOURCE: 'narou', NAROU_BASE_URL: 'http://127.0.0.1:9' };
    const silent = await serve({ ...live, NAROU_CONTACT: 'https://example.org/' });
    expect(silent.printed()).not.toContain('NAROU_CONTACT');
    const running = await serve(live);
    await expect.poll(running.printed, { timeout: 60_000 }).toContain('NAROU_CONTACT is not set');
  });
});
