import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toCurl, toReadable } from './curl.ts';

describe('copy as curl', () => {
  it('is one command with the whole address', () => {
    expect(toCurl('http://localhost:3000/v1/novels?word=%E9%AD%94&of=t-n')).toBe(
      "curl --compressed 'http://localhost:3000/v1/novels?word=%E9%AD%94&of=t-n'",
    );
  });
  it('escapes quotes in a URL', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const argument = toCurl(text).slice('curl --compressed '.length);
        expect(argument.replaceAll("'\\''", '')).toMatch(/^'[^']*'$/s);
      }),
    );
  });
});

describe('a readable address', () => {
  it('shows Japanese as Japanese', () => {
    expect(toReadable('/v1/novels?word=%E9%AD%94%E6%B3%95&lim=30')).toBe('/v1/novels?word=魔法&lim=30');
    expect(toReadable('/v1/novels?genre=201%2C202')).toBe('/v1/novels?genre=201,202');
  });
  it('keeps escapes that would change its meaning, and invalid UTF-8', () => {
    expect(toReadable('/?word=a%26b%3D%20%FF')).toBe('/?word=a%26b%3D%20%FF');
  });
});
