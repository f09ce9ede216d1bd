import { describe, expect, it } from 'vitest';
import { DOMAIN, read } from '../../../test/registration/rdap-record.ts';

describe('details beside the seven fields', () => {
  const abuse = {
    roles: ['abuse'],
    vcardArray: [
      'vcard',
      [
        ['email', {}, 'text', 'abuse@registrar.example'],
        ['tel', { type: 'voice' }, 'uri', 'tel:+1.5555550100;ext=2'],
      ],
    ],
  };
  const registrar = {
    roles: ['registrar'],
    publicIds: [{ type: 'IANA Registrar ID', identifier: 9999 }],
    links: [{ rel: 'about', href: 'https://www.registrar.example' }],
    vcardArray: ['vcard', [['fn', {}, 'text', 'Kamome Names']]],
    entities: [abuse],
  };
  const holder = {
    roles: ['registrant'],
    vcardArray: [
      'vcard',
      [
        ['fn', {}, 'text', 'A Person'],
        ['org', {}, 'text', 'Amostra Lda'],
        ['adr', { cc: 'PT' }, 'text', ['', '', 'Street 1', 'Lisboa', '', '1', '']],
        ['email', {}, 'text', 'person@holder.example'],
      ],
    ],
  };
  const reseller = {
    roles: ['reseller'],
    vcardArray: ['vcard', [['fn', {}, 'text', 'Gaivota Hosting (http://gaivota.example)']]],
  };
  const ds = { keyTag: 12345, algorithm: 8, digestType: 2, digest: '00112233445566778899aabbccddeeff' };

  it('are the registrar, the holder without personal data, DNSSEC and the reseller', () => {
    const secureDNS = { delegationSigned: true, dsData: [ds, { keyTag: 'odd' }] };
    const { parsed } = read({ ...DOMAIN, entities: [registrar, holder, reseller], secureDNS });
    expect(parsed).toMatchObject({
      registrarDetails: {
        ianaId: '9999',
        url: 'https://www.registrar.example',
        abuseEmail: 'abuse@registrar.example',
        abusePhone: '+1.5555550100',
      },
      registrant: { organization: 'Amostra Lda', country: 'PT' },
      dnssec: { signed: true, ds: [{ ...ds, digest: ds.digest.toUpperCase() }] },
      reseller: 'Gaivota Hosting',
    });
    expect(JSON.stringify(parsed)).not.toMatch(/Person|person@|Street|Lisboa/);
  });

  it('state a signed delegation for DS records without delegationSigned', () => {
    expect(read({ ...DOMAIN, secureDNS: { dsData: [ds] } }).parsed.dnssec?.signed).toBe(true);
    expect(read({ ...DOMAIN, secureDNS: {} }).parsed.dnssec).toBeNull();
    const many = { dsData: Array.from({ length: 17 }, () => ds) };
    expect(read({ ...DOMAIN, secureDNS: many }).parsed.dnssec?.ds).toHaveLength(16);
  });

  it('are null if not stated', () => {
    const { registrarDetails, registrant, dnssec, reseller: none } = read({ ...DOMAIN, entities: [] }).parsed;
    expect([registrarDetails, registrant, dnssec, none]).toEqual([null, null, null, null]);
    expect(read({ ...DOMAIN, secureDNS: { delegationSigned: false } }).parsed.dnssec).toEqual({
      signed: false,
      ds: [],
    });
  });
});
