import { expect, it } from 'vitest';
import { systemClock } from '../net/clock.ts';
import { createFetchGet } from './fetch-get.ts';
import type { Fetch } from './fetch-get.ts';

const url = new URL('https://rdap.nic.example/domain/a.example');
const { signal: noSignal } = new AbortController();
const getWith = (response: Response) =>
  createFetchGet(() => Promise.resolve(response), 'test', systemClock)(url, 100, noSignal);

it.each([
  [{}, { isDelimited: false, location: undefined, retryAfterSeconds: undefined }],
  [{ 'Content-Length': '2' }, { isDelimited: true }],
  [{ 'Transfer-Encoding': 'chunked' }, { isDelimited: true }],
  [{ Location: '/other' }, { location: '/other' }],
  [{ 'Retry-After': '30' }, { retryAfterSeconds: 30 }],
])('a response with the headers %j is read', async (headers, facts) => {
  const result = await getWith(new Response('{}', { status: 503, headers }));
  expect(result).toMatchObject({ status: 503, body: Buffer.from('{}'), ...facts });
});

it('a response without a body is empty', async () => {
  expect((await getWith(new Response(null, { status: 404 }))).body).toHaveLength(0);
});

it('is limited by the signal while it waits for the head and for the body, and passes the signal on', async () => {
  const signals: AbortSignal[] = [];
  const silent: Fetch = (_url, { signal }) => {
    signals.push(signal);
    return new Promise(() => undefined);
  };
  const slow: Fetch = (_url, { signal }) => {
    signals.push(signal);
    return Promise.resolve(new Response(new ReadableStream()));
  };
  for (const fetch of [silent, slow]) {
    const controller = new AbortController();
    const got = createFetchGet(fetch, 'test', systemClock)(url, 100, controller.signal);
    setImmediate(() => controller.abort());
    await expect(got).rejects.toMatchObject({ name: 'ServerFault', reason: 'timeout' });
    expect(signals.at(-1)?.aborted).toBe(true);
  }
});
