import { connect } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { upstreamUnderTest } from '../../test/upstream-under-test.ts';
import { faultRows } from './faults.ts';
import type { NarouServerSwitches } from './switches.ts';

const upstream = upstreamUnderTest();
const PATH = '/novelapi/api/?out=json&lim=3&of=t-n-gp&order=old';

const send = (query = ''): Promise<Response> =>
  fetch(`${upstream.server.url}${PATH}${query}`, { headers: { 'user-agent': 'test' } });
const bytes = async (query = ''): Promise<Buffer> => Buffer.from(await (await send(query)).arrayBuffer());
const set = (changes: Partial<NarouServerSwitches>): void =>
  void Object.assign(upstream.server.switches, changes);

/** All data of a connection until it ends, is cut, or `enough` returns true. */
const listen = (
  enough: (text: string) => boolean,
): Promise<{ text: string; end: 'end' | 'cut' | 'enough' }> =>
  new Promise((resolve) => {
    let text = '';
    const socket = connect(upstream.server.port, '127.0.0.1', () => {
      socket.write(`GET ${PATH} HTTP/1.1\r\nHost: a\r\nUser-Agent: test\r\nConnection: close\r\n\r\n`);
    });
    const done = (end: 'end' | 'cut' | 'enough'): void => {
      socket.destroy();
      resolve({ text, end });
    };
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
      if (enough(text)) done('enough');
    });
    socket.on('end', () => {
      done('end');
    });
    socket.on('error', () => {
      done('cut');
    });
  });

test('reset beforeHeaders closes the connection before the first byte, midBody within the body', async () => {
  set({ reset: 'beforeHeaders' });
  expect(await listen(() => false)).toEqual({ text: '', end: 'cut' });
  set({ reset: 'midBody' });
  await expect(bytes()).rejects.toThrow();
});

test('hang midBody sends the head and half of the body, and nothing more', async () => {
  const whole = (await bytes()).length;
  set({ hang: 'midBody' });
  const half = Math.floor(whole / 2);
  const seen = await listen((text) => (text.split('\r\n\r\n')[1] ?? '').length >= half);
  expect(seen.text).toContain(`content-length: ${whole}`);
  expect(seen.text.split('\r\n\r\n')[1]).toHaveLength(half);
});

test('hang beforeHeaders sends nothing while other requests are served', async () => {
  set({ hang: 'beforeHeaders' });
  const aborter = new AbortController();
  const hanging = fetch(`${upstream.server.url}${PATH}`, {
    headers: { 'user-agent': 'test' },
    signal: aborter.signal,
  });
  const count = upstream.server.requestCount();
  while (upstream.server.requestCount() === count) await new Promise((resolve) => setImmediate(resolve));
  set({ hang: 'off' });
  expect((await send()).status).toBe(200);
  aborter.abort();
  await expect(hanging).rejects.toThrow();
});

test('dripMs sends the complete body byte by byte', async () => {
  const whole = await bytes();
  set({ dripMs: 1 });
  const pieces: number[] = [];
  const response = await send();
  const body: Uint8Array[] = [];
  for await (const piece of response.body as AsyncIterable<Uint8Array>) {
    pieces.push(piece.length);
    body.push(piece);
  }
  expect(Buffer.concat(body)).toEqual(whole);
  expect(pieces.length).toBeGreaterThan(20);
});

test('latencyMs delays the response while other requests are served', async () => {
  set({ latencyMs: 600_000 });
  const aborter = new AbortController();
  const count = upstream.server.requestCount();
  const waiting = fetch(`${upstream.server.url}${PATH}`, {
    headers: { 'user-agent': 'test' },
    signal: aborter.signal,
  });
  while (upstream.server.requestCount() === count) await new Promise((resolve) => setImmediate(resolve));
  set({ latencyMs: 1 });
  expect((await send()).status).toBe(200);
  aborter.abort();
  await expect(waiting).rejects.toThrow();
});

test('body faults: truncated gzip, garbage, empty, other text, an object, trailing data', async () => {
  const whole = await bytes();
  set({ body: 'truncated' });
  const half = await bytes('&gzip=5');
  expect(half.subarray(0, 2)).toEqual(Buffer.of(0x1f, 0x8b));
  expect(() => gunzipSync(half)).toThrow();
  set({ body: 'garbage' });
  const garbage = await bytes();
  expect(() => new TextDecoder('utf-8', { fatal: true }).decode(garbage)).toThrow();
  expect(await bytes()).toEqual(garbage);
  set({ body: 'empty' });
  expect(await bytes()).toHaveLength(0);
  set({ body: 'notJson' });
  expect((await bytes()).toString()).toMatch(/^<br \/>/);
  set({ body: 'object' });
  expect((await bytes()).toString()).toBe('{}');
  set({ body: 'trailing' });
  expect((await bytes()).subarray(0, whole.length)).toEqual(whole);
  expect((await bytes()).length).toBeGreaterThan(whole.length);
});

test('record faults: another field, wrong types, no ncode', async () => {
  const second = async () => (JSON.parse((await bytes()).toString()) as Record<string, unknown>[])[1] ?? {};
  set({ record: 'extraField' });
  expect(await second()).toHaveProperty('pc_or_k', 2);
  set({ record: 'numbersAsStrings' });
  expect((await second())['global_point']).toMatch(/^\d+$/);
  set({ record: 'noNcode' });
  expect(Object.keys(await second())).toEqual(['title', 'global_point']);
  set({ record: 'nullStrings' });
  expect(await second()).toMatchObject({ title: null, ncode: null });
  set({ record: 'floats' });
  expect(Number((await second())['global_point']) % 1).toBe(0.5);
});

test('faults of fields and values change the records that they name, and no others', () => {
  const record = (ncode: string) => ({ ncode, title: '題', story: '話', global_point: 5, length: 9 });
  const [seventh, eighth] = [record('N1007AA'), record('N1008AA')];
  const after = (changes: Partial<NarouServerSwitches>) =>
    faultRows([{ allcount: 2 }, seventh, eighth], { ...upstream.server.switches, ...changes }).slice(1);
  expect(after({})).toEqual([seventh, eighth]);
  expect(after({ overlongText: 3 })).toEqual([{ ...seventh, story: 'aaa' }, eighth]);
  expect(after({ zeroFigures: true })).toEqual([
    { ...seventh, global_point: 0 },
    { ...eighth, global_point: 0 },
  ]);
  expect(after({ emptyTitles: true })).toEqual([
    { ...seventh, title: '' },
    { ...eighth, title: '' },
  ]);
  const { length, ...rest } = eighth;
  expect(after({ missingField: 'length', fieldFaultEvery: 8 })).toEqual([seventh, rest]);
  expect(after({ renamedField: 'length', fieldFaultEvery: 8 })).toEqual([
    seventh,
    { ...rest, length_2: length },
  ]);
});

test('hugeBodyBytes sends that many blanks, with backpressure', async () => {
  set({ hugeBodyBytes: 3_000_001 });
  const response = await send();
  expect(response.headers.get('content-length')).toBe('3000001');
  expect(await response.text()).toHaveLength(3_000_001);
});

test('status and retryAfterSeconds change the head only', async () => {
  const whole = await bytes();
  set({ status: 503, retryAfterSeconds: 120 });
  const response = await send();
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '120']);
  expect(Buffer.from(await response.arrayBuffer())).toEqual(whole);
});

test('doubledRows repeats the first record of a page at its end, and no other', async () => {
  const codesOf = async () =>
    (JSON.parse((await bytes()).toString()) as { ncode?: string; title?: string }[]).map(
      ({ title }) => title,
    );
  const [count, ...titles] = await codesOf();
  set({ doubledRows: true });
  expect(await codesOf()).toEqual([count, ...titles, titles[0]]);
});

test('bodyFaultEvery is a number of responses: of each so many, the last has the fault of the body', async () => {
  set({ body: 'empty', bodyFaultEvery: upstream.server.requestCount() + 2 });
  const [one, two, three] = [await bytes(), await bytes(), await bytes()];
  expect([one.length > 0, two.length, three.length > 0]).toEqual([true, 0, true]);
});

test('shiftedRows moves pages after the first only', async () => {
  const ncodes = async (query: string) =>
    (JSON.parse((await bytes(query)).toString()) as { ncode?: string }[]).slice(1).map(({ ncode }) => ncode);
  const rows = await ncodes('&lim=8');
  set({ shiftedRows: 2 });
  expect(await ncodes('&lim=3')).toEqual(rows.slice(0, 3));
  expect(await ncodes('&lim=3&st=4')).toEqual(rows.slice(5, 8));
});
