import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { storeSettings } from './store-settings.ts';

const read = (given: Record<string, string>) => z.object(storeSettings).safeParse(given);
const faultOf = (given: Record<string, string>) =>
  read(given)
    .error?.issues.map(({ message }) => message)
    .join();

describe('the settings of the store', () => {
  it('default to no store, a prefix and a timeout', () => {
    expect(read({}).data).toEqual({ STORE_PREFIX: 'mokuroku:', STORE_TIMEOUT_MS: 100 });
  });

  it.each([
    ['redis://cache', ['redis://cache']],
    ['rediss://reader:p%40ss@[::1]:6380/2', ['rediss://reader:p%40ss@[::1]:6380/2']],
    ['/run/redis/redis.sock?db=3', ['/run/redis/redis.sock?db=3']],
    ['redis://one:7001, redis://two', ['redis://one:7001', 'redis://two']],
  ])('accept the addresses %s', (text, addresses) => {
    expect(read({ STORE_URL: text }).data?.STORE_URL).toEqual(addresses);
  });

  it.each([
    'http://127.0.0.1',
    'redis://',
    'redis://:secret@',
    'cache:6379',
    ',',
    'redis+cluster://a',
    '/a,/b',
  ])('reject %s with the forms of an address', (text) => {
    expect(faultOf({ STORE_URL: text })).toMatch(/^must be redis:\/\//);
  });

  it.each(['a', 'A-b_c.d:9', 'x'.repeat(64)])('allow a prefix of letters, digits, ._:- (%s)', (prefix) => {
    expect(read({ STORE_PREFIX: prefix }).data?.STORE_PREFIX).toBe(prefix);
  });

  it.each(['', 'a b', 'x'.repeat(65), '{a}', 'a\n'])('reject any other prefix (%j)', (prefix) => {
    expect(faultOf({ STORE_PREFIX: prefix })).toBe('must be 1 to 64 letters, digits or ._:-');
  });

  it.each([
    ['9', false],
    ['10', true],
    ['5000', true],
    ['5001', false],
  ])('bound the time-out: %s ms', (milliseconds, isTaken) => {
    expect(read({ STORE_TIMEOUT_MS: milliseconds }).success).toBe(isTaken);
  });
});
