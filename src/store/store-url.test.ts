import { describe, expect, it } from 'vitest';
import { parseStoreUrl } from './store-url.ts';

const open = { username: undefined, password: undefined, db: 0 };

describe('STORE_URL', () => {
  it.each([
    ['redis://cache', { kind: 'single', host: 'cache', port: 6379, tls: false, ...open }],
    ['valkey://cache:7000/2', { kind: 'single', host: 'cache', port: 7000, tls: false, ...open, db: 2 }],
    [
      'rediss://reader:p%40ss@[::1]:6380',
      { kind: 'single', host: '::1', port: 6380, tls: true, username: 'reader', password: 'p@ss', db: 0 },
    ],
    [
      'redis://:a:b@cache',
      { kind: 'single', host: 'cache', port: 6379, tls: false, ...open, password: 'a:b' },
    ],
    [
      'unix:///run/redis/redis.sock?db=3&password=secret',
      { kind: 'socket', path: '/run/redis/redis.sock', tls: false, ...open, password: 'secret', db: 3 },
    ],
    [
      'redis+sentinel://:pw@one,two:26380/mymaster/1?sentinelPassword=other',
      {
        kind: 'sentinel',
        name: 'mymaster',
        sentinelPassword: 'other',
        tls: false,
        nodes: [
          { host: 'one', port: 26_379 },
          { host: 'two', port: 26_380 },
        ],
        username: undefined,
        password: 'pw',
        db: 1,
      },
    ],
    [
      'valkeys+cluster://one:7001,two',
      {
        kind: 'cluster',
        tls: true,
        nodes: [
          { host: 'one', port: 7001 },
          { host: 'two', port: 6379 },
        ],
        ...open,
      },
    ],
  ])('reads %s', (url, expected) => {
    expect(parseStoreUrl(url)).toEqual(expected);
  });

  it.each([
    ['localhost:6379', /is not a store address/],
    ['memcached://cache', /unknown scheme memcached/],
    ['redis://one,two', /redis\+sentinel:\/\/ or redis\+cluster:\/\//],
    ['redis://cache:70000', /no usable host in "cache:70000"/],
    ['redis://', /no usable host/],
    ['redis://cache/first', /"first", which is not a number/],
    ['unix://run/redis.sock', /absolute path/],
    ['redis+sentinel://one', /master's name/],
    ['redis+cluster://one/1', /only number 0/],
    ['my+valkey://cache', /unknown scheme my\+valkey/],
    ['1redis://cache', /is not a store address/],
    ['redis://cache#x', /is not a store address/],
    ['redis://!cache', /no usable host/],
    ['redis://cache:6379x', /no usable host/],
    ['redis://cache:0', /no usable host in "cache:0"/],
    ['redis://cache:65536', /no usable host/],
    ['redis://cache/x1', /"x1", which is not a number/],
    ['redis://cache/1x', /"1x", which is not a number/],
    ['redis://cache/12345', /"12345", which is not a number/],
    ['unix:///', /absolute path/],
  ])('rejects %s with the reason', (url, reason) => {
    expect(() => parseStoreUrl(url)).toThrow(reason);
  });

  it.each([
    ['redis://cache:1', { port: 1 }],
    ['redis://cache:65535', { port: 65_535 }],
    ['redis://cache/9999', { db: 9_999 }],
    ['redis://secret@cache', { username: undefined, password: 'secret' }],
    ['redis://me:@cache', { username: 'me', password: undefined }],
    ['unix:///a', { path: '/a', username: undefined, password: undefined }],
    ['unix:///a?username=me', { username: 'me' }],
    ['unix:///my%20run/redis.sock', { path: '/my run/redis.sock' }],
    ['redis+cluster://one/', { kind: 'cluster', db: 0 }],
  ])('reads %s to its bounds', (url, part) => {
    expect(parseStoreUrl(url)).toMatchObject(part);
  });

  it('never repeats a password in an error', () => {
    for (const url of ['redis://:hidden@', 'redis://user:hid/den@cache', 'redis://:hidden@one,two:0']) {
      let message = '';
      try {
        parseStoreUrl(url);
      } catch (error) {
        message = (error as Error).message;
      }
      expect(message).not.toBe('');
      expect(message).not.toMatch(/hid/);
    }
  });
});
