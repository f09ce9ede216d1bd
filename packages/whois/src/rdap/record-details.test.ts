import { describe, expect, it } from 'vitest';
import { DOMAIN, card, named, property, read } from '../../test/rdap-record.ts';

describe('details beside the seven fields', () => {
  const abuse = {
    roles: ['abuse'],
    vcardArray: card(property('email', 'abuse@registrar.example'), [
      'tel',
      { type: 'voice' },
      'uri',
      'tel:+1.5555550100;ext=2',
    ]),
  };
  const registrar = {
    roles: ['registrar'],
    publicIds: [{ type: 'IANA Registrar ID', identifier: 9999 }],
    links: [{ rel: 'about', href: 'https://www.registrar.example' }],
    vcardArray: named('Kamome Names'),
    entities: [abuse],
  };
  const registrant = {
    roles: ['registrant'],
    vcardArray: card(
      property('fn', 'A Person'),
      property('org', 'Amostra Lda'),
      property('adr', ['', '', 'Street 1', 'Lisboa', '', '1', ''], { cc: 'PT' }),
      property('email', 'person@holder.example'),
    ),
  };
  const reseller = {
    roles: ['reseller'],
    vcardArray: named('Gaivota Hosting (http://gaivota.example)'),
  };
  const ds = { keyTag: 12345, algorithm: 8, digestType: 2, digest: '00112233445566778899aabbccddeeff' };

  it('are the registrar, the registrant without personal data, DNSSEC and the reseller', () => {
    const secureDNS = { delegationSigned: true, dsData: [ds, { keyTag: 'odd' }] };
    const { parsed } = read({ ...DOMAIN, entities: [registrar, registrant, reseller], secureDNS });
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
    const { parsed, incomplete } = read({ ...DOMAIN, secureDNS: many });
    expect([parsed.dnssec?.ds.length, incomplete]).toEqual([16, ['dnssec']]);
  });

  it('are null if not stated', () => {
    const { registrarDetails, registrant, dnssec, reseller: none } = read({ ...DOMAIN, entities: [] }).parsed;
    expect([registrarDetails, registrant, dnssec, none]).toEqual([null, null, null, null]);
    expect(read({ ...DOMAIN, secureDNS: { delegationSigned: false } }).parsed.dnssec).toEqual({
      signed: false,
      ds: [],
    });
  });

  it('are read from JSContact as from jCard', () => {
    const phones = { a: { number: 'tel:+1.5555550100' }, b: { number: 'tel:+1.5555550200' } };
    const card = {
      '@type': 'Card',
      name: { full: null },
      emails: { a: { address: 'abuse@registrar.example' } },
      phones,
    };
    const newer = [
      {
        ...registrar,
        jscard: { name: { full: 'Kamome' }, links: { a: { uri: 'https://card.registrar.example' } } },
        entities: [{ roles: ['abuse'], jscard: card }],
      },
      {
        roles: ['registrant'],
        jscard: {
          organizations: { a: { name: 'Amostra Lda' } },
          addresses: { a: { countryCode: 'PT', country: 'Portugal' } },
        },
      },
    ];
    expect(read({ ...DOMAIN, entities: newer }).parsed).toMatchObject({
      registrar: 'Kamome',
      registrarDetails: {
        url: 'https://card.registrar.example',
        abuseEmail: 'abuse@registrar.example',
        abusePhone: '+1.5555550100',
      },
      registrant: { organization: 'Amostra Lda', country: 'PT' },
    });
    // Members that JSContact does not state are those of the jCard.
    const both = { ...registrar, jscard: { name: null, links: { a: { uri: 'https://card.example' } } } };
    expect(read({ ...DOMAIN, entities: [both] }).parsed.registrar).toBe('Kamome Names');
  });

  const detailsOf = (rows: readonly unknown[], more: object = {}) =>
    read({ ...DOMAIN, entities: [{ ...registrar, ...more, entities: [], vcardArray: card(...rows) }] }).parsed
      .registrarDetails;
  const countryOf = (parameters: object, name: string) => {
    const adr = property('adr', ['', '', 'Street 1', 'Lisboa', '', '1000', name], parameters);
    return read({ ...DOMAIN, entities: [{ ...registrant, vcardArray: card(adr) }] }).parsed.registrant
      ?.country;
  };

  it('have the country by its code, else by its name, never another part of the address', () => {
    expect(countryOf({ cc: 'PT' }, 'Portugal')).toBe('PT');
    expect(countryOf({}, ' Portugal ')).toBe('Portugal');
    expect(countryOf({}, '')).toBeUndefined();
  });

  it('have the web address of the card, else of the entity, else of a link about it', () => {
    const row = ['url', {}, 'uri', 'https://card.example'];
    const other = { rel: 'self', href: 'https://rdap.example/entity/1' };
    const more = { url: 'https://entity.example', links: [other, ...registrar.links] };
    expect(detailsOf([row], more)?.url).toBe('https://card.example');
    expect(detailsOf([], more)?.url).toBe('https://entity.example');
    expect(detailsOf([], { ...more, url: '' })?.url).toBe('https://www.registrar.example');
  });

  it('have the number of the registrar in the list of IANA, and no other', () => {
    const idOf = (...publicIds: readonly object[]) => detailsOf([], { publicIds })?.ianaId;
    expect(idOf({ type: 'Local ID', identifier: '7' }, { type: 'iana registrar id', identifier: '99' })).toBe(
      '99',
    );
    for (const identifier of [null, undefined, {}, '', 'not applicable']) {
      expect(idOf({ type: 'IANA Registrar ID', identifier })).toBeNull();
    }
  });

  it('have the telephone for reports of abuse, not the fax, and no number without digits', () => {
    const phoneOf = (...rows: readonly unknown[]) => {
      const entities = [{ roles: ['abuse'], vcardArray: card(property('email', 'a@b.example'), ...rows) }];
      return read({ ...DOMAIN, entities: [{ ...registrar, entities }] }).parsed.registrarDetails?.abusePhone;
    };
    const voice = ['tel', { type: ['voice', 'work'] }, 'uri', 'TEL:+1.5555550100'];
    expect(phoneOf(['tel', { type: 'fax' }, 'uri', 'tel:+1.5555550199'], voice)).toBe('+1.5555550100');
    expect(phoneOf(['tel', { type: ['work', 'fax'] }, 'uri', 'tel:+1.5555550199'], voice)).toBe(
      '+1.5555550100',
    );
    expect(phoneOf(['tel', {}, 'uri', 'tel:'])).toBeNull();
  });

  it.each(['REDACTED FOR PRIVACY', 'Not Disclosed', 'N/A'])('are not a placeholder: %s', (text) => {
    const redactedRegistrant = {
      roles: ['registrant'],
      vcardArray: card(property('org', text), property('adr', ['', '', '', '', '', '', text])),
    };
    const redactedReseller = { roles: ['reseller'], vcardArray: named(text) };
    const { parsed } = read({ ...DOMAIN, entities: [redactedRegistrant, redactedReseller] });
    expect([parsed.registrant, parsed.reseller]).toEqual([null, null]);
  });

  it('have no control characters', () => {
    const links = [{ rel: 'about', href: 'https://registrar.example/\u001b[2J' }];
    const publicIds = [{ type: 'IANA Registrar ID', identifier: '99\u0007' }];
    expect(detailsOf([], { links, publicIds })).toMatchObject({
      url: 'https://registrar.example/',
      ianaId: '99',
    });
  });

  it('of DNSSEC are read although other members have unexpected types', () => {
    const spaced = { ...ds, digest: '00112233 44556677\n8899AABB' };
    const secureDNS = { delegationSigned: 'yes', dsData: [null, spaced] };
    expect(read({ ...DOMAIN, secureDNS }).parsed.dnssec).toEqual({
      signed: true,
      ds: [{ ...ds, digest: '00112233445566778899AABB' }],
    });
  });
});
