import { Duplex } from 'node:stream';
import { brotliCompressSync, brotliDecompressSync, constants, gunzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { big, endThings, startThings } from '../../test/http/things-service.ts';
import { createDataEntry } from '../cache/cache-entry.ts';
import type { CacheEntry } from '../cache/cache-entry.ts';
import { encodePrefix } from './encoding.ts';
import type { Encoding } from './encoding.ts';
import type { Envelope } from './endpoint.ts';
import { SharedBodies } from './shared-bodies.ts';
import type { Body } from './shared-bodies.ts';

afterEach(endThings);

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

function countedBodies() {
  const count = { begun: 0 };
  const envelope: Envelope = {
    opening: ({ data }) => {
      count.begun++;
      return [Buffer.from('{"data":'), data];
    },
    ending: (_answer, { cached, ignored }) => `,"cached":${String(cached)},"ignored":"${ignored.join()}"}`,
  };
  return { bodies: new SharedBodies(envelope), count };
}

describe('an encoded beginning', () => {
  it('is brotli of quality 4, not of the slow default', async () => {
    const plain = Buffer.from(JSON.stringify(big));
    const { parts } = await encodePrefix([plain], 'br');
    const params = {
      [constants.BROTLI_PARAM_QUALITY]: 4,
      [constants.BROTLI_PARAM_SIZE_HINT]: plain.length,
    };
    const finishFlush = constants.BROTLI_OPERATION_FLUSH;
    expect(parts).toEqual([brotliCompressSync(plain, { params, finishFlush })]);
  });

  // A stored block of deflate holds 65,535 bytes, an uncompressed one of brotli 65,536.
  it.each([0, 1, 65_535, 65_536, 65_537, 200_000])(
    'ends with any text, also one of %i bytes',
    async (length) => {
      const beginning = Buffer.from('図書館'.repeat(1_000));
      const rest = Buffer.from('あ'.repeat(length)).subarray(0, length);
      for (const encoding of ENCODINGS) {
        const { parts, endWith: close } = await encodePrefix([beginning], encoding);
        const whole = decoders[encoding](Buffer.concat([...parts, close(rest)]));
        expect(whole.equals(Buffer.concat([beginning, rest])), encoding).toBe(true);
      }
    },
  );
});

describe('the body of a response', () => {
  const requestMeta = { cached: false, stale: false, tookMs: 3, echo: undefined };

  it.each(ENCODINGS)('is made once in %s for simultaneous and later requests', async (encoding) => {
    const { bodies, count } = countedBodies();
    const answer = answerOf('x'.repeat(5_000));
    const [one, two] = await Promise.all([bodies.get(answer, encoding), bodies.get(answer, encoding)]);
    expect(await bodies.get(answer, encoding)).toBe(one);
    expect(two).toBe(one);
    expect(count.begun).toBe(1);
  });

  it('of an absence is its data alone, for every request', async () => {
    const { bodies, count } = countedBodies();
    const absence = { ...answerOf({ error: 'not_found' }), status: 404 } as const;
    expect(textOf((await bodies.get(absence, 'gzip')).hit())).toBe('{"error":"not_found"}');
    expect(bodies.endOf(absence, { ...requestMeta, ignored: ['a'] })).toBe('');
    expect(count.begun).toBe(0);
  });

  it.each(ENCODINGS)('in %s shares all but its end with others of the same data', async (encoding) => {
    const { bodies } = countedBodies();
    const answer = answerOf('x'.repeat(5_000));
    const body = await bodies.get(answer, encoding);
    const of = (ignored: string[]) => body.endingWith(bodies.endOf(answer, { ...requestMeta, ignored }));
    const [hit, one, two] = [body.hit(), of([]), of(['a', 'b'])];
    const data = 'x'.repeat(5_000);
    expect(textOf(hit)).toBe(`{"data":"${data}","cached":true,"ignored":""}`);
    expect(textOf(one)).toBe(`{"data":"${data}","cached":false,"ignored":""}`);
    expect(textOf(two)).toBe(`{"data":"${data}","cached":false,"ignored":"a,b"}`);
    for (const { parts, length } of [hit, one, two]) {
      expect(length).toBe(Buffer.concat(parts).length);
      expect(parts.slice(0, -1)).toEqual(hit.parts.slice(0, -1));
      parts.slice(0, -1).forEach((part, index) => expect(part).toBe(hit.parts[index]));
      expect(parts.at(-1)?.length).toBeLessThan(100);
    }
  });

  it('in another format is written once, until it is evicted', async () => {
    const { bodies } = countedBodies();
    let written = 0;
    const send = (key: string, length = 10) =>
      bodies.getKeyed(key, 'identity', () => {
        written++;
        return key.repeat(length);
      });
    const [one, two] = await Promise.all([send('a'), send('a')]);
    expect(two).toBe(one);
    expect(await send('a')).toBe(one);
    expect([written, textOf(one.hit())]).toEqual([1, 'a'.repeat(10)]);
    for (const key of ['b', 'c', 'd', 'e']) await send(key, 5_000_000);
    await send('a');
    expect(written).toBe(6);
  });

  it('that could not be written is retried for the next request', async () => {
    const { bodies } = countedBodies();
    await expect(bodies.getKeyed('a', 'gzip', () => JSON.parse('{') as string)).rejects.toThrow(SyntaxError);
    expect(textOf((await bodies.getKeyed('a', 'gzip', () => 'right')).hit())).toBe('right');
  });

  it('in JSON that could not be composed is retried for the next request', async () => {
    let isBroken = true;
    const bodies = new SharedBodies({
      opening: ({ data }) => {
        if (isBroken) throw new Error('no memory');
        return [data];
      },
      ending: () => '',
    });
    const answer = answerOf('right');
    await expect(bodies.get(answer, 'gzip')).rejects.toThrow('no memory');
    isBroken = false;
    expect(textOf((await bodies.get(answer, 'gzip')).hit())).toBe('"right"');
  });
});

describe('requests that wait for one load', () => {
  it('get the same bytes, whatever time each has waited', async () => {
    const releases: (() => void)[] = [];
    const { get, advance, server } = await startThings(
      () =>
        new Promise((resolve) =>
          releases.push(() => {
            resolve(big);
          }),
        ),
    );
    let requestCount = 0;
    server.on('request', () => requestCount++);
    const first = get('/things/one', { 'accept-encoding': 'gzip' });
    await expect.poll(() => releases.length).toBe(1);
    advance(2);
    const second = get('/things/one', { 'accept-encoding': 'gzip' });
    await expect.poll(() => requestCount).toBe(2);
    advance(1);
    releases[0]?.();
    const [one, two] = await Promise.all([first, second]);
    expect(two.bytes.equals(one.bytes)).toBe(true);
    expect(JSON.parse(gunzipSync(one.bytes).toString())).toMatchObject({ meta: { tookMs: 3_000 } });
    expect(releases).toHaveLength(1);
  });

  it('that differ in ignored parameters get the same buffers except for the ends', async () => {
    const { server } = await startThings(() => Promise.resolve({ data: 'x'.repeat(150_000) }));
    const bodies: Buffer[] = [];
    for (const path of ['/things/one', '/things/one?x=1', '/things/one', '/things/one?y=2']) {
      const chunks: Buffer[] = [];
      const stream = new Duplex({
        read: () => undefined,
        write: (chunk: Buffer, _encoding, done) => {
          chunks.push(chunk);
          done();
        },
      });
      const connection = Object.assign(stream, { setTimeout: () => stream });
      server.emit('connection', connection);
      connection.push(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
      const largest = () => chunks.find(({ length }) => length > 100_000);
      await expect.poll(largest).toBeDefined();
      bodies.push(largest() as Buffer);
      connection.destroy();
    }
    expect(new Set(bodies.map(({ buffer }) => buffer)).size).toBe(1);
  });
});
