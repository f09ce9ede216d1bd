import { afterEach, describe, expect, it } from 'vitest';
import { codeOf, connected, statusesOf } from './raw-connection.ts';
import { big, endThings, raw, startThings } from './things-service.ts';

afterEach(endThings);

const CONNECT = 'CONNECT a:443 HTTP/1.1\r\nHost: a:443\r\n\r\n';
const LONG_HEAD = `GET / HTTP/1.1\r\nHost: x\r\n${'X-A: b\r\n'.repeat(20_000)}\r\n`;
const LONG_URL = `GET /${'x'.repeat(100_000)} HTTP/1.1\r\n\r\n`;
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
      const { base, lines } = await startThings(() => Promise.resolve(big));
      const answer = await raw(base, text, false);
      expect([statusesOf(answer), codeOf(answer)]).toEqual([[status], code]);
      const ordinary = await raw(base, 'GET /nothing HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
      const namesOf = (head: string) =>
        [...head.split('\r\n\r\n', 1)[0]!.matchAll(/^([\w-]+): /gm)].map(([, name = '']) =>
          name.toLowerCase(),
        );
      expect(namesOf(answer)).toEqual(expect.arrayContaining(namesOf(ordinary)));
      expect(answer).toContain('x-request-id: test-1');
      const logged = { status: Number(status), cache: code, method, url, id: 'test-1' };
      expect(JSON.parse(lines[0] ?? '')).toMatchObject(logged);
    },
  );

  it('100 Continue is sent to a request that expects it', async () => {
    const { base } = await startThings(() => Promise.resolve(big));
    const text = 'GET /things/one HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n';
    expect(statusesOf(await raw(base, text))).toEqual(['100', '200']);
  });

  it('a CONNECT followed by a reset does not end the service', async () => {
    const { base, get } = await startThings(() => Promise.resolve(big));
    const client = await connected(base);
    client.write(CONNECT);
    client.resetAndDestroy();
    expect((await get('/livez')).status).toBe(200);
  });
});
