import { domainToASCII } from 'node:url';
import { describe, expect, it } from 'vitest';
import { DOMAIN, card, event, named, property, read } from '../../test/rdap-record.ts';
import { NOTHING_STATED, UNREADABLE } from '../record/registration-record.ts';

const HOSTS = ['ns1.hosting.example', 'ns2.hosting.example'];

describe('an RDAP record', () => {
  it('is read to the same fields as a WHOIS text', () => {
    expect(read(DOMAIN)).toMatchObject({
      state: 'registered',
      parsed: {
        domainName: 'example.test',
        registrar: 'Sample Registrar',
        creationDate: '2001-02-02T19:05:06Z',
        expirationDate: '2031-02-03',
        updatedDate: '2026-01-02T03:04:05Z',
        registrarExpirationDate: '2030-01-01T00:00:00Z',
        nameServers: ['ns1.hosting.example', 'ns.xn--8pvz87e.example'],
        status: ['clientTransferProhibited', 'ok', 'locked'],
      },
    });
  });

  it('in the form of RFC 9083, with all members, is read whole', () => {
    const events = [
      event('registration', '1990-12-31T23:59:59Z'),
      event('last changed', '1991-12-31T23:59:59Z'),
    ];
    const link = {
      value: 'https://rdap.nic.test/x',
      rel: 'self',
      href: 'https://rdap.nic.test/x',
      type: 'application/rdap+json',
    };
    const remarks = [
      { description: ['She sells sea shells down by the sea shore.', 'Originally written by Terry.'] },
    ];
    const object = {
      objectClassName: 'domain',
      handle: 'XXXX',
      ldhName: 'xn--l-test-hua.test',
      unicodeName: 'ål-test.test',
      variants: [
        {
          relation: ['registered', 'conjoined'],
          variantNames: [{ ldhName: 'xn--a.test', unicodeName: 'a.test' }],
        },
      ],
      status: ['locked', 'transfer prohibited'],
      publicIds: [{ type: 'ENS_Auth ID', identifier: '1234567890' }],
      nameservers: HOSTS.map((ldhName) => ({
        objectClassName: 'nameserver',
        handle: 'XXXX',
        ldhName,
        status: ['active'],
        ipAddresses: { v6: ['2001:db8::123'], v4: ['192.0.2.1'] },
        remarks,
        links: [link],
        events: events.slice(1),
      })),
      secureDNS: {
        zoneSigned: true,
        delegationSigned: true,
        maxSigLife: 604_800,
        keyData: [{ flags: 257, protocol: 3, algorithm: 8, publicKey: 'AwEAAa6e', events: events.slice(1) }],
      },
      remarks,
      links: [link],
      port43: 'whois.nic.test',
      events: [
        ...events,
        { ...event('transfer', '1991-12-31T23:59:59Z'), eventActor: 'SAMPLE' },
        event('expiration', '2016-12-31T23:59:59Z'),
      ],
      network: { objectClassName: 'ip network', handle: 'XXXX-RIR', ipVersion: 'v4' },
      entities: [
        {
          objectClassName: 'entity',
          handle: 'XXXX',
          status: ['validated', 'locked'],
          roles: ['registrant'],
          vcardArray: card(
            ['version', {}, 'text', '4.0'],
            ['fn', {}, 'text', 'Sample Person'],
            ['kind', {}, 'text', 'individual'],
            ['lang', { pref: '1' }, 'language-tag', 'fr'],
            ['org', { type: 'work' }, 'text', 'Example'],
            ['title', {}, 'text', 'Director'],
            [
              'adr',
              { type: 'work' },
              'text',
              ['', 'Suite 1', '1 Sample Road', 'Quebec', 'QC', 'G1V 2M2', 'Canada'],
            ],
            ['tel', { type: ['work', 'voice'], pref: '1' }, 'uri', 'tel:+1-555-555-0100;ext=102'],
            ['email', { type: 'work' }, 'text', 'a@holder.example'],
          ),
          remarks,
          links: [link],
          events,
        },
      ],
    };
    const { state, parsed, incomplete } = read(object, {}, { name: 'xn--l-test-hua.test' });
    expect([state, incomplete]).toEqual(['registered', []]);
    expect(parsed).toEqual({
      ...NOTHING_STATED,
      domainName: 'xn--l-test-hua.test',
      creationDate: '1990-12-31T23:59:59Z',
      expirationDate: '2016-12-31T23:59:59Z',
      updatedDate: '1991-12-31T23:59:59Z',
      nameServers: HOSTS,
      status: ['locked', 'transfer prohibited'],
      registrant: { organization: 'Example', country: 'Canada' },
      dnssec: { signed: true, ds: [] },
    });
  });

  it('in the form of the Danish registry (2018), with cards as objects, is read whole', () => {
    const address = {
      'country-name': ['Danmark'],
      'extended-address': [''],
      locality: ['København V'],
      'street-address': ['Prøvegade 1'],
    };
    const contact = (role: string) => ({
      objectClassName: 'domain',
      roles: [role],
      handle: 'SAMPLE1-DK',
      events: [
        event('registration', '2017-03-10 20:06:29'),
        { ...event('last changed', '2017-03-10 20:06:29'), eventActor: 'n/a' },
      ],
      vcardArray: ['vcard', { adr: [address], fn: 'Prøve A/S' }],
    });
    const object = {
      ...DOMAIN,
      handle: 'example.test',
      entities: [contact('proxy'), contact('registrant')],
      events: [
        event('registration', '2016-09-14'),
        { ...event('last changed', '2017-03-10 20:06:43'), eventActor: 'SAMPLE1-DK' },
      ],
      secureDNS: { delegationSigned: false },
    };
    const { parsed, incomplete } = read(object);
    expect(incomplete).toEqual([]);
    expect(parsed).toMatchObject({
      registrar: null,
      creationDate: '2016-09-14',
      updatedDate: '2017-03-10',
      expirationDate: null,
      registrant: { organization: null, country: 'Danmark' },
      dnssec: { signed: false, ds: [] },
    });
  });

  it('links to the record of its registrar', () => {
    const href = 'https://rdap.registrar.example/domain/EXAMPLE.TEST';
    const type = 'application/rdap+json';
    const links = [
      { rel: 'self', href: 'https://rdap.registry.example/domain/EXAMPLE.TEST', type },
      { rel: 'related', href, type },
    ];
    expect(read({ ...DOMAIN, links }).registrarUrl).toBe(href);
    expect(read(DOMAIN).registrarUrl).toBeNull();
    const related = (href: string, type?: string) =>
      read({ ...DOMAIN, links: [{ rel: 'related', href, type }] }).registrarUrl;
    // Some servers omit the type, others have another path.
    expect(related('https://rdap.registrar.example/domain/a.test')).not.toBeNull();
    for (const type of ['application/rdap+json', 'Application/rdap+json; charset=utf-8'])
      expect(related('https://rdap.registrar.example/?a.test', type)).not.toBeNull();
    expect(related('https://www.registrar.example/terms')).toBeNull();
  });

  it('whose link to the registrar cannot be read does not say that there is none', () => {
    const linked = (links: unknown) => read({ ...DOMAIN, links }).registrarUrl;
    for (const links of [[{ rel: 'related', href: 7 }], 7, { registrar: 'x' }])
      expect(linked(links)).toBe(UNREADABLE);
    for (const links of [[{ rel: 'self', href: 7 }], [], null]) expect(linked(links)).toBeNull();
  });

  it('is read whole but for an address that is nested as deep as the size allows', () => {
    const registrar = { roles: ['registrar'], vcardArray: card(property('fn', 'Umi'), property('adr', 7)) };
    const text = JSON.stringify({ ...DOMAIN, entities: [registrar] });
    const nested = text.replace('7]', `${'['.repeat(100_000)}${']'.repeat(100_000)}]`);
    expect(read(nested)).toMatchObject({ state: 'registered', parsed: { registrar: 'Umi' } });
  });

  it('has no name longer than a domain name, which would be converted for seconds', () => {
    const ldhName = `example${'\ufe0f'.repeat(600)}.test`;
    expect(domainToASCII(ldhName)).toBe('example.test');
    expect(read({ ...DOMAIN, ldhName }).state).toBe('broken');
  });

  it('may begin with a byte order mark', () => {
    expect(read(`\ufeff${JSON.stringify(DOMAIN)}`).state).toBe('registered');
  });
});

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
});
