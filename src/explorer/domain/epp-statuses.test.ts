import { describe, expect, it } from 'vitest';
import { EPP_CODES, eppCodeOf, eppLink } from './epp-statuses.ts';
import { en } from './words-en.ts';
import { ja } from './words-ja.ts';

describe('EPP status codes', () => {
  it('are the 17 of RFC 5731 and the 6 of RFC 3915 that a domain can show', () => {
    expect(new Set(EPP_CODES).size).toBe(23);
  });
  it('are recognised however a registry spells them', () => {
    for (const spelled of ['clientHold', 'CLIENT HOLD', 'client-hold', 'clienthold']) {
      expect(eppCodeOf(spelled)).toBe('clientHold');
    }
  });
  it('are not read into a registry’s own words', () => {
    for (const own of ['Active', 'connect', 'Registered until expiry date.', '', 'toString']) {
      expect(eppCodeOf(own)).toBeNull();
    }
  });
  it('are explained at ICANN’s page', () => {
    expect(eppLink('clientHold')).toBe('https://icann.org/epp#clientHold');
  });
  it('are explained in one sentence or two, with a full stop', () => {
    for (const code of EPP_CODES) {
      expect(ja.statuses[code]).toMatch(/。$/);
      expect(en.statuses[code]).toMatch(/\.$/);
    }
  });
});
