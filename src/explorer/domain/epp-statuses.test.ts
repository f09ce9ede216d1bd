import { describe, expect, it } from 'vitest';
import { EPP_STATUSES, eppCodeOf, eppLink } from './epp-statuses.ts';

describe('EPP status codes', () => {
  it('are the 17 of RFC 5731 and the 6 of RFC 3915 that a domain can show', () => {
    expect(Object.keys(EPP_STATUSES)).toHaveLength(23);
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
    for (const { ja, en } of Object.values(EPP_STATUSES)) {
      expect(ja).toMatch(/。$/);
      expect(en).toMatch(/\.$/);
    }
  });
});
