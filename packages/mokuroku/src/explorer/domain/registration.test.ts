import { describe, expect, it } from 'vitest';
import { readDetails } from '../../words/look-up-details.ts';
import { eppCodeOf } from './registration-details.tsx';
import { en } from './words-en.ts';
import { ja } from './words-ja.ts';

const HOPS = [{ server: 'whois.example', protocol: 'whois', role: 'root', outcome: 'referral', ms: 3 }];
const [SAID, CONTRADICTION] = ['No match', 'Registrar: Kamome'].map((line) => ({ kind: 'sentence', line }));
const OF_REGISTRY = { whoisServer: 'whois.example', raw: 'No match', hops: HOPS };

it.each<[details: unknown, readable: object]>([
  [{ ...OF_REGISTRY, more: 1 }, OF_REGISTRY],
  // An invalid name has one fault, with the registry's text.
  [[{ parameter: 'domain', raw: 'No match', evidence: SAID }], { raw: 'No match', lines: [SAID] }],
  [{ evidence: SAID, contradictions: [CONTRADICTION, 'x'] }, { lines: [SAID, CONTRADICTION] }],
  [[{ raw: 'one' }, { raw: 'two' }], {}],
  [[{ parameter: 'domain' }], {}],
  [{ raw: 5 }, {}],
  ['text', {}],
  [null, {}],
  [undefined, {}],
])('the readable details of an error %j are %j', (details, readable) => {
  expect(readDetails(details)).toEqual(readable);
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
