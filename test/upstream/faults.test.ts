import { connect } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { upstreamUnderTest } from '../../packages/narou/test/upstream-under-test.ts';
import { faultRows } from './faults.ts';
import type { NarouServerSwitches } from './switches.ts';

const upstream = upstreamUnderTest();
const PATH = '/novelapi/api/?out=json&lim=3&of=t-n-gp&order=old';

const send = (query = '', signal: AbortSignal | null = null): Promise<Response> =>
  fetch(`${upstream.server.url}${PATH}${query}`, { headers: { 'user-agent': 'test' }, signal });
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

test.each<Partial<NarouServerSwitches>>([{ hang: 'beforeHeaders' }, { latencyMs: 600_000 }])(
  '%j sends nothing while other requests are served',
  async (changes) => {
    set(changes);
    const aborter = new AbortController();
    const count = upstream.server.requestCount();
    const waiting = send('', aborter.signal);
    while (upstream.server.requestCount() === count) await new Promise((resolve) => setImmediate(resolve));
    set({ hang: 'off', latencyMs: 1 });
    expect((await send()).status).toBe(200);
    aborter.abort();
    await expect(waiting).rejects.toThrow();
  },
);

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

test('body faults: truncated gzip, garbage, empty, other text, an object, trailing data', async () => {
  const whole = await bytes();
  const bodyWith = async (body: NarouServerSwitches['body'], query = '') => {
    set({ body });
    return bytes(query);
  };
  const half = await bodyWith('truncated', '&gzip=5');
  expect(half.subarray(0, 2)).toEqual(Buffer.of(0x1f, 0x8b));
  expect(() => gunzipSync(half)).toThrow();
  const garbage = await bodyWith('garbage');
  expect(() => new TextDecoder('utf-8', { fatal: true }).decode(garbage)).toThrow();
  expect(await bytes()).toEqual(garbage);
  expect(await bodyWith('empty')).toHaveLength(0);
  expect((await bodyWith('notJson')).toString()).toMatch(/^<br \/>/);
  expect((await bodyWith('object')).toString()).toBe('{}');
  const trailing = await bodyWith('trailing');
  expect(trailing.subarray(0, whole.length)).toEqual(whole);
  expect(trailing.length).toBeGreaterThan(whole.length);
});

test('record faults: another field, wrong types, no ncode', async () => {
  const firstWith = async (record: NarouServerSwitches['record']) => {
    set({ record });
    return (JSON.parse((await bytes()).toString()) as Record<string, unknown>[])[1] ?? {};
  };
  expect(await firstWith('extraField')).toHaveProperty('pc_or_k', 2);
  expect((await firstWith('numbersAsStrings'))['global_point']).toMatch(/^\d+$/);
  expect(Object.keys(await firstWith('noNcode'))).toEqual(['title', 'global_point']);
  expect(await firstWith('nullStrings')).toMatchObject({ title: null, ncode: null });
  expect(Number((await firstWith('floats'))['global_point']) % 1).toBe(0.5);
});

test('faults of fields and values change the records that they name, and no others', () => {
  const record = (ncode: string) => ({ ncode, title: '題', story: '話', global_point: 5, length: 9 });
  const [seventh, eighth] = [record('N1007AA'), record('N1008AA')];
  const after = (changes: Partial<NarouServerSwitches>) =>
    faultRows([{ allcount: 2 }, seventh, eighth], { ...upstream.server.switches, ...changes }).slice(1);
  expect(after({})).toEqual([seventh, eighth]);
  expect(after({ overlongText: 3 })).toEqual([{ ...seventh, story: 'aaa' }, eighth]);
  const both = (of: object) => [seventh, eighth].map((each) => ({ ...each, ...of }));
  expect(after({ zeroFigures: true })).toEqual(both({ global_point: 0 }));
  expect(after({ emptyTitles: true })).toEqual(both({ title: '' }));
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

const titlesOf = async (query = '') =>
  (JSON.parse((await bytes(query)).toString()) as { title?: string }[]).slice(1).map(({ title }) => title);

test('doubledRows repeats the first record of a page at its end, and no other', async () => {
  const titles = await titlesOf();
  set({ doubledRows: true });
  expect(await titlesOf()).toEqual([...titles, titles[0]]);
});

test('bodyFaultEvery is a number of responses: of each so many, the last has the fault of the body', async () => {
  set({ body: 'empty', bodyFaultEvery: upstream.server.requestCount() + 2 });
  const [one, two, three] = [await bytes(), await bytes(), await bytes()];
  expect([one.length > 0, two.length, three.length > 0]).toEqual([true, 0, true]);
});

test('shiftedRows moves pages after the first only', async () => {
  const titles = await titlesOf('&lim=8');
  set({ shiftedRows: 2 });
  expect(await titlesOf('&lim=3')).toEqual(titles.slice(0, 3));
  expect(await titlesOf('&lim=3&st=4')).toEqual(titles.slice(5, 8));
});
