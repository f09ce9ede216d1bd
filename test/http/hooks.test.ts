import { describe, expect, it } from 'vitest';
import { raw, startThings } from './things-service.ts';
import { ERRORS, ServiceError } from '@mokuroku/kit';
import { TEST_ERRORS } from '../../packages/kit/test/test-errors.ts';

it('/llms.txt names the documents and every path', async () => {
  const { get } = await startThings();
  const { text, headers } = await get('/llms.txt');
  expect(headers['content-type']).toBe('text/plain; charset=utf-8');
  expect(text).toContain('- [OpenAPI](/openapi.json)');
  expect(text).toContain('- `/things/{name}`: Get a thing');
});

describe('an error', () => {
  it.each(['/lines?x=1', '/things/one?format=text&x=1'])(
    'has none of the headers of the response that could not be made: %s',
    async (path) => {
      const beforeFirstLine = Promise.reject(new Error('not readable'));
      beforeFirstLine.catch(() => undefined);
      const write = () => {
        throw new Error('not writable');
      };
      const form = {
        name: 'text',
        contentType: 'text/plain',
        fileNameOf: () => 'one.txt',
        keyFor: () => '',
        write,
      };
      const load = () => Promise.resolve({ data: 1, total: 1 });
      const { get } = await startThings(load, { form, beforeFirstLine, next: () => ({ offset: '2' }) });
      const { status, headers } = await get(path);
      expect([status, headers['content-type']]).toEqual([500, 'application/json; charset=utf-8']);
      expect(headers).toMatchObject({ 'x-request-id': 'test-1', 'cache-control': 'no-store' });
      for (const name of ['etag', 'age', 'link', 'x-total-count', 'x-ignored', 'content-disposition'])
        expect(headers).not.toHaveProperty(name);
    },
  );

  it('has a Retry-After only if it is known when to retry', async () => {
    const { get } = await startThings((name) =>
      Promise.reject(new ServiceError(ERRORS.overloaded, name === 'known' ? { retryAfterSeconds: 7 } : {})),
    );
    expect((await get('/things/known')).headers['retry-after']).toBe('7');
    expect((await get('/things/unknown')).headers['retry-after']).toBeUndefined();
  });

  it('of a path that is not percent-encoded UTF-8, unlike such a query, says what would be right', async () => {
    const { get } = await startThings();
    const details = [{ parameter: 'path', given: '/%zz', allowed: 'percent-encoded UTF-8' }];
    expect(JSON.parse((await get('/%zz?x=1')).text)).toMatchObject({
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
    expect(lines.join('')).toContain('secret');
    expect((await get('/nothing')).text).toContain('There is nothing at this path. Try /things/one.');
  });

  it('has the envelope for an address that is not valid in a request', async () => {
    const { base } = await startThings();
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
        /^HTTP\/1\.1 400 [^]*x-request-id: test-[^]*"code":"invalid_parameter","message":"The request target is not a path\."/,
      );
    }
  });

  it.each(['/things/one', '/lines', '/livez', '/openapi.json', '/docs', '/llms.txt', '/robots.txt'])(
    'for any other method at %s is 405, and the log has that method',
    async (path) => {
      const { base, logged, warm } = await startThings();
      await warm();
      for (const method of ['DELETE', 'PATCH', 'POST', 'PROPFIND', 'M-SEARCH', 'TRACE']) {
        const answer = await raw(base, `${method} ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
        expect(answer).toMatch(/^HTTP\/1\.1 405 /);
        expect(answer).toContain('\r\nallow: GET, HEAD, OPTIONS\r\n');
        expect(answer).toContain(`"message":"${method} is not allowed here; use GET, HEAD or OPTIONS."`);
        expect(logged().at(-1)).toMatchObject({ method, url: path, status: 405 });
      }
    },
  );

  it.each(['QUERY', 'POST', 'PUT'])(
    'of an unknown path is 404 for %s, whatever body it announces',
    async (method) => {
      const { base } = await startThings();
      const announcements = ['Content-Type: ;;\r\nContent-Length: 2\r\n', 'Transfer-Encoding: chunked\r\n'];
      for (const head of ['', ...announcements]) {
        const text = `${method} /nothing HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${head}\r\n`;
        expect(await raw(base, text, false)).toMatch(/^HTTP\/1\.1 404 /);
      }
    },
  );

  const down = Object.assign(new Error('host is down'), { code: 'EHOSTDOWN' });
  const noRoute = new ServiceError(TEST_ERRORS.upstream_timeout, {
    cause: new Error('no route', { cause: down }),
  });
  const noRows = new ServiceError(TEST_ERRORS.upstream_invalid, { message: 'no rows' });
  it.each([
    [noRoute, 40, { reason: 'no route: host is down (EHOSTDOWN)' }],
    [noRows, 40, { reason: 'no rows (upstream_invalid)' }],
    [new Error('a mistake'), 50, { err: { message: 'a mistake' } }],
  ])('is logged with its cause (%s)', async (error, level, fields) => {
    const { get, logged } = await startThings(() => Promise.reject(error));
    const { status } = await get('/things/one');
    expect(logged()).toMatchObject([{ level, id: 'test-1', ...fields }, { status }]);
  });
});

describe('the hooks', () => {
  it('answer preflights for any origin and headers, and do not count them', async () => {
    const { get, warm } = await startThings(undefined, { limit: 3 });
    await warm();
    for (let time = 0; time < 3; time++) {
      const headers = { origin: 'https://app.example', 'access-control-request-method': 'GET' };
      expect(await get('/things/one', headers, 'OPTIONS')).toMatchObject({
        status: 204,
        headers: {
          allow: 'GET, HEAD, OPTIONS',
          'access-control-allow-origin': '*',
          'access-control-allow-methods': 'GET, HEAD, OPTIONS',
          'access-control-allow-headers': '*, Authorization',
          'access-control-max-age': '86400',
        },
      });
    }
    expect((await get('/things/one')).status).toBe(200);
  });

  it('count requests, state the remaining ones, and reject with Retry-After', async () => {
    const { get, advance } = await startThings(undefined, { limit: 2 });
    const [first, second, refused] = [
      await get('/things/one'),
      await get('/things/one'),
      await get('/things/one'),
    ];
    expect(first.headers['ratelimit-policy']).toBe('"default";q=2;w=60');
    expect([first, second].map(({ headers }) => headers['ratelimit'])).toEqual([
      '"default";r=1;t=60',
      '"default";r=0;t=60',
    ]);
    expect(refused.status).toBe(429);
    expect(JSON.parse(refused.text)).toMatchObject({ error: { code: 'rate_limited' } });
    expect((await get('/livez')).status).toBe(200);
    expect((await get('/openapi.json')).status).toBe(200);
    advance(Number(refused.headers['retry-after']));
    expect((await get('/things/one')).status).toBe(200);
  });

  it('count malformed requests, too, and say so', async () => {
    const { base } = await startThings(undefined, { limit: 5 });
    const long = `/things/${'x'.repeat(9_000)}`;
    const heads = [
      `GET ${long} HTTP/1.1\r\nHost: a`,
      'GET * HTTP/1.1\r\nHost: a',
      'GET /things/one HTTP/1.1\r\nHost: a b',
      'GET /things/one HTTP/1.1\r\nHost: a\r\nExpect: x',
      'GET /things/one HTTP/1.1\r\nHost: a',
      'GET * HTTP/1.1\r\nHost: a',
    ];
    const said: string[] = [];
    for (const head of heads) {
      const answer = await raw(base, `${head}\r\nConnection: close\r\n\r\n`);
      said.push(answer.slice(9, 12) + (/^ratelimit: .*?(;r=\d)/m.exec(answer)?.[1] ?? ''));
    }
    expect(said).toEqual(['414;r=4', '400;r=3', '400;r=2', '417;r=1', '200;r=0', '429;r=0']);
  });

  it('give an IPv6 /48 the requests of twenty clients, however many it has', async () => {
    const { get } = await startThings(undefined, { limit: 1, trustedProxies: ['127.0.0.1'] });
    const statusOf = async (client: string) =>
      (await get('/things/one', { 'x-forwarded-for': client })).status;
    const statuses = [];
    for (let index = 0; index < 22; index++) statuses.push(await statusOf(`2001:db8:7:${index}::1`));
    expect(statuses).toEqual([...Array<number>(20).fill(200), 429, 429]);
    expect(await statusOf('2001:db8:8::1')).toBe(200);
  });

  it('reject a request if the limiter fails', async () => {
    const admit = () => Promise.reject(new Error('no decision'));
    const { get } = await startThings(undefined, { limiter: { limit: 1, windowSeconds: 60, admit } });
    expect((await get('/things/one')).status).toBe(500);
    expect((await get('/livez')).status).toBe(200);
  });

  it('count other methods of an endpoint, but not those of a page', async () => {
    const { get } = await startThings(undefined, { limit: 2 });
    const statuses = [];
    for (const path of [
      '/robots.txt',
      '/robots.txt',
      '/robots.txt',
      '/things/one',
      '/things/one',
      '/things/one',
    ])
      statuses.push((await get(path, {}, 'POST')).status);
    expect(statuses).toEqual([405, 405, 405, 405, 405, 429]);
  });

  it('serve a document that describes the service, to be validated each time', async () => {
    const { get } = await startThings();
    const { text, headers } = await get('/openapi.json');
    expect(JSON.parse(text)).toMatchObject({ info: { description: 'Things.' } });
    expect(headers['cache-control']).toBe('no-cache');
  });

  it('give every request an id, keeping a valid one of the caller', async () => {
    const { get } = await startThings();
    const idOf = async (path: string, id?: string) =>
      (await get(path, id === undefined ? {} : { 'x-request-id': id })).headers['x-request-id'];
    expect(await idOf('/things/one')).toBe('test-1');
    expect(await idOf('/things/one', 'my-id.7')).toBe('my-id.7');
    expect(await idOf('/nothing', 'a"b')).toBe('test-2');
    expect(await idOf('/docs')).toBe('test-3');
    expect(await idOf('/livez', 'a'.repeat(64))).toHaveLength(64);
    for (const id of ['a b', '/a', 'a/', 'a:b', '\u00e9', 'a'.repeat(65)]) {
      expect(await idOf('/livez', id), id).toMatch(/^test-/);
    }
  });

  it('send a text with its length, its total, its next page, ignored parameters and a file name', async () => {
    const { base, get } = await startThings();
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

  it('start no search for the lines of HEAD', async () => {
    const never = new Promise<void>(() => undefined);
    const { get } = await startThings(undefined, { beforeFirstLine: never });
    expect(await get('/lines', {}, 'HEAD')).toMatchObject({ status: 200, text: '' });
  });

  it('add so few listeners to a response that Node does not warn of a leak', async () => {
    const warnings: string[] = [];
    const note = ({ message }: Error) => warnings.push(message);
    process.on('warning', note);
    const beforeFirstLine = Promise.reject(new ServiceError(TEST_ERRORS.upstream_timeout));
    beforeFirstLine.catch(() => undefined);
    const { get } = await startThings(undefined, { beforeFirstLine });
    // The stream has its listeners, and so has the error that is sent instead.
    await get('/lines', { 'accept-encoding': 'gzip' });
    await new Promise(setImmediate);
    process.off('warning', note);
    expect(warnings).toEqual([]);
  });
});
