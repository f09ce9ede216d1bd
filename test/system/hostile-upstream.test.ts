import { readdirSync } from 'node:fs';
import type http from 'node:http';
import { gzipSync } from 'node:zlib';
import { Agent, request } from 'undici';
import { beforeAll, describe, expect, it } from 'vitest';
import { startHttp } from '../http/serve-http.ts';
import { residentMib, startServe, until } from './running-service.ts';
import type { RunningCommand } from './running-service.ts';
import { slowness } from './slowness.ts';

const DEADLINE_MS = 1_500;

type Manner = (response: http.ServerResponse) => void;

const good = JSON.stringify([{ allcount: 1 }, { ncode: 'N0001A', title: 'invented' }]);
let manner: Manner;
let upstreamUrl: string;
let service: RunningCommand;

beforeAll(async () => {
  const { url, close } = await startHttp((_request, response) => manner(response));
  upstreamUrl = url;
  return close;
});

async function start() {
  service = await startServe({
    CATALOGUE_SOURCE: 'narou',
    RATE_LIMIT: '0',
    LOG_LEVEL: 'error',
    NAROU_BASE_URL: upstreamUrl,
    UPSTREAM_TIMEOUT_MS: String(DEADLINE_MS),
  });
  return () => service.end('SIGKILL');
}

const socketsOf = (pid: number) => readdirSync(`/proc/${pid}/fd`).length;

let next = 1;

/** Requests an uncached key. */
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

/** A gzip file of this text repeated to 4.4 MB; compressed it has a few kilobytes. */
const bomb = (text: string, before = '', behind = '') =>
  gzipSync(before + text.repeat(Math.floor(4_400_000 / text.length)) + behind);

/** Bodies that would need a hundred times their size once parsed, or block the event loop. */
const BOMBS: [string, Buffer][] = [
  ['nested lists', bomb('[')],
  ['nested objects', bomb('{"a":')],
  ['empty lists', bomb('[],', '[', '[]]')],
  ['empty objects', bomb('{},', '[{"allcount":1},', '{}]')],
  ['numbers', bomb('1,', '[{"allcount":1},', '1]')],
  ['one number', bomb('1', '[', ']')],
  ['many keys', bomb('"a":1,', '[{"allcount":1},{', '"a":1}]')],
  ['texts full of entities', bomb(`"${'&amp;'.repeat(9_000)}",`, '[{"allcount":1},', '1]')],
  ['texts of escaped characters', bomb(`{"title":"${'\\u3042'.repeat(9_000)}"},`, '[{"allcount":1},', '{}]')],
  ['one text full of entities', bomb('&amp;', '[{"allcount":1},{"title":"', '"}]')],
  ['one text full of escapes', bomb('\\"', '[{"allcount":1},{"title":"', '"}]')],
  ['one text of escaped characters', bomb('\\u3042', '[{"allcount":1},{"title":"', '"}]')],
  ['the largest parsable response', bomb(`{"title":"${'a'.repeat(150)}"},`, '[{"allcount":1},', '{}]')],
];

const MANNERS: [string, Manner][] = [
  ['hangs', () => undefined],
  ['sends byte by byte without an end', dripping],
  ['resets', (response) => response.socket?.resetAndDestroy()],
  ['closes the connection midway', (response) => response.write('[', () => response.destroy())],
  ['sends garbage', (response) => response.end(Buffer.alloc(50_000, 0xfe))],
  ['truncates its gzip file', (response) => response.end(gzipSync(good.repeat(9)).subarray(0, 60))],
  ['sends 200 MB', flooding],
  ['unpacks to 1 GB', (response) => response.end(BOMB)],
];

/** Forty requests at once: each fails within the deadline. */
async function expectPromptFailures(): Promise<void> {
  const slow = slowness();
  const agent = new Agent({ connections: 40 });
  const answers = await Promise.all(Array.from({ length: 40 }, () => get(agent)));
  const patienceMs = DEADLINE_MS + 1_500 * Math.max(slow, slowness());
  for (const { status, tookMs, retryAfter } of answers) {
    expect([502, 503, 504]).toContain(status);
    expect(retryAfter).toBeGreaterThan(0);
    // The promise is 100 ms; the rest is for this process, which sends the floods.
    expect(tookMs).toBeLessThan(patienceMs);
  }
  await agent.close();
}

describe('an upstream that', () => {
  beforeAll(start);
  it.each(MANNERS)(
    '%s delays no client beyond the deadline and leaks no sockets or memory',
    async (_what, bad) => {
      const pid = service.child.pid ?? 0;
      // What is left for the garbage collector varies; what leaks is added by each burst anew.
      let added = Infinity;
      for (let bursts = 0; added >= 150 && bursts < 4; bursts++) {
        manner = (response) => response.end(good);
        const quiet = new Agent({ pipelining: 0 });
        await until(async () => (await get(quiet)).status === 200, 200);
        await quiet.close();
        const [sockets, memory] = [socketsOf(pid), residentMib(service)];
        manner = bad;
        await expectPromptFailures();
        await until(() => socketsOf(pid) <= sockets + 4);
        added = residentMib(service) - memory;
      }
      expect(added).toBeLessThan(150);
    },
  );
});

describe('32 simultaneous responses that unpack to', () => {
  beforeAll(start);
  it.each(BOMBS)('%s delay no other client and use no more memory than admitted', async (_what, bytes) => {
    manner = (response) => response.end(good);
    const quiet = new Agent();
    const cachedUrl = `${service.catalogue}/v1/novels/n0001a`;
    await until(async () => (await request(cachedUrl, { dispatcher: quiet })).statusCode === 200, 200);
    manner = (response) => response.end(bytes);
    const slow = slowness();
    const agent = new Agent({ connections: 32 });
    let running = 32;
    const hostile = Array.from({ length: 32 }, () =>
      get(agent).finally(() => {
        running--;
      }),
    );
    let [slowestMs, mostMib] = [0, 0];
    while (running > 0) {
      const from = performance.now();
      const { body } = await request(cachedUrl, { dispatcher: quiet });
      await body.dump();
      slowestMs = Math.max(slowestMs, performance.now() - from);
      mostMib = Math.max(mostMib, residentMib(service));
    }
    for (const { status } of await Promise.all(hostile)) expect([200, 502, 503, 504]).toContain(status);
    await agent.close();
    await quiet.close();
    // Unpacked on the event loop they would take seconds.
    expect(slowestMs).toBeLessThan(1_000 * Math.max(slow, slowness()));
    expect(mostMib).toBeLessThan(300);
  });
});
