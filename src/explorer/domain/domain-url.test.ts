import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hrefOfQuestion, readQuestion, tidyDomain } from './domain-url.ts';

describe('a name as people paste it', () => {
  it.each([
    ['https://www.example.jp/path?a=1#b', 'www.example.jp'],
    [' example.com. ', 'example.com'],
    ['ｅｘａｍｐｌｅ。ｊｐ', 'example.jp'],
    ['見本.jp', '見本.jp'],
    ['example.com:8080', 'example.com'],
    ['..', ''],
  ])('%s asks for %s', (text, domain) => {
    expect(tidyDomain(text)).toBe(domain);
  });
});

describe('the address of a question', () => {
  it('brings it back', () => {
    fc.assert(
      fc.property(fc.domain(), fc.boolean(), (domain, registrar) => {
        const question = { domain, registrar };
        expect(readQuestion(hrefOfQuestion(question).slice(1))).toEqual(question);
      }),
    );
    expect(hrefOfQuestion({ domain: '', registrar: false })).toBe('/');
  });
});
