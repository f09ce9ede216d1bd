import { request } from 'undici';
import { afterEach, describe, expect, it } from 'vitest';
import { latch } from './raw-connection.ts';
import { big, endThings, raw, startThings } from './things-service.ts';
import { ServiceError } from '@mokuroku/kit';

afterEach(endThings);

it('the log has the trace of the client, of cached responses too, and no other text of that header', async () => {
  const { get, lines } = await startThings(() => Promise.resolve(big));
  const trace = '4bf92f3577b34da6a3ce929d0e0e4736';
  const traceparent = `00-${trace}-00f067aa0ba902b7-01`;
  for (const path of ['/things/one', '/things/one', '/nothing']) {
    await get(path, { traceparent });
    expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ trace_id: trace });
  }
  for (const header of ['', '00-x","level":60,"-', trace.toUpperCase()]) {
    await get('/things/one', { traceparent: header });
    expect(JSON.parse(lines.at(-1) ?? '')).not.toHaveProperty('trace_id');
  }
});

it('/llms.txt names the documents and every path', async () => {
  const { get } = await startThings(() => Promise.resolve(big));
  const { text, headers } = await get('/llms.txt');
  expect(headers['content-type']).toBe('text/plain; charset=utf-8');
  expect(text).toContain('- [OpenAPI](/openapi.json)');
  expect(text).toContain('- `/things/{name}`: Get a thing');
});

describe('an error', () => {
  it('has a Retry-After only if it is known when to retry', async () => {
    const { get } = await startThings((name) =>
      Promise.reject(new ServiceError('overloaded', name === 'known' ? { retryAfterSeconds: 7 } : {})),
    );
    expect((await get('/things/known')).headers['retry-after']).toBe('7');
    expect((await get('/things/unknown')).headers['retry-after']).toBeUndefined();
  });

  it('of a path that is not percent-encoded UTF-8, unlike such a query, says what would be right', async () => {
    const { get } = await startThings(() => Promise.resolve(big));
    const details = [{ parameter: 'path', allowed: 'percent-encoded UTF-8' }];
    expect(JSON.parse((await get('/%zz')).text)).toMatchObject({
      error: { code: 'invalid_parameter', details },
    });
    expect((await get('/things/one?x=%zz')).status).toBe(200);
  });

  it('always has the error envelope: unknown path, bad escape, invalid parameters, unexpected failure', async () => {
    const { get, lines } = await startThings(() => Promise.reject(new Error('secret path /etc/x')));
    const codes = [];
    const long = `/things/${'x'.repeat(9_000)}`;
    for (const path of ['/nothing', '/%zz', '/things/bad', '/things/one', '/things', long]) {
      const answer = await get(path);
      const { error } = JSON.parse(answer.text) as { error: { code: string; message: string } };
      expect(error.message).not.toBe('');
      expect(answer.text).not.toContain('secret');
      expect(answer.headers).toMatchObject({
        'cache-control': 'no-store',
        'access-control-allow-origin': '*',
        'cross-origin-resource-policy': 'cross-origin',
        'x-content-type-options': 'nosniff',
      });
      expect(answer.headers).not.toHaveProperty('allow');
      codes.push([answer.status, error.code]);
    }
    expect(codes).toEqual([
      [404, 'not_found'],
      [400, 'invalid_parameter'],
      [400, 'invalid_parameter'],
      [500, 'internal'],
      [404, 'not_found'],
      [414, 'uri_too_long'],
    ]);
    expect(lines.some((line) => line.includes('secret'))).toBe(true);
    expect((await get('/nothing')).text).toContain('There is nothing at this path. Try /things/one.');
  });

  it('has the envelope for an address that is not valid in a request', async () => {
    const { base } = await startThings(() => Promise.resolve(big));
    const absolute = [
      'http://a:99999/lines',
      'http:///lines',
      'http://[::1/lines',
      'http://a/lines#x',
      'ftp://a/lines',
    ];
    for (const target of [...absolute, '/lines#whole', '/lines?whole#x', '/lines#%ff', '*']) {
      const answer = await raw(base, `GET ${target} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
      expect(answer, target).toMatch(
        /^HTTP\/1\.1 400 [^]*x-request-id: test-[^]*"The request target is not a path\."/,
      );
    }
  });

  it('for other methods is 405 with Allow where the path exists, 404 where it does not', async () => {
    const { get } = await startThings(() => Promise.resolve(big));
    const refused = await get('/things/one', {}, 'POST');
    expect(refused.status).toBe(405);
    expect(refused.headers['allow']).toBe('GET, HEAD, OPTIONS');
    await get('/things/one');
    expect((await get('/things/one', {}, 'POST')).status).toBe(405);
    expect((await get('/nothing', {}, 'POST')).status).toBe(404);
  });

  it.each(['/things/one', '/lines', '/livez', '/openapi.json', '/docs', '/llms.txt', '/robots.txt'])(
    'for any other method at %s is 405, and the log has that method',
    async (path) => {
      const { base, lines } = await startThings(() => Promise.resolve(big));
      for (const method of ['DELETE', 'PATCH', 'PROPFIND', 'M-SEARCH', 'TRACE']) {
        const answer = await raw(base, `${method} ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
        expect(answer).toMatch(/^HTTP\/1\.1 405 /);
        expect(answer).toContain('\r\nallow: GET, HEAD, OPTIONS\r\n');
        expect(answer).toContain(`"message":"${method} is not allowed here; use GET, HEAD or OPTIONS."`);
        expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ method, url: path, status: 405 });
      }
    },
  );

  it.each(['QUERY', 'POST', 'PUT'])(
    'of an unknown path is 404 for %s, whatever body it announces',
    async (method) => {
      const { base } = await startThings(() => Promise.resolve(big));
      const announcements = ['Content-Type: ;;\r\nContent-Length: 2\r\n', 'Transfer-Encoding: chunked\r\n'];
      for (const head of ['', ...announcements]) {
        const text = `${method} /nothing HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${head}\r\n`;
        expect(await raw(base, text, false)).toMatch(/^HTTP\/1\.1 404 /);
      }
    },
  );

  it.each([
    [new ServiceError('upstream_timeout', { cause: new Error('no route') }), 40, { reason: 'no route' }],
    [
      new ServiceError('upstream_invalid', { message: 'no rows' }),
      40,
      { reason: 'no rows (upstream_invalid)' },
    ],
    [new Error('a mistake'), 50, { err: { message: 'a mistake' } }],
  ])('is logged with its cause (%s)', async (error, level, fields) => {
    const { get, lines } = await startThings(() => Promise.reject(error));
    const { status } = await get('/things/one');
    const logged = lines.map((line) => JSON.parse(line) as unknown);
    expect(logged).toMatchObject([{ level, id: 'test-1', ...fields }, { status }]);
  });

  it('of absence is cached briefly', async () => {
    let loads = 0;
    const { get, advance } = await startThings(() => {
      loads++;
      return Promise.reject(new ServiceError('not_found', { message: 'No such thing.' }));
    });
    expect((await get('/things/one')).status).toBe(404);
    const again = await get('/things/one');
    expect(again.status).toBe(404);
    expect(again.headers['cache-control']).toBe('public, max-age=10');
    expect(loads).toBe(1);
    advance(11);
    await get('/things/one');
    expect(loads).toBe(2);
  });
});

describe('the hooks', () => {
  it('answer preflights for any origin, and do not count them', async () => {
    const { base, get } = await startThings(() => Promise.resolve(big), { limit: 1 });
    for (let time = 0; time < 3; time++) {
      const { statusCode, headers } = await request(`${base}/things/one`, {
        method: 'OPTIONS',
        headers: { origin: 'https://app.example', 'access-control-request-method': 'GET' },
      });
      expect(statusCode).toBe(204);
      expect(headers).toMatchObject({
        'access-control-allow-origin': '*',
        'access-control-allow-methods': 'GET, HEAD, OPTIONS',
        'access-control-max-age': '86400',
      });
    }
    expect((await get('/things/one')).status).toBe(200);
  });

  it.each([
    ['x-api-key, authorization', 'x-api-key, authorization'],
    ['content-type,mcp-protocol-version', 'content-type,mcp-protocol-version'],
    [undefined, expect.stringContaining('If-None-Match')],
    ['no header; at all', expect.stringContaining('If-None-Match')],
    ['x,'.repeat(40) + 'x', expect.stringContaining('If-None-Match')],
  ])('allow the headers that a preflight requests (%j)', async (wanted, allowed) => {
    const { base } = await startThings(() => Promise.resolve(big));
    const headers = wanted === undefined ? {} : { 'access-control-request-headers': wanted };
    const response = await request(`${base}/things/one`, { method: 'OPTIONS', headers });
    expect(response.headers['access-control-allow-headers']).toEqual(allowed);
  });

  it('count requests, state the remaining ones, and reject with Retry-After', async () => {
    const { get, advance } = await startThings(() => Promise.resolve(big), { limit: 2 });
    const first = await get('/things/one');
    expect(first.headers['ratelimit-policy']).toBe('"default";q=2;w=60');
    expect(first.headers['ratelimit']).toBe('"default";r=1;t=60');
    expect((await get('/things/one')).headers['ratelimit']).toBe('"default";r=0;t=60');
    const refused = await get('/things/one');
    expect(refused.status).toBe(429);
    expect(JSON.parse(refused.text)).toMatchObject({ error: { code: 'rate_limited' } });
    expect((await get('/livez')).status).toBe(200);
    expect((await get('/openapi.json')).status).toBe(200);
    advance(Number(refused.headers['retry-after']));
    expect((await get('/things/one')).status).toBe(200);
  });

  it('reject a request if the limiter fails', async () => {
    const admit = () => Promise.reject(new Error('no decision'));
    const { get } = await startThings(() => Promise.resolve(big), {
      limiter: { limit: 1, windowSeconds: 60, admit },
    });
    expect((await get('/things/one')).status).toBe(500);
    expect((await get('/livez')).status).toBe(200);
  });

  it('count other methods of an endpoint, but not those of a page', async () => {
    const { get } = await startThings(() => Promise.resolve(big), { limit: 2 });
    for (let time = 0; time < 3; time++) expect((await get('/robots.txt', {}, 'POST')).status).toBe(405);
    const statuses = [];
    for (let time = 0; time < 3; time++) statuses.push((await get('/things/one', {}, 'POST')).status);
    expect(statuses).toEqual([405, 405, 429]);
  });

  it('serve a document that describes the service, to be validated each time', async () => {
    const { get } = await startThings(() => Promise.resolve(big));
    const { text, headers } = await get('/openapi.json');
    expect((JSON.parse(text) as { info: { description: string } }).info.description).toBe('Things.');
    expect(headers['cache-control']).toBe('no-cache');
  });

  it('give every request an id, keeping a valid one of the caller', async () => {
    const { get } = await startThings(() => Promise.resolve(big));
    expect((await get('/things/one')).headers['x-request-id']).toBe('test-1');
    expect((await get('/things/one', { 'x-request-id': 'my-id.7' })).headers['x-request-id']).toBe('my-id.7');
    expect((await get('/nothing', { 'x-request-id': 'a"b' })).headers['x-request-id']).toBe('test-2');
    expect((await get('/docs')).headers['x-request-id']).toBe('test-3');
    expect((await get('/livez', { 'x-request-id': 'a'.repeat(64) })).headers['x-request-id']).toHaveLength(
      64,
    );
    for (const id of ['a b', '/a', 'a/', 'a:b', '\u00e9', 'a'.repeat(65)]) {
      expect((await get('/livez', { 'x-request-id': id })).headers['x-request-id'], id).toMatch(/^test-/);
    }
  });

  it('log one line per request without the full client address', async () => {
    const { get, lines } = await startThings(() => Promise.resolve(big));
    await get('/things/one?q="');
    await get('/things/one');
    await get('/things/one');
    await get('/nothing');
    const access = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(access.map(({ url, status, cache }) => [url, status, cache])).toEqual([
      ['/things/one?q=%22', 200, 'miss'],
      // By the ordinary way, and at once from memory.
      ['/things/one', 200, 'hit'],
      ['/things/one', 200, 'hit'],
      ['/nothing', 404, 'not_found'],
    ]);
    expect(access[2]).toMatchObject({ service: 'things', method: 'GET', client: '127.0.0.0' });
    expect(access[2]?.['bytes']).toBe(access[1]?.['bytes']);
  });

  it('log the full client address at level debug, and no request at level warn', async () => {
    const debug = await startThings(() => Promise.resolve(big), { level: 'debug' });
    await debug.get('/things/one');
    expect(debug.lines.map((line) => (JSON.parse(line) as { client: string }).client)).toEqual(['127.0.0.1']);
    await endThings();
    const warn = await startThings(() => Promise.resolve(big), { level: 'warn' });
    await warn.get('/things/one');
    expect(warn.lines).toEqual([]);
  });

  it('log no bytes for HEAD and 304, although the headers of HEAD state a length', async () => {
    const { get, lines } = await startThings(() => Promise.resolve(big));
    // From the source, then from memory.
    for (let time = 0; time < 2; time++) {
      const { headers } = await get('/things/one', {}, 'HEAD');
      expect(Number(headers['content-length'])).toBeGreaterThan(0);
      await get('/things/one', { 'if-none-match': String(headers['etag']) });
    }
    const access = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(access.map(({ status, bytes }) => [status, bytes])).toEqual([
      [200, 0],
      [304, 0],
      [200, 0],
      [304, 0],
    ]);
  });

  it('log the bytes of streamed lines, none for HEAD', async () => {
    const { get, lines } = await startThings(() => Promise.resolve(big));
    expect((await get('/lines')).text).toBe('one\n二\n');
    expect((await get('/lines', {}, 'HEAD')).text).toBe('');
    const access = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(access.map(({ status, bytes }) => [status, bytes])).toEqual([
      [200, 8],
      [200, 0],
    ]);
  });

  it('send a text with its length, its total, its next page, ignored parameters and a file name', async () => {
    const { base, get } = await startThings(() => Promise.resolve(big));
    const { headers, text } = await get('/lines?whole&size=1');
    expect(text).toBe('一\n');
    expect(headers).toMatchObject({
      'content-length': '4',
      'content-type': 'text/plain; charset=utf-8',
      'x-total-count': '1',
      'content-disposition': 'attachment; filename="-lines.txt"',
      link: `<${base}/lines?whole=&size=1&page=2>; rel="next"`,
      'x-ignored': 'size',
    });
    expect((await get('/lines/?whole')).headers['content-disposition']).toBe(headers['content-disposition']);
  });

  it('log a stream that breaks off after its first line once, with its failure', async () => {
    const { opened, fail } = latch();
    const { base, lines } = await startThings(() => Promise.resolve(big), { beforeLastLine: opened });
    const { body } = await request(`${base}/lines`);
    body.once('data', () => fail(new Error('a damaged file')));
    await expect(body.text()).rejects.toThrow();
    const logged = () => lines.map((line) => JSON.parse(line) as unknown);
    await expect.poll(logged).toMatchObject([
      { level: 50, code: 'internal', err: { message: 'a damaged file' } },
      { url: '/lines', status: 200, cache: 'internal', bytes: 4 },
    ]);
  });

  it('start no search for the lines of HEAD', async () => {
    const never = new Promise<void>(() => undefined);
    const { get } = await startThings(() => Promise.resolve(big), { beforeFirstLine: never });
    const { status, text } = await get('/lines', {}, 'HEAD');
    expect([status, text]).toEqual([200, '']);
  });

  it('add so few listeners to a response that Node does not warn of a leak', async () => {
    const warnings: string[] = [];
    const note = ({ message }: Error) => warnings.push(message);
    process.on('warning', note);
    const beforeFirstLine = Promise.reject(new ServiceError('upstream_timeout'));
    beforeFirstLine.catch(() => undefined);
    const { get } = await startThings(() => Promise.resolve(big), { beforeFirstLine });
    // The stream has its listeners, and so has the error that is sent instead.
    await get('/lines', { 'accept-encoding': 'gzip' });
    await new Promise(setImmediate);
    process.off('warning', note);
    expect(warnings).toEqual([]);
  });

  it('log a stream that fails before its first line once, with its error', async () => {
    const beforeFirstLine = Promise.reject(new ServiceError('upstream_timeout'));
    beforeFirstLine.catch(() => undefined);
    const { get, lines } = await startThings(() => Promise.resolve(big), { beforeFirstLine });
    const { status, text } = await get('/lines');
    expect(status).toBe(504);
    const access = lines.filter((line) => line.includes('"url"'));
    expect(access.map((line) => JSON.parse(line) as unknown)).toMatchObject([
      { status, cache: 'upstream_timeout', bytes: Buffer.byteLength(text) },
    ]);
  });
});
