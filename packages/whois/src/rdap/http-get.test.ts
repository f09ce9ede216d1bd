import type http from 'node:http';
import net from 'node:net';
import { deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { errorOf, listen } from '../../test/opened-world.ts';
import { HOST, RECORD, openRdap } from '../../test/rdap-world.ts';
import { systemClock } from '@mokuroku/kit/clock';
import type { HostPort } from '../net/host-map.ts';
import { ServerFault } from '../net/server-fault.ts';
import { MAX_RDAP_BYTES } from './client.ts';
import { createFetchGet, createHttpGet } from './http-get.ts';
import type { Fetch } from './http-get.ts';
import type { LookUpResult } from '../look-up/result.ts';

it.each([
  ['https://rdap.nic.example/domain/', { host: 'rdap.nic.example', port: 443 }],
  ['http://rdap.nic.example/domain/', { host: 'rdap.nic.example', port: 80 }],
  ['https://rdap.nic.example:8443/', { host: 'rdap.nic.example', port: 8443 }],
  ['http://[2001:db8::1]/', { host: '2001:db8::1', port: 80 }],
])('%s is requested by its scheme', async (url, endpoint) => {
  const dialed: HostPort[] = [];
  const dial = (to: HostPort) => {
    dialed.push(to);
    return Promise.reject(new ServerFault('unreachable'));
  };
  const httpGet = createHttpGet(dial, 'test', systemClock);
  await expect(httpGet(new URL(url), 1, new AbortController().signal)).rejects.toBeInstanceOf(ServerFault);
  expect(dialed).toEqual([endpoint]);
});

it('the connection is closed after the response, also by a server that would keep it', async () => {
  const closed: boolean[] = [];
  const server = net.createServer({ allowHalfOpen: true }, (socket) => {
    socket.on('error', () => undefined).on('close', () => closed.push(true));
    socket.on('end', () => socket.end());
    socket.once('data', () => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}'));
  });
  const port = await listen(server);
  const opened: net.Socket[] = [];
  const dial = () => {
    const socket = net.connect(port, '127.0.0.1');
    opened.push(socket);
    return Promise.resolve(socket);
  };
  const httpGet = createHttpGet(dial, 'test', systemClock);
  await httpGet(new URL('http://rdap.nic.example/'), 100, new AbortController().signal);
  expect(opened.map(({ destroyed }) => destroyed)).toEqual([true]);
  await expect.poll(() => closed).toEqual([true]);
});

describe('the body of an RDAP answer', () => {
  const json = JSON.stringify(RECORD);
  const packedAs =
    (encoding: string, body: Buffer): http.RequestListener =>
    (_, response) =>
      response.writeHead(200, { 'Content-Encoding': encoding }).end(body);

  it('is requested as RDAP, unencoded, with our name, and only the name of the server in the Host header', async () => {
    let headers: http.IncomingHttpHeaders = {};
    const { lookUp } = await openRdap((request, response) => {
      headers = request.headers;
      response.end(json);
    });
    await lookUp('example.test');
    expect(headers).toMatchObject({
      'accept-encoding': 'identity',
      accept: expect.stringContaining('application/rdap+json') as string,
      host: HOST,
      'user-agent': expect.stringMatching(/^mokuroku-whois /) as string,
    });
  });

  it.each<[string, Buffer]>([
    ['gzip', gzipSync(json)],
    ['x-gzip', gzipSync(json)],
    ['deflate', deflateSync(json)],
    ['identity', Buffer.from(json)],
  ])('is read if it is compressed nevertheless (%s)', async (encoding, body) => {
    const { lookUp } = await openRdap(packedAs(encoding, body));
    expect(await lookUp('example.test')).toMatchObject({ raw: json, state: 'registered' });
  });

  it.each<[string, Buffer]>([
    ['br', Buffer.from('x')],
    ['gzip', Buffer.from(json)],
    ['gzip', gzipSync(json).subarray(0, 30)],
  ])('in an unknown encoding (%s) is an unreadable answer', async (encoding, body) => {
    const { lookUp } = await openRdap(packedAs(encoding, body));
    const error = await errorOf(lookUp('example.test'));
    expect(error).toHaveProperty('details.hops.1.outcome', 'bad_answer');
  });

  it('that changes the protocol ends the query at once', async () => {
    const { lookUp } = await openRdap((_, response) => {
      response.socket?.end('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n');
    });
    const error = await errorOf(lookUp('example.test'));
    expect(error).toHaveProperty('details.hops.1.outcome', 'bad_answer');
  });

  it('may begin with a byte order mark', async () => {
    const { lookUp } = await openRdap((_, response) => response.end(`\ufeff${json}`));
    expect(await lookUp('example.test')).toMatchObject({ raw: json, state: 'registered' });
  });

  it('of exactly the limit is read, and of one byte more is rejected, compressed or not', async () => {
    for (const [length, outcome] of [
      [MAX_RDAP_BYTES, 'registered'],
      [MAX_RDAP_BYTES + 1, 'too_large'],
    ] as const) {
      const body = json.padEnd(length);
      for (const answer of [packedAs('identity', Buffer.from(body)), packedAs('gzip', gzipSync(body))]) {
        const { lookUp } = await openRdap(answer, { settings: { timeoutMs: 20_000 } });
        const hops = await lookUp('example.test').then(
          (result) => result.hops,
          (error: unknown) => (error as { details: { hops: LookUpResult['hops'] } }).details.hops,
        );
        expect(hops.at(-1)?.outcome).toBe(outcome);
      }
    }
  });
});

const clock = { now: () => Date.UTC(2026, 10, 1), monotonic: () => 0 };
const get = (fetch: Fetch, { signal } = new AbortController()) =>
  createFetchGet(fetch, 'test', clock)(new URL('https://rdap.nic.example/domain/a.example'), 100, signal);

describe("a response of the caller's own fetch", () => {
  it.each([
    [{}, { isDelimited: false, location: undefined, retryAfterSeconds: undefined }],
    [{ 'Content-Length': '2' }, { isDelimited: true }],
    [{ 'Transfer-Encoding': 'chunked' }, { isDelimited: true }],
    [{ Location: '/other' }, { location: '/other' }],
    [{ 'Retry-After': '30' }, { retryAfterSeconds: 30 }],
    [{ 'Retry-After': 'Sun, 01 Nov 2026 00:00:30 GMT' }, { retryAfterSeconds: 30 }],
    [{ 'Retry-After': 'Sun, 25 Oct 2026 00:00:00 GMT' }, { retryAfterSeconds: 1 }],
    [{ 'Retry-After': '999999' }, { retryAfterSeconds: 3_600 }],
    [{ 'Retry-After': 'soon' }, { retryAfterSeconds: undefined }],
  ])('with the headers %j is read', async (headers, facts) => {
    const result = await get(() => Promise.resolve(new Response('{}', { status: 503, headers })));
    expect(result).toMatchObject({ status: 503, body: Buffer.from('{}'), ...facts });
  });

  it('without a body is empty', async () => {
    const { body } = await get(() => Promise.resolve(new Response(null, { status: 404 })));
    expect(body).toHaveLength(0);
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
      const got = get(fetch, controller);
      setImmediate(() => controller.abort());
      await expect(got).rejects.toMatchObject({ name: 'ServerFault', reason: 'timeout' });
      expect(signals.at(-1)?.aborted).toBe(true);
    }
  });
});
