import fc from 'fast-check';
import { expect, it } from 'vitest';
import { toCurl, toReadable } from './curl.ts';

it('a command for curl escapes quotes in a URL', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      const argument = toCurl(text).slice('curl --compressed '.length);
      expect(argument.replaceAll("'\\''", '')).toMatch(/^'[^']*'$/s);
    }),
  );
});

it.each([
  ['/v1/novels?word=%E9%AD%94%E6%B3%95&lim=30', '/v1/novels?word=魔法&lim=30'],
  ['/v1/novels?genre=201%2C202', '/v1/novels?genre=201,202'],
  // Escapes that would change its meaning, and invalid UTF-8.
  ['/?word=a%26b%3D%20%FF', '/?word=a%26b%3D%20%FF'],
])('the address %s is readable as %s', (address, readable) => {
  expect(toReadable(address)).toBe(readable);
});
