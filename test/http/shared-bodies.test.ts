import { createHook } from 'node:async_hooks';
import fc from 'fast-check';
import { brotliCompressSync, brotliDecompressSync, constants, gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { latch, pendingLoads, watchedConnection } from './raw-connection.ts';
import { big, startThings } from './things-service.ts';
import { createDataEntry } from '../../packages/kit/src/cache/cache-entry.ts';
import type { CacheEntry } from '@mokuroku/kit/cache';
import { encodeBody } from '../../packages/kit/src/http/negotiation.ts';
import type { Encoding } from '../../packages/kit/src/http/negotiation.ts';
import type { RequestMeta } from '../../packages/kit/src/http/endpoint.ts';
import { Body, SharedBodies } from '../../packages/kit/src/http/shared-bodies.ts';

const decoders: Record<Encoding, (bytes: Buffer) => Buffer> = {
  identity: (bytes) => bytes,
  gzip: (bytes) => gunzipSync(bytes),
  br: (bytes) => brotliDecompressSync(bytes),
};
const ENCODINGS = ['identity', 'gzip', 'br'] as const;
const textOf = ({ encoding, parts }: Body) => decoders[encoding](Buffer.concat(parts)).toString();

const policy = {
  freshSeconds: 60,
  staleWhileRevalidateSeconds: 0,
  staleIfErrorSeconds: 60,
  absentSeconds: 1,
};
const answerOf = (data: unknown): CacheEntry => createDataEntry({ data, meta: {} }, policy, 0);

const HIT: RequestMeta = { cached: true, stale: false, tookMs: 0, ignored: [], requestedSpelling: undefined };
const LOAD: RequestMeta = { ...HIT, cached: false, tookMs: 3 };

const reserve = () => () => undefined;
const writing = (write: () => Iterable<string>) => ({ reserve, write, nextTurn: () => Promise.resolve() });

function countedBodies() {
  const count = { composed: 0 };
  const bodies = new SharedBodies(({ data }, { cached, tookMs, ignored }) => {
    count.composed++;
    return [data, Buffer.from(`,${String(cached)},${tookMs},"${ignored.join()}"`)];
  });
  return { bodies, count };
}

it.each([100, 100_000])('%i rows are brotli of quality 4, not of the slow default', async (count) => {
  const plain = Buffer.from(
    JSON.stringify(Array.from({ length: count }, (_, at) => ({ at, odd: at * 7919 }))),
  );
  const params = { [constants.BROTLI_PARAM_QUALITY]: 4 };
  expect((await encodeBody(plain, 'br')).equals(brotliCompressSync(plain, { params }))).toBe(true);
});

it('a body is compressed from 1,024 bytes on', async () => {
  const [short, long] = [Buffer.alloc(1_023), Buffer.alloc(1_024)];
  for (const encoding of ['gzip', 'br'] as const) {
    expect(await encodeBody(short, encoding)).toBe(short);
    expect((await encodeBody(long, encoding)).length).toBeLessThan(100);
  }
});

it('at most eight are compressed at once: each has memory of its own until it is read', async () => {
  const running = new Set<number>();
  let most = 0;
  const hook = createHook({
    init: (id, type) => {
      if (type === 'ZLIB') most = Math.max(most, running.add(id).size);
    },
    after: (id) => running.delete(id),
  });
  hook.enable();
  const plain = Buffer.from(JSON.stringify(big));
  await Promise.all(Array.from({ length: 30 }, () => encodeBody(plain, 'gzip')));
  hook.disable();
  expect(most).toBe(8);
});

it('bodies are compressed in turn: those of one client delay that of another by few, large ones by none', async () => {
  const [short, large] = [Buffer.alloc(10_000, 'short'), Buffer.alloc(20_000_000, 'large')];
  const done: string[] = [];
  const compress = async (body: Buffer, client: string) => {
    await encodeBody(body, 'br', client);
    done.push(client);
  };
  const many = Array.from({ length: 100 }, () => compress(short, '192.0.2.1'));
  await Promise.all([...many, compress(short, '198.51.100.1')]);
  expect(done.indexOf('198.51.100.1')).toBeLessThan(20);
  done.length = 0;
  await Promise.all([
    ...Array.from({ length: 7 }, () => compress(large, '192.0.2.1')),
    compress(short, 'other'),
  ]);
  expect(done[0]).toBe('other');
});

describe('the body of a response', () => {
  const data = 'x'.repeat(5_000);

  it.each(ENCODINGS)(
    'is made once in %s for all that waited for a load, and once for hits',
    async (encoding) => {
      const { bodies, count } = countedBodies();
      const entry = answerOf(data);
      for (const meta of [LOAD, HIT]) {
        const [one, two] = await Promise.all([
          bodies.get(entry, encoding, meta),
          bodies.get(entry, encoding, { ...meta }),
        ]);
        expect(two).toBe(one);
        expect(await bodies.get(entry, encoding, meta)).toBe(one);
        expect(one.length).toBe(Buffer.concat(one.parts).length);
        expect(textOf(one)).toBe(`"${data}",${String(meta.cached)},${meta.tookMs},""`);
      }
      expect(count.composed).toBe(2);
    },
  );

  it.each(ENCODINGS)('in %s with ignored parameters is its own, beside that of hits', async (encoding) => {
    const { bodies } = countedBodies();
    const entry = answerOf(data);
    const hit = await bodies.get(entry, encoding, HIT);
    const own = await bodies.get(entry, encoding, { ...HIT, ignored: ['a', 'b'] });
    expect(textOf(own)).toBe(`"${data}",true,0,"a,b"`);
    expect(await bodies.get(entry, encoding, HIT)).toBe(hit);
  });

  it('of an absence is its data alone, for every request', async () => {
    const { bodies, count } = countedBodies();
    const absence = { ...answerOf({ error: 'not_found' }), status: 404 } as const;
    const body = await bodies.get(absence, 'gzip', { ...LOAD, ignored: ['a'] });
    expect(textOf(body)).toBe('{"error":"not_found"}');
    expect(await bodies.get(absence, 'gzip', HIT)).toBe(body);
    expect(count.composed).toBe(0);
  });

  it('in another format is written in turns of the event loop', async () => {
    const { bodies } = countedBodies();
    const events: string[] = [];
    function* write() {
      for (const letter of ['a', 'b', 'c']) {
        events.push(letter);
        yield letter.repeat(200_000);
      }
    }
    const nextTurn = () => Promise.resolve(void events.push('turn'));
    const body = await bodies.getKeyed('long', 'identity', { reserve, write, nextTurn });
    expect(events).toEqual(['a', 'turn', 'b', 'turn', 'c', 'turn']);
    expect(textOf(body)).toBe(['a', 'b', 'c'].map((letter) => letter.repeat(200_000)).join(''));
  });

  it('in another format is written once, until it is evicted', async () => {
    const { bodies } = countedBodies();
    let written = 0;
    const send = (key: string, length = 10) =>
      bodies.getKeyed(
        key,
        'identity',
        writing(() => {
          written++;
          return [key.repeat(length)];
        }),
      );
    const [one, two] = await Promise.all([send('a'), send('a')]);
    expect(two).toBe(one);
    expect(await send('a')).toBe(one);
    expect([written, textOf(one)]).toEqual([1, 'a'.repeat(10)]);
    for (const key of ['b', 'c', 'd', 'e']) await send(key, 5_000_000);
    await send('a');
    expect(written).toBe(6);
  });

  it('in another format is sent to all who wait for it, even if others take its space meanwhile', async () => {
    const { opened, open } = latch();
    const bodies = new SharedBodies(({ data }) => [data]);
    const text = 'written'.repeat(30_000);
    const slow = { reserve, write: () => [text], nextTurn: () => opened };
    const [one, two] = [1, 2].map(() => bodies.getKeyed('slow', 'gzip', slow));
    for (const key of ['b', 'c', 'd', 'e'])
      await bodies.getKeyed(
        key,
        'identity',
        writing(() => [key.repeat(5_000_000)]),
      );
    open();
    expect(textOf((await one) as Body)).toBe(text);
    expect(await two).toBe(await one);
  });

  it('that could not be written or composed is retried for the next request', async () => {
    let isBroken = true;
    const bodies = new SharedBodies(({ data }) => {
      if (isBroken) throw new Error('no memory');
      return [data];
    });
    const answer = answerOf('right');
    await expect(bodies.get(answer, 'gzip', HIT)).rejects.toThrow('no memory');
    isBroken = false;
    expect(textOf(await bodies.get(answer, 'gzip', HIT))).toBe('"right"');
    await expect(
      bodies.getKeyed(
        'a',
        'gzip',
        writing(() => JSON.parse('{') as string[]),
      ),
    ).rejects.toThrow(SyntaxError);
    expect(
      textOf(
        await bodies.getKeyed(
          'a',
          'gzip',
          writing(() => ['right']),
        ),
      ),
    ).toBe('right');
  });
});

it('a body with its head is its opening, its lines and itself, for any number of responses, or has no space', () => {
  const text = (maxLength: number) => fc.string({ unit: 'binary-ascii', maxLength });
  const opening = fc.oneof(
    text(100),
    fc.nat(2_100).map((length) => 'é'.repeat(length)),
  );
  const parts = fc.array(fc.string({ unit: 'grapheme' }), { maxLength: 3 });
  fc.assert(
    fc.property(parts, opening, fc.array(opening, { minLength: 1 }), (written, lines, openings) => {
      const plain = Buffer.from(written.join(''));
      const body = new Body(
        'identity',
        written.map((part) => Buffer.from(part)),
      );
      let calls = 0;
      const linesOnce = () => {
        calls++;
        return lines;
      };
      for (const each of openings) {
        const bytes = body.withHead(each, linesOnce);
        const isTooLong = each.length + lines.length > 2_048;
        const response = Buffer.concat([Buffer.from(each + lines, 'latin1'), plain]);
        expect(bytes?.toString('latin1')).toBe(isTooLong ? undefined : response.toString('latin1'));
        expect(body.whole).toEqual(plain);
      }
      expect(calls).toBe(1);
    }),
  );
});

describe('requests that wait for one load', () => {
  it('get the same bytes, whatever time each has waited', async () => {
    const { load, names, release } = pendingLoads();
    const { get, advance, server } = await startThings(load);
    let requestCount = 0;
    server.on('request', () => requestCount++);
    const first = get('/things/one', { 'accept-encoding': 'gzip' });
    await expect.poll(() => names).toHaveLength(1);
    advance(2);
    const second = get('/things/one', { 'accept-encoding': 'gzip' });
    await expect.poll(() => requestCount).toBe(2);
    advance(1);
    release(big.data);
    const [one, two] = await Promise.all([first, second]);
    expect(two.bytes.equals(one.bytes)).toBe(true);
    expect([one, two].map(({ headers }) => headers['cache-status'])).toEqual([
      'mokuroku-things; fwd=miss; stored',
      'mokuroku-things; fwd=miss; collapsed',
    ]);
    expect(JSON.parse(gunzipSync(one.bytes).toString())).toMatchObject({ meta: { tookMs: 3_000 } });
    expect(names).toHaveLength(1);
  });

  it('that differ in ignored parameters get the same buffers except for the ends', async () => {
    const { server } = await startThings(() => Promise.resolve({ data: 'x'.repeat(150_000) }));
    const bodies: Buffer[] = [];
    for (const path of ['/things/one', '/things/one?x=1', '/things/one', '/things/one?y=2']) {
      const { connection, writes } = watchedConnection(server);
      connection.push(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
      const largest = () => {
        for (const { done } of writes) done();
        return writes.find(({ chunk }) => chunk.length > 100_000)?.chunk;
      };
      await expect.poll(largest).toBeDefined();
      bodies.push(largest() as Buffer);
      connection.destroy();
    }
    expect(new Set(bodies.map(({ buffer }) => buffer)).size).toBe(1);
  });
});
