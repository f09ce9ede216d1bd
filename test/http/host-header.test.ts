import { afterEach, describe, expect, it } from 'vitest';
import { statusesOf } from './raw-connection.ts';
import { big, endThings, raw, startThings } from './things-service.ts';

afterEach(endThings);

describe('a request without a unique host', () => {
  it.each([
    ['/things/one', ['a', 'b'], 'A request has exactly one Host header; this one has 2.'],
    ['/things/one', [], 'A request has exactly one Host header; this one has 0.'],
    ['*', ['a'], 'The request target is not a path.'],
    ['/things/one', ['a b/c@d'], 'The Host header is not a host.'],
    ['http://b/things/one', ['a'], 'The request target names another host than the Host header.'],
  ])('is 400 in the common form: %s of %j', async (target, hosts, message) => {
    const { base } = await startThings(() => Promise.resolve(big));
    const head = hosts.map((host) => `Host: ${host}\r\n`).join('');
    const answer = await raw(base, `GET ${target} HTTP/1.1\r\n${head}\r\n`);
    expect(statusesOf(answer)).toEqual(['400']);
    const body: unknown = JSON.parse(answer.slice(answer.indexOf('\r\n\r\n')));
    expect(body).toMatchObject({ error: { code: 'invalid_parameter', message } });
  });

  it('is recognised by the grammar of RFC 9110, and by a target of another host', async () => {
    const { base } = await startThings(() => Promise.resolve(big));
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
    const { base } = await startThings(() => Promise.resolve(big));
    for (const target of ['/things/one', 'http://a/things/one']) {
      expect(statusesOf(await raw(base, `GET ${target} HTTP/1.0\r\n\r\n`))).toEqual(['200']);
    }
  });
});
