import { describe, expect, it } from 'vitest';
import { requestTarget } from './request-target.ts';

const targetOf = (headers: Record<string, string>, originalUrl = '/x?y=1', isFromProxy = false) =>
  requestTarget({ headers, originalUrl, isFromProxy });

describe('the address of a request, for absolute addresses in its response', () => {
  it.each([
    ['novels.example', 'http://novels.example', 'novels.example'],
    ['Novels.Example:3000', 'http://novels.example:3000', 'novels.example'],
    ['a', 'http://a', 'a'],
    ['192.0.2.1:80', 'http://192.0.2.1:80', '192.0.2.1'],
    ['[2001:db8::1]:3000', 'http://[2001:db8::1]:3000', 'localhost'],
    ['a'.repeat(254), `http://${'a'.repeat(254)}`, 'a'.repeat(254)],
  ])('has the host of the request: %s', (host, origin, hostname) => {
    expect(targetOf({ host })).toEqual({ origin, hostname, url: `${origin}/x?y=1` });
  });

  it('is localhost for a host that could not be one', () => {
    const words = '-a a- a. a:123456 a:x a"onload= a/b b@a [::1 [g::1]'.split(' ');
    const headers = [...words, '', 'a b', 'x\na', 'a'.repeat(255)].map((host) => ({ host }));
    for (const each of [{}, ...headers]) {
      const { origin, hostname } = targetOf(each);
      expect([each, origin, hostname]).toEqual([each, 'http://localhost', 'localhost']);
    }
  });

  it('is https only if a trusted proxy says so', () => {
    const originOf = (proto: string, isFromProxy: boolean) =>
      targetOf({ host: 'a', 'x-forwarded-proto': proto }, '/', isFromProxy).origin;
    expect([originOf('https', true), originOf('https', false)]).toEqual(['https://a', 'http://a']);
    expect(originOf('javascript', true)).toBe('http://a');
  });

  it.each(['http://a/x?y=1', 'HTTPS://A/x?y=1'])(
    'has its host once, also if the request names it: %s',
    (url) => expect(targetOf({ host: 'a' }, url).url).toBe('http://a/x?y=1'),
  );
});
