import { readdirSync, readFileSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { Agent, request } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from './redis-servers.ts';
import { startServe } from './running-service.ts';
import type { RunningCommand } from './running-service.ts';

const DEADLINE_MS = 1_500;

type Manner = (response: http.ServerResponse) => void;

const good = JSON.stringify([{ allcount: 1 }, { ncode: 'N0001A', title: 'invented' }]);
let manner: Manner;
let upstream: http.Server;
let service: RunningCommand;

beforeAll(async () => {
  upstream = http.createServer((_request, response) => {
    manner(response);
  });
  await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve));
  service = await startServe({
    ...{ CATALOGUE_SOURCE: 'narou', RATE_LIMIT: '0', LOG_LEVEL: 'error' },
    NAROU_BASE_URL: `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`,
    UPSTREAM_TIMEOUT_MS: String(DEADLINE_MS),
  });
});
afterAll(async () => {
  await service.end('SIGKILL');
  upstream.closeAllConnections();
  upstream.close();
});

const socketsOf = (pid: number) => readdirSync(`/proc/${pid}/fd`).length;
const residentMib = (pid: number) =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;

let next = 1;

/** A cold key. */
async function get(agent: Agent): Promise<{ status: number; tookMs: number; retryAfter: number }> {
  const from = performance.now();
  const { statusCode, headers, body } = await request(`${service.catalogue}/v1/novels?st=${next++}`, {
    dispatcher: agent,
  });
  await body.text();
  return {
    status: statusCode,
    tookMs: performance.now() - from,
    retryAfter: Number(headers['retry-after'] ?? 0),
  };
}

function dripping(response: http.ServerResponse): void {
  const timer = setInterval(() => response.write(' '), 20);
  response.on('close', () => {
    clearInterval(timer);
  });
}

function flooding(response: http.ServerResponse): void {
  const piece = Buffer.alloc(1_000_000, 32);
  let left = 200;
  const pour = () => {
    while (left > 0) {
      left--;
      if (!response.write(piece)) return;
    }
    response.end();
  };
  response.on('drain', pour);
  pour();
}

const BOMB = gzipSync(Buffer.alloc(1_000_000_000), { level: 1 });

const MANNERS: [string, Manner][] = [
  ['hangs', () => undefined],
  ['drips for ever', dripping],
  ['resets', (response) => response.socket?.resetAndDestroy()],
  ['breaks off', (response) => response.write('[', () => response.destroy())],
  ['talks garbage', (response) => response.end(Buffer.alloc(50_000, 0xfe))],
  ['cuts its gzip file off', (response) => response.end(gzipSync(good.repeat(9)).subarray(0, 60))],
  ['sends 200 MB', flooding],
  ['unpacks to 1 GB', (response) => response.end(BOMB)],
];

describe('an upstream that', () => {
  it.each(MANNERS)(
    '%s costs nobody more than the deadline, and leaves nothing behind',
    async (_what, bad) => {
      manner = (response) => response.end(good);
      const quiet = new Agent({ pipelining: 0 });
      await until(async () => (await get(quiet)).status === 200, 200);
      await quiet.close();
      const pid = service.child.pid ?? 0;
      const [sockets, memory] = [socketsOf(pid), residentMib(pid)];
      manner = bad;
      const agent = new Agent({ connections: 40 });
      const answers = await Promise.all(Array.from({ length: 40 }, () => get(agent)));
      for (const { status, tookMs, retryAfter } of answers) {
        expect([502, 503, 504]).toContain(status);
        expect(retryAfter).toBeGreaterThan(0);
        // The promise is 100 ms; the rest is for a busy machine and for this very process, which pours the floods.
        expect(tookMs).toBeLessThan(DEADLINE_MS + 500);
      }
      await agent.close();
      await until(() => socketsOf(pid) <= sockets + 4);
      await wait(200);
      expect(residentMib(pid)).toBeLessThan(memory + 150);
    },
  );
});
