import fc from 'fast-check';
import { METHODS } from 'node:http';
import { afterAll, it, expect } from 'vitest';
import { big, endThings, raw, startThings } from './things-service.ts';

afterAll(endThings);

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
