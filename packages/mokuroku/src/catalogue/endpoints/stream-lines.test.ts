import { once } from 'node:events';
import fs from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { stallClient } from '../../../test/http/stalled-client.ts';
import { localServices } from '../../../test/catalogue/local-services.ts';
import { TEST_NOW } from '../../../test/catalogue/start-test-catalogue.ts';
import { createCatalogueClient } from 'mokuroku-client/source';
import { buildIndex } from '../../../../local-catalogue/src/engine/build-index.ts';
import { createLimiter } from '../../../../kit/src/limits/rate-limiter.ts';
import type { Sleep } from '../../../../kit/src/process/clock.ts';
import { LINES_A_REQUEST, createLineThrottle } from './stream-lines.ts';
import type { EndpointServices } from './endpoint.ts';
import { Admission } from '../../../../kit/src/limits/admission.ts';

const services = localServices();

type Line = Record<string, unknown> & { meta?: { count: number; complete: boolean; asOf?: string } };
const linesOf = (text: string): Line[] =>
  text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Line]));

const QUERIES = [
  ['/v1/novels?of=t-n-gl&order=hyoka', ''],
  ['/v1/novels?word=%E3%81%AE&notbl=1&order=old', ''],
  ['/v1/novels?genre=201&st=40&lim=33', ''],
  ['/v1/r18/novels?of=n-ng', ''],
  ['/v1/novels?word=%E3%82%90%E3%82%91%E3%83%B1', 'nothing'],
] as const;

describe('a search as lines', () => {
  it.each(QUERIES)('%s equals the pages of the same search %s', async (query) => {
    const service = await services.start(services.filled);
    const { headers, text } = await service.get(`${query}&format=ndjson`);
    const wanted: unknown[] = [];
    const [, st = '1'] = /st=(\d+)/.exec(query) ?? [];
    const most = /lim=/.test(query) ? 33 : Infinity;
    for (let from = Number(st); wanted.length < most; from += 500) {
      const page = `${query.replace(/&(st|lim)=\d+/g, '')}&st=${from}&lim=${Math.min(500, most)}`;
      const { data } = (await service.get(page, { isChecked: false })).body as { data: unknown[] };
      wanted.push(...data);
      if (data.length < 500) break;
    }
    const lines = linesOf(text);
    const last = lines.pop();
    expect(lines).toEqual(wanted);
    const source = query.includes('r18') ? 'novel18api' : 'novelapi';
    expect(last?.meta).toMatchObject({ source, count: wanted.length, complete: true });
    expect(headers['content-type']).toBe('application/x-ndjson; charset=utf-8');
    expect(headers['content-disposition']).toMatch(/novels-.*\.ndjson"/);
    const counted = await service.get(`${query.replace(/&lim=\d+/, '')}&lim=1`, { isChecked: false });
    expect(headers['x-total-count']).toBe(counted.headers['x-total-count']);
    expect(last?.meta?.asOf).toBe((counted.body as { meta: { asOf: string } }).meta.asOf);
    const behind = /lim=/.test(query) ? 'st=73' : undefined;
    expect(/[?&](st=\d+).*>; rel="next"$/.exec(String(headers['link']))?.[1]).toBe(behind);
    const head = await service.get(`${query}&format=ndjson`, { method: 'HEAD' });
    expect([head.text, head.headers['x-total-count']]).toEqual(['', headers['x-total-count']]);
  });

  it('ends with the time of the oldest novel, wherever it stands', async () => {
    const dir = path.join(services.root, 'dated-lines');
    const oldest = TEST_NOW / 1000 - 7_200;
    await buildIndex(
      path.join(dir, 'novels'),
      services.datedNovels((index) => oldest + Math.abs(index - 700)).slice(0, 1_500),
    );
    const { get } = await services.start(dir);
    for (const order of ['ncodeasc', 'ncodedesc']) {
      const { text } = await get(`/v1/novels?of=n&order=${order}&format=ndjson`);
      expect(linesOf(text).at(-1)?.meta).toMatchObject({ asOf: new Date(oldest * 1_000).toISOString() });
    }
  });

  it('counts five hundred novels as one request, and lists ignored parameters', async () => {
    const service = await services.start(services.filled, { rateLimit: 1_000 });
    const left = async (query: string) => {
      const { headers } = await service.get(query);
      return Number(/;r=(\d+)/.exec(String(headers['ratelimit']))?.[1]);
    };
    const before = await left('/v1/novels?lim=1');
    const { text, headers } = await service.get('/v1/novels?of=n&facets=genre&feed=episodes&format=ndjson');
    const novels = linesOf(text).length - 1;
    expect(headers['x-ignored']).toBe('feed, facets');
    expect(before - (await left('/v1/novels?lim=1'))).toBe(1 + Math.ceil(novels / 500));
  });

  it('waits for a reader that stalls, and its connection is closed after the write timeout', async () => {
    const { server, get } = await services.start(services.filled, { connectionTimeoutMs: 500 });
    const path = '/v1/novels?format=ndjson';
    const { length } = (await get(path)).text;
    const times = Math.ceil(30_000_000 / length);
    const { mostBytesWaiting, bytesMade } = await stallClient(server, path, times);
    expect(mostBytesWaiting).toBeGreaterThan(0);
    expect(mostBytesWaiting).toBeLessThan(1_500_000);
    expect(bytesMade).toBeLessThan(15_000_000);
  });

  it('reserves memory for its batches and the row number of each match until they are sent', async () => {
    const admission = new Admission({ maxBytes: 64_000_000, maxClientBytes: 64_000_000 });
    let reserved = 0;
    const onBatch = () => {
      reserved = Math.max(reserved, admission.bytes.used);
    };
    const service = await services.start(services.filled, { admission, onBatch });
    const reservedFor = async (genre: number) => {
      reserved = 0;
      const { headers } = await service.get(`/v1/novels?genre=${genre}&format=ndjson`);
      return { reserved, total: Number(headers['x-total-count']) };
    };
    const [many, few] = [await reservedFor(201), await reservedFor(306)];
    expect(many.total).toBeGreaterThan(few.total);
    expect(many.reserved - few.reserved).toBe(4 * (many.total - few.total));
    expect(few.reserved).toBeGreaterThan(100_000 + 65_536);
    await expect.poll(() => admission.bytes.used).toBe(0);
  });

  it('starts each page in turn: 40 streams delay a client of another network by few of them', async () => {
    let pages = 0;
    const service = await services.start(services.filled, { onBatch: () => (pages += 1) });
    const responseFrom = async (localAddress: string, path: string) => {
      const [response] = (await once(
        http.get(service.base + path, { localAddress, agent: false }),
        'response',
      )) as [http.IncomingMessage];
      expect(response.statusCode).toBe(200);
      return response.resume();
    };
    const streams = await Promise.all(
      Array.from({ length: 40 }, () => responseFrom('127.0.1.1', '/v1/novels?of=n&format=ndjson')),
    );
    const before = pages;
    await once(await responseFrom('127.0.2.1', '/v1/novels?lim=1&word=%E7%8C%AB'), 'end');
    expect(pages - before).toBeLessThan(40);
    for (const stream of streams) {
      expect(stream.complete).toBe(false);
      stream.destroy();
    }
  });

  it('begins no two pages in one turn of the event loop, of one stream or of several', async () => {
    let [turn, isRunning] = [0, true];
    const countTurn = () => {
      turn += 1;
      if (isRunning) setImmediate(countTurn);
    };
    const pagesOfTurns = new Map<number, number>();
    const onBatch = () => pagesOfTurns.set(turn, (pagesOfTurns.get(turn) ?? 0) + 1);
    const service = await services.start(services.filled, { onBatch });
    setImmediate(countTurn);
    const streams = Array.from({ length: 5 }, () => service.get('/v1/novels?of=n&format=ndjson'));
    for (const { status } of await Promise.all(streams)) expect(status).toBe(200);
    isRunning = false;
    expect(pagesOfTurns.size).toBeGreaterThan(20);
    // A turn is counted before its page or after it.
    expect(Math.max(...pagesOfTurns.values())).toBeLessThanOrEqual(2);
  });

  it('begins no two searches in one turn of the event loop', async () => {
    let [turn, isRunning] = [0, true];
    const countTurn = () => {
      turn += 1;
      if (isRunning) setImmediate(countTurn);
    };
    const searchesOfTurns = new Map<number, number>();
    const onSearch = () => searchesOfTurns.set(turn, (searchesOfTurns.get(turn) ?? 0) + 1);
    const { base } = await services.start(services.filled, { onSearch });
    const sockets = await Promise.all(
      Array.from({ length: 20 }, async () => {
        const socket = net.connect(Number(new URL(base).port), '127.0.0.1');
        await once(socket, 'connect');
        return socket.resume();
      }),
    );
    // Connections are accepted in their order.
    await (await fetch(`${base}/livez`)).text();
    setImmediate(countTurn);
    for (const socket of sockets)
      socket.end('HEAD /v1/novels?of=n&format=ndjson HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
    await Promise.all(sockets.map((socket) => once(socket, 'close')));
    isRunning = false;
    expect([...searchesOfTurns.values()].reduce((sum, searches) => sum + searches)).toBe(20);
    // A turn is counted before its search or after it.
    expect(Math.max(...searchesOfTurns.values())).toBeLessThanOrEqual(2);
  });

  it('needs a local catalogue', async () => {
    const { status, body } = await services.upstream.get('/v1/novels?format=ndjson');
    expect([status, body.error.code]).toEqual([501, 'not_available_here']);
    const accept = 'application/x-ndjson, application/json;q=0.5';
    const { headers } = await services.upstream.get('/v1/novels?lim=1', { headers: { accept } });
    expect(headers['content-type']).toMatch('application/json');
  });

  it('ends after the last readable novel with an error line', async () => {
    const dir = services.copyOf('damaged-lines');
    const service = await services.start(dir);
    const whole = linesOf((await service.get('/v1/novels?of=n&order=ncodeasc&format=ndjson')).text);
    const records = path.join(dir, 'novels', 'segment-000001-1', 'records');
    const middle = fs.statSync(records).size >> 1;
    fs.writeFileSync(records, Buffer.concat([fs.readFileSync(records).subarray(0, middle), Buffer.alloc(9)]));
    const { status, text } = await service.get('/v1/novels?of=n&order=ncodeasc&format=ndjson');
    const lines = linesOf(text);
    const last = lines.pop();
    expect(status).toBe(200);
    expect(lines).toEqual(whole.slice(0, lines.length));
    expect(lines.length).toBeLessThan(whole.length - 1);
    expect(last).toMatchObject({
      meta: {
        source: 'novelapi',
        count: lines.length,
        complete: false,
        error: { code: 'catalogue_unreadable' },
      },
    });
  });

  it('ends after an unexpected failure with an error line, and the log has its cause once', async () => {
    const onBatch = () => {
      throw new TypeError('a fault of ours');
    };
    const service = await services.start(services.filled, { onBatch });
    const { headers, text } = await service.get('/v1/novels?of=n&format=ndjson');
    expect(linesOf(text)).toMatchObject([{ meta: { complete: false, error: { code: 'internal' } } }]);
    expect(text).not.toContain('a fault of ours');
    const logged = service.lines.filter((line) => line.includes('a fault of ours'));
    expect(logged.map((line) => JSON.parse(line) as object)).toMatchObject([
      { level: 50, id: headers['x-request-id'], code: 'internal' },
    ]);
  });

  it('ends after an hour with an error line', async () => {
    let advance: (seconds: number) => void = () => undefined;
    const service = await services.start(services.filled, {
      onBatch: () => {
        advance(1_000);
      },
    });
    const read = async () => linesOf((await service.get('/v1/novels?of=n&format=ndjson')).text);
    const whole = await read();
    expect(whole.at(-1)?.meta).toMatchObject({ complete: true });
    ({ advance } = service);
    const lines = await read();
    const last = lines.pop();
    // A page has fifty novels; the fourth begins past the hour.
    expect(lines).toEqual(whole.slice(0, 150));
    expect(last).toMatchObject({
      meta: { count: 150, complete: false, error: { code: 'upstream_timeout' } },
    });
  });

  it('is an iterable in the client, which fails if the final line is missing or an error', async () => {
    const dir = services.copyOf('damaged-stream');
    const service = await services.start(dir);
    const client = createCatalogueClient({ baseUrl: service.base });
    const ncodes: string[] = [];
    for await (const { ncode } of client.novelStream({ of: ['n'], order: 'ncodeasc', lim: 250 }))
      ncodes.push(ncode);
    expect(ncodes).toHaveLength(250);
    const records = path.join(dir, 'novels', 'segment-000001-1', 'records');
    fs.writeFileSync(records, Buffer.alloc(fs.statSync(records).size - 1_000_000), { flag: 'r+' });
    const all = async () => {
      for await (const { ncode } of client.novelStream({ of: ['n'] })) ncodes.push(ncode);
    };
    await expect(all()).rejects.toMatchObject({ code: 'catalogue_unreadable' });
    const cut: typeof fetch = async (url) => {
      const { headers, body } = await fetch(url);
      const reader = body?.getReader();
      const read = await reader?.read();
      await reader?.cancel();
      return new Response(read?.value as Uint8Array<ArrayBuffer>, { headers });
    };
    const { base } = await services.start(services.filled);
    const other = createCatalogueClient({ baseUrl: base, fetch: cut });
    const broken = async () => {
      for await (const { ncode } of other.novelStream({ of: ['n'] })) ncodes.push(ncode);
    };
    await expect(broken()).rejects.toMatchObject({ code: 'unreachable' });
  });
});

describe('the limit of a stream', () => {
  /** A stream of a client with so many requests a minute. */
  function limited(requestsPerMinute: number, sleep?: Sleep) {
    const time = { ms: 0 };
    const clock = { now: () => time.ms, monotonic: () => time.ms };
    const limiter = createLimiter({ requestsPerMinute, clock, store: undefined })!;
    const disconnect = new AbortController();
    const services = { clock, limiter, client: 'one' } as EndpointServices;
    return { time, limiter, disconnect, count: createLineThrottle(services, disconnect.signal, sleep) };
  }

  it('ends the waiting with the connection, and charges nothing for it', async () => {
    const { time, limiter, disconnect, count } = limited(1);
    await count(LINES_A_REQUEST);
    await limiter.admit('one');
    const waiting = count(1);
    disconnect.abort();
    await expect(waiting).rejects.toThrow('aborted');
    time.ms += 60_001;
    expect((await limiter.admit('one')).isAllowed).toBe(true);
  });

  it('is waited for exactly as long as it demands', async () => {
    const waits: number[] = [];
    const { time, count } = limited(1, (waitMs) => {
      waits.push(waitMs);
      time.ms += waitMs + 1;
      return Promise.resolve();
    });
    for (let batch = 0; batch < 3; batch++) await count(LINES_A_REQUEST);
    expect(waits).toEqual([60_000]);
  });

  it('counts lines beyond those of a request for the next one, whatever the size of a batch', async () => {
    const { limiter, count } = limited(100);
    for (let batch = 0; batch < 20; batch++) await count(300);
    // 5,700 lines before the last batch are twelve requests, of which the request itself is one.
    expect((await limiter.admit('one')).remaining).toBe(100 - 11 - 1);
  });
});
