import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { afterEach, describe, expect, it } from 'vitest';
import { startServe } from './running-service.ts';
import { freePort } from '../free-port.ts';

const cleanUps: (() => unknown)[] = [];

afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

async function serve(environment: Record<string, string> = {}) {
  const running = await startServe({ RATE_LIMIT: '0', LOG_LEVEL: 'error', ...environment });
  cleanUps.push(() => running.end('SIGKILL'));
  return running;
}

/**
 * Clients that send one request after the other until stopped; counts responses and failures. With `obeysClose` a client
 * disconnects, as a proxy does, when a response closes its connection.
 */
function keepAsking(base: string, path: string, clients: number, obeysClose = false) {
  const agent = new Agent({ connections: clients });
  const failures: string[] = [];
  let answered = 0;
  let stopped = false;
  const send = async () => {
    while (!stopped) {
      try {
        const response = await request(base + path, { dispatcher: agent });
        await response.body.text();
        if (response.statusCode === 200) answered++;
        else failures.push(String(response.statusCode));
        if (obeysClose && response.headers['connection'] === 'close') return;
      } catch (error) {
        failures.push((error as NodeJS.ErrnoException).code ?? String(error));
        await wait(5);
      }
    }
  };
  const done = Promise.all(Array.from({ length: clients }, send));
  return {
    answered: () => answered,
    failures,
    done,
    stop: async () => {
      stopped = true;
      await done;
      await agent.close();
    },
  };
}

describe('idle and slow connections', () => {
  it('with slow headers are all closed while others are served', async () => {
    const { catalogue } = await serve();
    const port = Number(new URL(catalogue).port);
    let closed = 0;
    const sockets: Socket[] = [];
    for (let i = 0; i < 500; i++) {
      const socket = connect(port, '127.0.0.1');
      socket.write('GET /v1/meta/genres HTTP/1.1\r\nHost: x\r\n');
      socket.on('close', () => closed++);
      socket.on('error', () => undefined);
      socket.resume();
      sockets.push(socket);
    }
    const drip = setInterval(() => {
      for (const socket of sockets) if (socket.writable) socket.write('X-Slow: 1\r\n');
    }, 500);
    cleanUps.push(() => {
      clearInterval(drip);
      for (const socket of sockets) socket.destroy();
    });
    const others = keepAsking(catalogue, '/v1/meta/genres', 4);
    await expect.poll(() => closed, { timeout: 50_000, interval: 100 }).toBe(500);
    await others.stop();
    expect(others.failures).toEqual([]);
    expect(others.answered()).toBeGreaterThan(0);
  });
});

describe('shutdown', () => {
  it('after SIGTERM under load fails no request and completes in time', async () => {
    const running = await serve();
    const load = keepAsking(running.catalogue, '/v1/novels?lim=5', 16, true);
    const misses = keepAsking(running.catalogue, '/v1/novels?lim=5&word=%E7%8C%AB', 4, true);
    await expect.poll(load.answered, { timeout: 20_000 }).toBeGreaterThan(500);
    const ended = running.end('SIGTERM');
    // While the port is still open, every client gets its response, with `Connection: close`.
    await load.done;
    await misses.done;
    expect([...load.failures, ...misses.failures]).toEqual([]);
    // It is 1 after 9.5 s.
    expect((await ended).code).toBe(0);
    await load.stop();
    await misses.stop();
  });

  it('after SIGINT is immediate without running requests', async () => {
    const from = performance.now();
    const running = await serve();
    const startMs = performance.now() - from;
    const { code, tookMs } = await running.end('SIGINT');
    expect(code).toBe(0);
    expect(tookMs).toBeLessThan(3 * startMs);
  });

  it('waits at most nine and a half seconds for a request', async () => {
    const silent = createServer().listen(0, '127.0.0.1');
    cleanUps.push(() => silent.close());
    await once(silent, 'listening');
    const arrived = once(silent, 'connection');
    const { port } = silent.address() as { port: number };
    const patience = Object.fromEntries(
      ['HEADERS_TIMEOUT', 'BODY_TIMEOUT', 'TIMEOUT'].map((name) => [`UPSTREAM_${name}_MS`, '60000']),
    );
    const upstream = { CATALOGUE_SOURCE: 'narou', NAROU_BASE_URL: `http://127.0.0.1:${port}` };
    const running = await serve({ ...upstream, ...patience });
    const pending = request(`${running.catalogue}/v1/novels`).catch((error: unknown) => error);
    await arrived;
    const { code, tookMs } = await running.end('SIGINT');
    expect(code).toBe(1);
    expect(tookMs).toBeGreaterThan(9_000);
    expect(await pending).toBeInstanceOf(Error);
  });

  it('makes /readyz fail while requests are still served', async () => {
    const running = await serve();
    expect((await request(`${running.catalogue}/readyz`)).statusCode).toBe(200);
    const ended = running.end('SIGTERM');
    await expect
      .poll(async () => (await request(`${running.catalogue}/readyz`)).statusCode, {
        interval: 20,
        timeout: 10_000,
      })
      .toBe(503);
    const last = await request(`${running.catalogue}/v1/meta/genres`);
    expect(last.statusCode).toBe(200);
    expect(last.headers['connection']).toBe('close');
    await last.body.dump();
    await ended;
  });
});

describe('a rolling restart', () => {
  it('of three replicas behind haproxy fails no request', { timeout: 240_000 }, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'mokuroku-rolling-'));
    cleanUps.push(() => {
      rmSync(folder, { recursive: true, force: true });
    });
    const ports = [await freePort(), await freePort(), await freePort()];
    const front = await freePort();
    const startReplica = (port: number) => serve({ CATALOGUE_PORT: String(port) });
    const replicas = await Promise.all(ports.map(startReplica));
    writeFileSync(
      join(folder, 'haproxy.cfg'),
      `defaults
  mode http
  timeout connect 5s
  timeout check 5s
  timeout client 30s
  timeout server 30s
  option redispatch
  retries 3
  retry-on all-retryable-errors
frontend api
  bind 127.0.0.1:${front}
  default_backend replicas
backend replicas
  option httpchk GET /readyz
${ports.map((port) => `  server r${port} 127.0.0.1:${port} check inter 200ms fall 1 rise 1`).join('\n')}
`,
    );
    const haproxy = spawn('haproxy', ['-db', '-f', join(folder, 'haproxy.cfg')], { stdio: 'ignore' });
    cleanUps.push(() => haproxy.kill('SIGKILL'));
    const base = `http://127.0.0.1:${front}`;
    const status = () =>
      request(`${base}/readyz`).then(
        (r) => r.body.dump().then(() => r.statusCode),
        () => 0,
      );
    await expect.poll(status, { timeout: 10_000 }).toBe(200);

    const load = keepAsking(base, '/v1/novels?lim=1&of=n', 16);
    for (const [i, port] of ports.entries()) {
      await replicas[i]?.end('SIGTERM');
      replicas[i] = await startReplica(port);
      const up = () =>
        request(`http://127.0.0.1:${port}/readyz`).then(
          (r) => r.body.dump().then(() => r.statusCode),
          () => 0,
        );
      await expect.poll(up, { timeout: 20_000 }).toBe(200);
      await wait(500);
    }
    await load.stop();
    expect(load.failures).toEqual([]);
    expect(load.answered()).toBeGreaterThan(1_000);
  });
});
