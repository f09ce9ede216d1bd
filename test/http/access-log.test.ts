import { request } from 'undici';
import { describe, expect, it } from 'vitest';
import { latch } from './raw-connection.ts';
import { raw, startThings } from './things-service.ts';
import { ServiceError } from '@mokuroku/kit';
import { TEST_ERRORS } from '../../packages/kit/test/test-errors.ts';

describe('the access log', () => {
  it('has the trace of the client, of cached responses too, and no other text of that header', async () => {
    const { get, logged } = await startThings();
    const trace = '4bf92f3577b34da6a3ce929d0e0e4736';
    const traceparent = `00-${trace}-00f067aa0ba902b7-01`;
    for (const path of ['/things/one', '/things/one', '/nothing']) {
      await get(path, { traceparent });
      expect(logged().at(-1)).toMatchObject({ trace_id: trace });
    }
    for (const header of ['', '00-x","level":60,"-', trace.toUpperCase()]) {
      await get('/things/one', { traceparent: header });
      expect(logged().at(-1)).not.toHaveProperty('trace_id');
    }
  });

  it('has one line per request without the full client address', async () => {
    const { get, warm, logged } = await startThings();
    await get('/things/one?q="');
    await warm();
    await get('/nothing');
    const access = logged();
    const request = {
      service: 'things',
      method: 'GET',
      client: '127.0.0.0',
      url: '/things/one',
      status: 200,
    };
    expect(access).toMatchObject([
      { ...request, url: '/things/one?q=%22', cache: 'miss' },
      // By the ordinary way, and at once from memory.
      { ...request, cache: 'hit' },
      { ...request, cache: 'hit', bytes: access[1]?.['bytes'] },
      { ...request, url: '/nothing', status: 404, cache: 'not_found' },
    ]);
  });

  it('has URLs up to 500 characters', async () => {
    const { get, logged } = await startThings();
    const paths = [500, 501].map((length) => `/${'x'.repeat(length - 1)}`);
    for (const path of paths) await get(path);
    expect(logged()).toMatchObject([{ url: paths[0] }, { url: `${paths[0]}...` }]);
  });

  it('is one line of JSON, whatever the URL contains', async () => {
    const { base, logged } = await startThings();
    const target = '/things/one?q="\\","level":60,"';
    await raw(base, `GET ${target} HTTP/1.1\r\nHost: a\r\n\r\n`);
    expect(logged()).toMatchObject([{ level: 30, url: target }]);
  });

  it('has the full client address at level debug, and no request at level warn', async () => {
    const debug = await startThings(undefined, { level: 'debug' });
    await debug.get('/things/one');
    expect(debug.logged()).toMatchObject([{ client: '127.0.0.1' }]);
    const warn = await startThings(undefined, { level: 'warn' });
    await warn.get('/things/one');
    expect(warn.lines).toEqual([]);
  });

  it('has no bytes for HEAD and 304, although the headers of HEAD state a length; metrics have the same', async () => {
    const observed: { status: number; bytes: number }[] = [];
    const { get, logged } = await startThings(undefined, {
      observeAccess: (access) => observed.push(access),
    });
    // From the source, then from memory.
    for (let time = 0; time < 2; time++) {
      const { headers } = await get('/things/one', {}, 'HEAD');
      expect(Number(headers['content-length'])).toBeGreaterThan(0);
      await get('/things/one', { 'if-none-match': String(headers['etag']) });
    }
    const [head, unchanged] = [
      { status: 200, bytes: 0 },
      { status: 304, bytes: 0 },
    ];
    for (const accesses of [logged(), observed]) {
      expect(accesses).toMatchObject([head, unchanged, head, unchanged]);
    }
  });

  it('has the bytes of streamed lines, none for HEAD', async () => {
    const { get, logged } = await startThings();
    expect((await get('/lines')).text).toBe('one\n二\n');
    expect((await get('/lines', {}, 'HEAD')).text).toBe('');
    expect(logged()).toMatchObject([
      { status: 200, bytes: 8 },
      { status: 200, bytes: 0 },
    ]);
  });

  it('has a stream that breaks off after its first line once, with its failure', async () => {
    const { opened, fail } = latch();
    const { base, logged } = await startThings(undefined, { beforeLastLine: opened });
    const { body } = await request(`${base}/lines`);
    body.once('data', () => fail(new Error('a damaged file')));
    await expect(body.text()).rejects.toThrow();
    await expect.poll(logged).toMatchObject([
      { level: 50, code: 'internal', err: { message: 'a damaged file' } },
      { url: '/lines', status: 200, cache: 'internal', bytes: 4 },
    ]);
  });

  it('has a stream that fails before its first line once, with its error', async () => {
    const beforeFirstLine = Promise.reject(new ServiceError(TEST_ERRORS.upstream_timeout));
    beforeFirstLine.catch(() => undefined);
    const { get, logged } = await startThings(undefined, { beforeFirstLine });
    const { status, text } = await get('/lines');
    expect(status).toBe(504);
    expect(logged().filter((line) => 'url' in line)).toMatchObject([
      { status, cache: 'upstream_timeout', bytes: Buffer.byteLength(text) },
    ]);
  });
});
