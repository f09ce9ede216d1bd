import { request } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { raw } from '../http/things-service.ts';
import { examplesOf, testExamples } from '../run-examples.ts';
import { upstreamUnderTest } from '../../packages/narou/test/upstream-under-test.ts';
import * as door from './index.ts';
import { startNarouServer } from './server.ts';

const upstream = upstreamUnderTest();

const send = async (path: string, init: RequestInit = {}): Promise<Response> =>
  fetch(upstream.server.url + path, { headers: { 'user-agent': 'test' }, redirect: 'manual', ...init });

const statusWithoutAgent = (path: string): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    const sent = request(upstream.server.url + path, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    sent.on('error', reject).end();
  });

test('a request without User-Agent gets 403, as from the real upstream', async () => {
  expect(await statusWithoutAgent('/novelapi/api/?lim=1')).toBe(403);
});

test('only GET and HEAD are accepted', async () => {
  expect((await send('/novelapi/api/', { method: 'POST', body: 'out=json' })).status).toBe(405);
  const head = await send('/novelapi/api/?out=json&lim=1', { method: 'HEAD' });
  expect([head.status, await head.text()]).toEqual([200, '']);
});

test('a path without its slash is redirected, query included; others are 404', async () => {
  const moved = await send('/rank/rankget?rtype=20261117-w');
  expect([moved.status, moved.headers.get('location')]).toEqual([301, '/rank/rankget/?rtype=20261117-w']);
  expect((await send('/userapi/api')).headers.get('location')).toBe('/userapi/api/');
  for (const path of ['/', '/novelapi/', '/novelapi/api/x', '/__proto__', '/toString']) {
    expect((await send(path)).status).toBe(404);
  }
});

test.each([1, 2, 3, 4, 5])(
  'gzip=%i gives a gzip file as the body, without a content coding',
  async (level) => {
    const query = '/novelapi/api/?out=json&lim=50&order=hyoka';
    const packed = await send(`${query}&gzip=${level}`);
    expect(packed.headers.get('content-encoding')).toBeNull();
    const bytes = Buffer.from(await packed.arrayBuffer());
    expect(gunzipSync(bytes).toString()).toBe(await (await send(query)).text());
  },
);

test.each(['0', '6', '-1', 'x', '5.0'])('gzip=%s is ignored', async (level) => {
  expect(await (await send(`/rank/rankin/?out=json&gzip=${level}`)).text()).toBe('Error: Novel not found.');
  expect(await (await send(`/novelapi/api/?out=json&ncode=N0000A&gzip=${level}`)).text()).toBe(
    '[{"allcount":0}]',
  );
});

test('malformed queries get a response and never a failure', async () => {
  for (const query of [
    '%',
    '%ff=%zz',
    '&&&',
    '=',
    'lim[]=3',
    `word=${'竜'.repeat(2000)}`,
    'st=99999999999',
    'word=%00',
  ]) {
    expect((await send(`/novelapi/api/?out=json&lim=1&${query}`)).status).toBe(200);
  }
});

test('requests are recorded in order, with path, query and agent, and counted', async () => {
  const before = upstream.server.requestCount();
  await (await send('/userapi/api/?out=json&userid=1')).text();
  expect(upstream.server.requestCount()).toBe(before + 1);
  expect(upstream.server.requests().at(-1)).toEqual({
    method: 'GET',
    path: '/userapi/api/',
    query: 'out=json&userid=1',
    userAgent: 'test',
  });
});

test('a question mark belongs to the query', async () => {
  await (await send('/novelapi/api/?lim=1&word=a?b')).text();
  expect(upstream.server.requests().at(-1)?.query).toBe('lim=1&word=a?b');
});

test('the last 1000 requests are recorded', async () => {
  const head = 'HTTP/1.1\r\nHost: a\r\nUser-Agent: test\r\n';
  const sent = Array.from(
    { length: 1_001 },
    (_, at) => `GET /${at} ${head}${at === 1_000 ? 'Connection: close\r\n' : ''}\r\n`,
  );
  await raw(upstream.server.url, sent.join(''), false);
  const paths = upstream.server.requests().map(({ path }) => path);
  expect(paths).toEqual(Array.from({ length: 1_000 }, (_, at) => `/${at + 1}`));
});

test('the Date header is the time of the given clock', async () => {
  const { headers } = await send('/userapi/api/?lim=1');
  expect(headers.get('date')).toBe(new Date(upstream.clock.now()).toUTCString());
});

test('a switch that changes during a request applies to the next one', async () => {
  const { catalogue, clock } = upstream;
  const own = await startNarouServer({
    catalogue,
    clock,
    logger: () => {
      own.switches.reset = 'beforeHeaders';
    },
  });
  const sendTo = () => fetch(`${own.url}/userapi/api/?lim=1`, { headers: { 'user-agent': 'test' } });
  expect((await sendTo()).status).toBe(200);
  await expect(sendTo()).rejects.toThrow();
  await own.close();
});

test('after close nothing responds, and a hanging connection does not delay it', async () => {
  const { catalogue, clock } = upstream;
  const seen: number[] = [];
  const own = await startNarouServer({
    catalogue,
    clock,
    switches: { hang: 'midBody' },
    logger: (_, status) => seen.push(status),
  });
  const hanging = await fetch(`${own.url}/novelapi/api/`, { headers: { 'user-agent': 'test' } });
  await own.close();
  await expect(hanging.text()).rejects.toThrow();
  await expect(fetch(own.url)).rejects.toThrow();
  expect(seen).toEqual([200]);
});

const FILES = ['./server.ts', './switches.ts', '../../packages/narou/src/sample/embedded-catalogue.ts'];
const examples = FILES.flatMap((file) => examplesOf(new URL(file, import.meta.url)));

testExamples(door, examples, () => ({}));
