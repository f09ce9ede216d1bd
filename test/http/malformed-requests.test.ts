import fc from 'fast-check';
import { METHODS } from 'node:http';
import { describe, expect, it } from 'vitest';
import { codeOf, connected, getThing, statusesOf } from './raw-connection.ts';
import { big, raw, startThings } from './things-service.ts';

const SMUGGLED = getThing('smuggled');
const HEAD = 'GET /things/one HTTP/1.1\r\nHost: a\r\n';

describe('a request with an ambiguous length', () => {
  it.each([
    ['two lengths of a body', `${HEAD}Content-Length: 0\r\nContent-Length: 40\r\n\r\n${SMUGGLED}`],
    ['a list of lengths', `${HEAD}Content-Length: 0, 40\r\n\r\n${SMUGGLED}`],
    ['a negative length', `${HEAD}Content-Length: -1\r\n\r\n${SMUGGLED}`],
    [
      'a length and chunks',
      `${HEAD}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${SMUGGLED}`,
    ],
    ['chunks that are not the last coding', `${HEAD}Transfer-Encoding: chunked, identity\r\n\r\n${SMUGGLED}`],
    ['lines that end with LF alone', `GET /things/one HTTP/1.1\nHost: a\n\n${SMUGGLED}`],
    ['one line that does', `GET /things/one HTTP/1.1\r\nHost: a\nX-A: b\r\n\r\n${SMUGGLED}`],
    ['a header over two lines', `${HEAD}X-A: b\r\n c\r\n\r\n${SMUGGLED}`],
    ['a blank before the colon', `${HEAD}Content-Length : 44\r\n\r\n${SMUGGLED}`],
    ['a header without a name', `${HEAD}: x\r\n\r\n${SMUGGLED}`],
    ['a zero byte', `${HEAD}X-A: a\0b\r\n\r\n${SMUGGLED}`],
  ])('is rejected, and no data after it is read as a request: %s', async (_what, text) => {
    const { base, loaded } = await startThings();
    expect(statusesOf(await raw(base, text, false))).toEqual(['400']);
    expect(loaded).toEqual([]);
  });

  it.each([
    ['broken chunks', `${HEAD}Transfer-Encoding: chunked\r\n\r\n0;x=\n\r\n\r\n${SMUGGLED}`],
    ['an unknown coding', `${HEAD}Transfer-Encoding: xchunked\r\n\r\n${SMUGGLED}`],
  ])('is answered before its body, which is rejected with everything after it: %s', async (_what, text) => {
    const { base, get, loaded } = await startThings();
    for (let time = 0; time < 3; time++) {
      expect(statusesOf(await raw(base, text, false))).toEqual(['200', '400']);
    }
    expect(loaded).toEqual(['one']);
    expect((await get('/livez')).status).toBe(200);
  });
});

describe('a URL with raw UTF-8', () => {
  const messageOf = (answer: string) =>
    /"message":"([^"]*)"/.exec(Buffer.from(answer, 'latin1').toString())?.[1];
  const typed = 'GET /things/one?q=図書&lim=2 HTTP/1.1\r\nHost: a\r\n\r\n';

  it.each([
    ['alone', typed, ['400']],
    ['behind another', `${HEAD}\r\n${typed}`, ['200', '400']],
  ])('is answered with the encoded address: %s', async (_what, text, statuses) => {
    const { base, get } = await startThings();
    const answer = await raw(base, text, false);
    expect(statusesOf(answer)).toEqual(statuses);
    const address = '/things/one?q=%E5%9B%B3%E6%9B%B8&lim=2';
    expect(messageOf(answer)).toBe(
      `This is not a well-formed HTTP request. Its address must be percent-encoded: ${address}`,
    );
    expect((await get(address)).status).toBe(200);
  });

  it('is rejected if it arrived in two packets, is not UTF-8, or would be too long encoded', async () => {
    const { base } = await startThings();
    const client = await connected(base);
    const [begin = '', end = ''] = typed.split('書');
    let answer = '';
    client.on('data', (chunk) => (answer += chunk.toString('latin1')));
    client.write(begin);
    await expect.poll(() => answer).not.toBe('');
    client.write(end);
    expect(messageOf(answer)).toBe('This is not a well-formed HTTP request.');
    client.destroy();
    const latin = Buffer.from(typed.replace('図書', 'caf\xe9'), 'latin1');
    const long = typed.replace('図書', '図'.repeat(1_000));
    for (const text of [latin, long]) {
      expect(messageOf(await raw(base, text, false))).toBe('This is not a well-formed HTTP request.');
    }
  });
});

describe('a request', () => {
  it('may have a URL of 8,192 characters, and no more', async () => {
    const { get } = await startThings();
    const ofLength = (length: number) => '/things/'.padEnd(length, 'x');
    expect((await get(ofLength(8_192))).status).toBe(200);
    const { status, text } = await get(ofLength(8_193));
    expect([status, text]).toEqual([
      414,
      expect.stringContaining('is 8193 characters long; at most 8192 are'),
    ]);
  });
});

describe('a request without a unique host', () => {
  it.each([
    ['/things/one', ['a', 'b'], 'A request has exactly one Host header; this one has 2.'],
    ['/things/one', [], 'A request has exactly one Host header; this one has 0.'],
    ['/things/one', ['a b/c@d'], 'The Host header is not a host.'],
    ['http://b/things/one', ['a'], 'The request target names another host than the Host header.'],
  ])('is 400 in the common form: %s of %j', async (target, hosts, message) => {
    const { base } = await startThings();
    const head = hosts.map((host) => `Host: ${host}\r\n`).join('');
    const answer = await raw(base, `GET ${target} HTTP/1.1\r\n${head}\r\n`);
    expect(statusesOf(answer)).toEqual(['400']);
    expect(answer).toContain(`{"error":{"code":"invalid_parameter","message":"${message}"}}`);
  });

  it('is recognised by the grammar of RFC 9110, and by a target of another host', async () => {
    const { base } = await startThings();
    const statusFor = async (host: string, target = '/things/one') => {
      const text = `GET ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`;
      return (await raw(base, text, false)).slice(9, 12);
    };
    const allowed =
      "a my_service:3000 xn--a.example:65535 ~b!$&'()*+,;=%20_ a: [2001:DB8::1]:1 [::ffff:192.0.2.1]";
    const others = '::1 [::1 [] [::g] b[::1] [::1]b a:b a:123456 x@a a/ /a a"';
    for (const host of ['', ...allowed.split(' ')]) expect(await statusFor(host), host).toBe('200');
    for (const host of ['a:8 0', ...others.split(' ')]) expect(await statusFor(host), host).toBe('400');
    for (const [authority, host, status] of [
      ['a:80', 'a', '200'],
      ['a', 'A:443', '200'],
      ['A.example:80', 'a.example', '200'],
      ['a:', 'a', '200'],
      ['a:8080', 'a', '400'],
      ['a:8080', 'a80', '400'],
      ['a:1443', 'a', '400'],
      ['a', 'a:4430', '400'],
      ['ab', 'a', '400'],
    ] as const) {
      expect(await statusFor(host, `http://${authority}/things/one`), `${authority} ${host}`).toBe(status);
    }
  });

  it('is served in HTTP/1.0, which has no Host header', async () => {
    const { base } = await startThings();
    for (const target of ['/things/one', 'http://a/things/one']) {
      expect(statusesOf(await raw(base, `GET ${target} HTTP/1.0\r\n\r\n`))).toEqual(['200']);
    }
  });
});

const CONNECT = 'CONNECT a:443 HTTP/1.1\r\nHost: a:443\r\n\r\n';
const LONG_HEAD = `GET / HTTP/1.1\r\nHost: x\r\n${'X-A: b\r\n'.repeat(20_000)}\r\n`;
const LONG_URL = `GET /${'x'.repeat(40_000)} HTTP/1.1\r\nHost: a\r\n\r\n`;
const EXPECT = 'GET /lines HTTP/1.1\r\nHost: a\r\nExpect: x\r\n\r\n';

describe('protocol features of Node', () => {
  it.each([
    ['broken HTTP', 'NONSENSE\r\n\r\n', '400', 'invalid_parameter', '-', '-'],
    ['a head that is too long', LONG_HEAD, '431', 'headers_too_large', '-', '-'],
    ['a URL that is too long', LONG_URL, '414', 'uri_too_long', '-', '-'],
    ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', '400', 'invalid_parameter', '-', '-'],
    ['an unknown expectation', EXPECT, '417', 'expectation_failed', 'GET', '/lines'],
    ['CONNECT', CONNECT, '405', 'method_not_allowed', 'CONNECT', 'a:443'],
  ])(
    '%s has the headers of all responses, an id, and a line in the log',
    async (_what, text, status, code, method, url) => {
      const { base, logged } = await startThings();
      const answer = await raw(base, text, false);
      expect([statusesOf(answer), codeOf(answer)]).toEqual([[status], code]);
      const ordinary = await raw(base, 'GET /nothing HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
      const namesOf = (head: string) =>
        [...head.split('\r\n\r\n', 1)[0]!.matchAll(/^([\w-]+): /gm)].map(([, name = '']) =>
          name.toLowerCase(),
        );
      expect(namesOf(answer)).toEqual(expect.arrayContaining(namesOf(ordinary)));
      expect(answer).toContain('x-request-id: test-1');
      const line = { status: Number(status), cache: code, method, url, id: 'test-1' };
      expect(logged()[0]).toMatchObject(line);
    },
  );

  it('100 Continue is sent to a request that expects it', async () => {
    const { base } = await startThings();
    const text = 'GET /things/one HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n';
    expect(statusesOf(await raw(base, text))).toEqual(['100', '200']);
  });

  it('a CONNECT followed by a reset does not end the service', async () => {
    const { base, get } = await startThings();
    const client = await connected(base);
    client.write(CONNECT);
    client.resetAndDestroy();
    expect((await get('/livez')).status).toBe(200);
  });
});

const oneOf = (words: string) => fc.constantFrom(...words.split(' '));

const METHOD = fc.constantFrom('GET', 'GET', 'HEAD', ...METHODS.filter((each) => each !== 'CONNECT'));
const PATH = oneOf('/things/one /things/bad /lines /livez /docs /nothing /%zz // *');
const HEADER = fc.tuple(
  fc.oneof(
    oneOf('Accept Accept-Encoding Connection Content-Encoding Content-Length Content-Type Expect'),
    oneOf('If-None-Match Range TE Transfer-Encoding Upgrade X-Forwarded-For X-Request-Id __proto__'),
  ),
  fc.oneof(
    oneOf('* ;; " a/b;q=x gzip;q=0 chunked 0 5 -1 upgrade'),
    fc.constantFrom('', 'W/"a", *'),
    fc.stringMatching(/^[\x20-\x7e]{0,40}$/),
  ),
);
const HEADERS = fc.array(HEADER, { maxLength: 4 });
const BODY = fc.constantFrom('', '{}', '5\r\nhello\r\n0\r\n\r\n', '\0');

it('no method, path, header or body makes an unexpected failure', async () => {
  const { base, lines } = await startThings((name) =>
    name === 'one' ? Promise.resolve(big) : Promise.reject(new Error('never asked')),
  );
  await fc.assert(
    fc.asyncProperty(METHOD, PATH, HEADERS, BODY, async (method, path, headers, body) => {
      const head = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('');
      const answer = await raw(base, `${method} ${path} HTTP/1.1\r\nHost: a\r\n${head}\r\n${body}`);
      const [, status = ''] = /^HTTP\/1\.1 (\d+) /.exec(answer) ?? [];
      expect(status, answer.slice(0, 300)).toMatch(/^(?:[234]\d\d|100)$/);
    }),
    { numRuns: 300 },
  );
  expect(lines.join('')).not.toContain('"internal"');
});
