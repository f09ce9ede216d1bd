import { execFileSync } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { readDeployed, startNginx, withoutTls } from './nginx.ts';
import { CLI, endWithTest, isRunning, serve, startProgram } from './running-service.ts';
import { freePort } from '../free-port.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const SETTINGS = { RATE_LIMIT: '0', LOG_LEVEL: 'error' };

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
    const { catalogue } = await serve(SETTINGS);
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
    onTestFinished(() => {
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
    const running = await serve(SETTINGS);
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
    const running = await serve(SETTINGS);
    const startMs = performance.now() - from;
    const { code, tookMs } = await running.end('SIGINT');
    expect(code).toBe(0);
    expect(tookMs).toBeLessThan(3 * startMs);
  });

  it('writes the last lines of the log', async () => {
    const running = await serve({ LOG_LEVEL: 'info' });
    await (await request(`${running.catalogue}/v1/meta/genres`, { reset: true })).body.dump();
    await running.end('SIGINT');
    expect(running.printed()).toContain('/v1/meta/genres');
  });

  it('waits at most nine and a half seconds for a request', async () => {
    const silent = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void silent.close());
    await once(silent, 'listening');
    const arrived = once(silent, 'connection');
    const { port } = silent.address() as { port: number };
    const running = await serve({
      ...SETTINGS,
      CATALOGUE_SOURCE: 'narou',
      NAROU_BASE_URL: `http://127.0.0.1:${port}`,
      UPSTREAM_TIMEOUT_MS: '60000',
    });
    const pending = request(`${running.catalogue}/v1/novels`).catch((error: unknown) => error);
    await arrived;
    const { code, tookMs } = await running.end('SIGINT');
    expect(code).toBe(1);
    expect(tookMs).toBeGreaterThan(9_000);
    expect(await pending).toBeInstanceOf(Error);
  });

  it('makes /readyz fail while requests are still served', async () => {
    const running = await serve(SETTINGS);
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

describe('a service in a terminal that is closed', () => {
  /** `mokuroku serve` in a terminal of its own; `close` closes the terminal, as a closed window does. */
  async function startInTerminal(trap = '') {
    const command = `echo "pid $$"; ${trap} exec "${process.execPath}" "${CLI}" serve`;
    const env = { CATALOGUE_PORT: '0', REGISTRATION_PORT: '0' };
    const terminal = endWithTest(startProgram('script', ['-qc', command, '/dev/null'], { env }));
    await expect.poll(terminal.printed).toMatch(/^catalogue\s+http.*[^]*^registration\s+http/m);
    const pid = Number(/^pid (\d+)/m.exec(terminal.printed())?.[1]);
    onTestFinished(() => void (isRunning(pid) && process.kill(pid, 'SIGKILL')));
    expect(isRunning(pid)).toBe(true);
    return { pid, close: () => terminal.child.kill('SIGKILL') };
  }

  it('ends', async () => {
    const { pid, close } = await startInTerminal();
    close();
    await expect.poll(() => isRunning(pid)).toBe(false);
  });

  it('ends when it is stopped, if it outlives the terminal', async () => {
    const { pid, close } = await startInTerminal('trap "" HUP;');
    close();
    process.kill(pid, 'SIGTERM');
    await expect.poll(() => isRunning(pid)).toBe(false);
  });
});

/** A DNS server that knows one name, and the addresses of its replicas. Resolves to `127.0.0.1:port`. */
async function startNames(addresses: readonly string[]): Promise<string> {
  const server = createSocket('udp4', (query, { port, address }) => {
    const question = query.subarray(12, query.indexOf(0, 12) + 5);
    const isV4 = question.readUInt16BE(question.length - 4) === 1;
    const records = (isV4 ? addresses : []).map((each) =>
      Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 1, 0, 4, ...each.split('.').map(Number)]),
    );
    const head = Buffer.from([...query.subarray(0, 2), 0x81, 0x80, 0, 1, 0, records.length, 0, 0, 0, 0]);
    server.send(Buffer.concat([head, question, ...records]), port, address);
  });
  server.bind(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return `127.0.0.1:${server.address().port}`;
}

interface ProxyOptions {
  readonly names: string;
  readonly front: number;
  readonly catalogue: number;
  readonly registration: number;
}

/** nginx as compose.replicas.yaml starts it, without TLS, with other ports and another DNS server. */
function startProxy({ names, front, catalogue, registration }: ProxyOptions): void {
  const folder = temporaryFolder();
  const compose = parse(readDeployed('compose.replicas.yaml'), { logLevel: 'silent' }) as {
    services: { proxy: { command: string[] } };
  };
  const made = (compose.services.proxy.command[2] ?? '')
    .replaceAll('$$', '$')
    .replace('127.0.0.11', names)
    .replace(/ && exec .*/, '')
    .replace('/etc/nginx/mokuroku.conf', join(import.meta.dirname, '../../deploy/nginx.conf'))
    .replace('/etc/nginx/conf.d/default.conf', `${folder}/site.conf`);
  execFileSync('sh', ['-c', made]);
  const site = withoutTls(readFileSync(`${folder}/site.conf`, 'utf8'), front)
    .replaceAll(':3000', `:${catalogue}`)
    .replaceAll(':3001', `:${registration}`)
    .replaceAll('/dev/stdout', `${folder}/access.log`);
  endWithTest(startNginx(folder, site), 'SIGTERM');
}

const statusOf = (url: string, host: string) =>
  request(url, { headers: { host } }).then(
    (response) => response.body.dump().then(() => response.statusCode),
    () => 0,
  );

describe('a rolling restart', () => {
  it('of three replicas behind the nginx of compose fails no request', { timeout: 240_000 }, async () => {
    const addresses = ['127.0.0.1', '127.0.0.2', '127.0.0.3'];
    const [catalogue, registration, front] = [await freePort(), await freePort(), await freePort()];
    const ports = { CATALOGUE_PORT: String(catalogue), REGISTRATION_PORT: String(registration) };
    const startReplica = (HOST: string) => serve({ ...SETTINGS, ...ports, HOST });
    const replicas = await Promise.all(addresses.map(startReplica));
    startProxy({ names: await startNames(addresses), front, catalogue, registration });
    const base = `http://127.0.0.1:${front}`;
    await expect.poll(() => statusOf(`${base}/readyz`, 'novels.example.org'), { timeout: 10_000 }).toBe(200);
    expect(await statusOf(`${base}/example.com`, 'domains.example.org')).toBe(200);

    // The first host of nginx.conf is the default one.
    const load = keepAsking(base, '/v1/novels?lim=1&of=n', 16);
    for (const [i, address] of addresses.entries()) {
      await replicas[i]?.end('SIGTERM');
      replicas[i] = await startReplica(address);
      const isUp = () => statusOf(`http://${address}:${catalogue}/readyz`, 'novels.example.org');
      await expect.poll(isUp, { timeout: 20_000 }).toBe(200);
      await wait(500);
    }
    await load.stop();
    expect(load.failures).toEqual([]);
    expect(load.answered()).toBeGreaterThan(1_000);
  });
});
