import { describe, expect, it } from 'vitest';
import { readDetails } from './evidence.tsx';
import { eppCodeOf } from './registration-details.tsx';
import { shareOfLifetime } from './registration-view.tsx';
import { en } from './words-en.ts';
import { ja } from './words-ja.ts';

const NOW = Date.parse('2026-11-21T00:00:00Z');

describe('the lifetime of a registration', () => {
  it('is half over half way', () => {
    expect(shareOfLifetime('2026-11-11', '2026-12-01', NOW)).toBe(0.5);
  });
  it('has not begun before the registration', () => {
    expect(shareOfLifetime('2026-12-01', '2027-12-01', NOW)).toBe(0);
  });
  it('exceeds 1 after the expiry', () => {
    expect(shareOfLifetime('2026-11-01', '2026-11-11', NOW)).toBe(2);
  });
  it.each([
    [null, '2027-01-01'],
    ['2020-01-01', null],
    ['2027-01-01', '2026-01-01'],
    ['some day', '2027-01-01'],
  ])('from %s to %s is none', (creation, expiration) => {
    expect(shareOfLifetime(creation, expiration, NOW)).toBeNull();
  });
});

describe('the details of an error', () => {
  it('contain the registry’s text and the hops, if they have the expected form', () => {
    const hops = [{ server: 'whois.example', protocol: 'whois', role: 'root', outcome: 'referral', ms: 3 }];
    expect(readDetails({ whoisServer: 'whois.example', raw: 'No match', hops, more: 1 })).toEqual({
      whoisServer: 'whois.example',
      raw: 'No match',
      hops,
    });
  });
  it('of an invalid name are those of the registry', () => {
    const evidence = { kind: 'sentence', line: 'Invalid name' };
    expect(readDetails([{ parameter: 'domain', raw: 'Invalid name', evidence }])).toEqual({
      raw: 'Invalid name',
      lines: [evidence],
    });
  });
  it('contain the lines that decided or contradict each other, and only those of one fault', () => {
    const lines = ['No match', 'Registrar: Kamome'].map((line) => ({ kind: 'sentence', line }));
    expect(readDetails({ evidence: lines[0], contradictions: [lines[1], 'x'] })).toEqual({ lines });
    expect(readDetails([{ raw: 'one' }, { raw: 'two' }])).toEqual({});
  });
  it.each([[undefined], [null], ['text'], [[{ parameter: 'domain' }]], [{ raw: 5 }]])(
    '%j gives nothing',
    (details) => {
      expect(readDetails(details)).toEqual({});
    },
  );
});

describe('EPP status codes', () => {
  it('are the 17 of RFC 5731 and the 6 of RFC 3915 that a domain can show', () => {
    expect(Object.keys(en.statuses)).toHaveLength(23);
  });
  it('are recognised however a registry spells them', () => {
    for (const spelled of ['clientHold', 'CLIENT HOLD', 'client-hold', 'clienthold']) {
      expect(eppCodeOf(en.statuses, spelled)).toBe('clientHold');
    }
  });
  it('are not read into a registry’s own words', () => {
    for (const own of ['Active', 'connect', 'Registered until expiry date.', '', 'toString']) {
      expect(eppCodeOf(en.statuses, own)).toBeUndefined();
    }
  });
  it('are explained in one sentence or two, with a full stop', () => {
    for (const sentence of Object.values(ja.statuses)) expect(sentence).toMatch(/。$/);
    for (const sentence of Object.values(en.statuses)) expect(sentence).toMatch(/\.$/);
  });
});
