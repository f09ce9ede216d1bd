import { describe, expect, it } from 'vitest';
import { chooseEncoding, createJsonPreference, preferredType } from './negotiation.ts';

const OFFERED = ['application/json', 'text/csv', 'application/atom+xml'];

describe('what an Accept header prefers', () => {
  it.each([
    [undefined, 'application/json'],
    ['*/*', 'application/json'],
    ['text/csv', 'text/csv'],
    ['TEXT/CSV;header=present', 'text/csv'],
    ['text/*', 'text/csv'],
    ['text/csv, */*', 'text/csv'],
    ['*/*, text/csv;q=0.5', 'application/json'],
    ['text/csv;q=0', 'application/json'],
    ['application/*', 'application/json'],
    ['application/json;q=0.2, text/csv;q=0.3', 'text/csv'],
    ['application/json, text/csv', 'application/json'],
    ['text/html', 'application/json'],
    ['applicat/*, text/csv;q=0.1', 'text/csv'],
    ['nonsense;;q=2,', 'application/json'],
    ['application/json;q=0.55, text/csv;q=0.54', 'application/json'],
    ['application/json;q=0.999, text/csv;q=1', 'text/csv'],
    ['application/json;q=1.000, text/csv;q=0.9', 'application/json'],
    // Invalid weights count as 1.
    ['application/json;q=0.9, text/csv;q=0.1234', 'text/csv'],
    ['application/json;q=0.9, text/csv;q=1.5', 'text/csv'],
    ['application/json;q=0.9, text/csv;q=x0', 'text/csv'],
    ['application/json;q=0.9, text/csv;q=0x', 'text/csv'],
    // A browser's.
    ['text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8', 'application/json'],
    // A feed reader's.
    ['application/atom+xml,application/rss+xml,application/xml;q=0.9,text/xml;q=0.2,*/*;q=0.1', OFFERED[2]],
  ])('%s: %s', (header, type) => {
    expect(preferredType(header, OFFERED)).toBe(type);
  });

  it('is read from a header of up to 500 characters', () => {
    const ofLength = (length: number) => 'text/csv'.padStart(length, ',');
    expect(preferredType(ofLength(500), OFFERED)).toBe('text/csv');
    expect(preferredType(ofLength(501), OFFERED)).toBe('application/json');
  });

  it('is JSON unless the header names another available format', () => {
    const wantsJson = createJsonPreference(['text/csv', 'text/csv']);
    expect(['text/csv', 'text/html', 'text/*', 'application/json'].map(wantsJson)).toEqual([
      false,
      true,
      false,
      true,
    ]);
    expect(createJsonPreference([])('text/csv')).toBe(true);
  });
});

describe('the encoding', () => {
  it.each([
    [undefined, 'identity'],
    ['', 'identity'],
    ['gzip', 'gzip'],
    ['gzip, deflate, br, zstd', 'br'],
    ['br;q=0.5, gzip', 'gzip'],
    ['br;q=0, gzip;q=0.1', 'gzip'],
    ['gzip;q=0', 'identity'],
    ['*', 'br'],
    ['*;q=0.5, br;q=0', 'gzip'],
    ['identity', 'identity'],
    ['GZIP', 'gzip'],
    ['x-gzip', 'gzip'],
    ['x-gzip;q=0, br;q=0', 'identity'],
    ['gzip;q=nonsense', 'gzip'],
    ['gzip;q=0.5, br;q=0.5', 'br'],
    [`br,${'x'.repeat(197)}`, 'br'],
    [`br,${'x'.repeat(198)}`, 'identity'],
  ])('for %j is %s', (header, expected) => {
    expect(chooseEncoding(header)).toBe(expected);
  });
});
