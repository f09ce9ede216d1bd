import { describe, expect, it } from 'vitest';
import { eppStatusOf } from './status-words.ts';

describe('RDAP status words in the vocabulary of EPP (RFC 8056)', () => {
  it.each([
    ['active', 'ok'],
    ['associated', 'linked'],
    ['client transfer prohibited', 'clientTransferProhibited'],
    ['Server  Hold', 'serverHold'],
    ['auto renew period', 'autoRenewPeriod'],
    ['redemption period', 'redemptionPeriod'],
    ['inactive', 'inactive'],
  ])('%s is %s', (words, code) => {
    expect(eppStatusOf(words)).toBe(code);
  });

  it('words that EPP lacks stay unchanged', () => {
    expect(eppStatusOf(' Locked ')).toBe('Locked');
    expect(eppStatusOf('clientHold')).toBe('clientHold');
  });
});
