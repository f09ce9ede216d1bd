import { describe, expect, it } from 'vitest';
import { eppCodeOf } from './epp-statuses.ts';
import { en } from './words-en.ts';
import { ja } from './words-ja.ts';

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
