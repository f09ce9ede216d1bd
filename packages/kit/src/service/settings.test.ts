import { describe, expect, it } from 'vitest';
import { readConfig } from '../process/config.ts';
import { SERVICE_SETTINGS } from './settings.ts';

const read = (environment: Record<string, string>) => readConfig(SERVICE_SETTINGS, environment);

describe('the settings of both services', () => {
  it('default to loopback, 80 MB, sixty requests a minute and nothing shared', () => {
    expect(read({})).toEqual({
      HOST: '127.0.0.1',
      CACHE_MAX_BYTES: 80_000_000,
      RATE_LIMIT: 60,
      LOG_LEVEL: 'info',
      LOG_FORMAT: 'auto',
      TRUSTED_PROXIES: [],
      STORE_PREFIX: 'mokuroku:',
      STORE_TIMEOUT_MS: 100,
    });
  });

  it.each([
    ['CACHE_MAX_BYTES', '1000000', '999999'],
    ['CACHE_MAX_BYTES', '100000000000', '100000000001'],
    ['RATE_LIMIT', '0', '-1'],
    ['RATE_LIMIT', '1000000000', '1000000001'],
    ['LOG_LEVEL', 'silent', 'loud'],
    ['CATALOGUE_PAGE', ':3000', ':300000'],
    ['REGISTRATION_PAGE', 'http://pages.example/names', 'ftp://pages.example/'],
    ['REGISTRATION_PAGE', 'https://pages.example', 'https://pages.example/?a=1'],
    ['STORE_TIMEOUT_MS', '10', '9'],
    ['STORE_TIMEOUT_MS', '5000', '5001'],
    ['STORE_PREFIX', 'A-b_c.d:9', 'a b'],
    ['STORE_PREFIX', 'x'.repeat(64), 'x'.repeat(65)],
    ['STORE_PREFIX', 'a', '{a}'],
  ])('%s may be %s, not %s', (name, right, wrong) => {
    expect(() => read({ [name]: right })).not.toThrow();
    expect(() => read({ [name]: wrong })).toThrow(`${name}="${wrong}": must be `);
  });

  it('accept the URL of a page and drop its trailing slashes', () => {
    expect(read({ CATALOGUE_PAGE: 'https://pages.example/novels//' }).CATALOGUE_PAGE).toBe(
      'https://pages.example/novels',
    );
  });
});

describe('STORE_URL', () => {
  it.each([
    ['redis://cache', ['redis://cache']],
    ['rediss://reader:p%40ss@[::1]:6380/2', ['rediss://reader:p%40ss@[::1]:6380/2']],
    ['/run/redis/redis.sock?db=3', ['/run/redis/redis.sock?db=3']],
    ['redis://a?family=6&db=1&sentinelPassword=', ['redis://a?family=6&db=1&sentinelPassword=']],
    ['redis://one:7001, redis://two', ['redis://one:7001', 'redis://two']],
  ])('may be %s', (STORE_URL, addresses) => {
    expect(read({ STORE_URL }).STORE_URL).toEqual(addresses);
  });

  it.each([
    'http://127.0.0.1',
    'redis://',
    'redis://:secret@',
    'cache:6379',
    ',',
    'redis+cluster://a',
    'redis://u:%zz@127.0.0.1',
    'redis://127.0.0.1/cache',
    'redis://127.0.0.1?family=6&db=cache',
    '/run/redis/redis.sock?db=',
    '/a,/b',
  ])('may not be %s: the fault names the forms of an address', (STORE_URL) => {
    expect(() => read({ STORE_URL })).toThrow('must be redis://[user:password@]host');
  });

  it.each([
    ['redis://127.0.0.1?lazyConnect=true', 'lazyConnect'],
    ['redis://127.0.0.1?family=6&family=0&%74ls=1', 'family, tls'],
    ['/run/redis/redis.sock?password=a?b&path=/b&%64b=x', 'path, db'],
    ['redis://one?db=1,redis://two?retryStrategy=a', 'retryStrategy'],
    ['redis://127.0.0.1?constructor=a', 'constructor'],
  ])('may not be %s: the fault names each option that is not allowed', (STORE_URL, names) => {
    expect(() => read({ STORE_URL })).toThrow(`sentinelPassword; not so: ${names}`);
  });
});
