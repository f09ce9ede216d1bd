import { describe, expect, it } from 'vitest';
import { DOMAIN, card, named, property, read } from '../../test/rdap-record.ts';
import { NOTHING_STATED, RECORD_FIELDS } from '../record/registration-record.ts';
import type { ParsedRegistration, RecordField } from '../record/registration-record.ts';

const { parsed: PARSED } = read(DOMAIN);
const DATES: RecordField[] = [
  'creationDate',
  'expirationDate',
  'updatedDate',
  'deletionDate',
  'registrarExpirationDate',
];
const CONTACTS: RecordField[] = ['registrar', 'registrarDetails', 'registrant', 'reseller'];
const HOSTS = ['ns1.hosting.example', 'ns2.hosting.example'];
const EXPIRY = '2031-02-03T04:05:06Z';
const DIGEST = '00112233445566778899AABBCCDDEEFF';
const DS = { keyTag: 12345, algorithm: 8, digestType: 2, digest: DIGEST };
const SIGNED = { signed: true, ds: [DS] };
const event = (eventAction: unknown, eventDate: unknown) => ({ eventAction, eventDate });
const entity = (more: object) => ({ roles: ['registrar'], vcardArray: named('Sample Registrar'), ...more });
const registrarWith = (more: object) => ({ entities: [entity(more)] });
const abuseWith = (vcardArray: unknown) => registrarWith({ entities: [{ roles: ['abuse'], vcardArray }] });
const ABUSE = { ianaId: null, url: null, abuseEmail: 'abuse@registrar.example', abusePhone: null };
const EMAIL = property('email', 'abuse@registrar.example');
const KEY = { flags: 257, protocol: 3, algorithm: 8, publicKey: 'AwEAAa6e' };

const MANY_HOSTS = Array.from({ length: 65 }, (_, index) => `ns${index}.hosting.example`);
const WORDS = Array.from({ length: 41 }, (_, index) => `word ${index}`);

type Row = [
  odd: object,
  incomplete: readonly RecordField[],
  /** Values that differ from those of the whole record. */
  values: Partial<ParsedRegistration>,
];

/** Each member in the forms that servers send, or that somebody may try. */
const FORMS: readonly Row[] = [
  [{ status: 'active' }, [], { status: ['ok'] }],
  [{ status: null }, [], { status: [] }],
  [{ status: [] }, [], { status: [] }],
  [{ status: {} }, [], { status: [] }],
  [{ status: ['active', null, ''] }, [], { status: ['ok'] }],
  [{ status: ['active', 7] }, ['status'], { status: ['ok'] }],
  [{ status: 7 }, ['status'], { status: [] }],
  [{ status: { 0: 'active' } }, ['status'], { status: [] }],
  [{ status: [['active']] }, ['status'], { status: [] }],
  [{ status: [{ value: 'active' }] }, ['status'], { status: [] }],
  [{ status: undefined, Status: ['active'] }, ['status'], { status: [] }],
  [{ status: ['active', 'word '.repeat(30)] }, ['status'], { status: ['ok'] }],
  [{ status: WORDS }, ['status'], { status: WORDS.slice(0, 40) }],
  [{ status: [...WORDS.slice(0, 40), 'word 0'] }, [], { status: WORDS.slice(0, 40) }],

  [{ events: [event('expiration', EXPIRY)] }, [], { expirationDate: EXPIRY }],
  [{ events: [event('EXPIRATION', '2031-02-03t04:05:06z')] }, [], { expirationDate: EXPIRY }],
  [{ events: [event('expiration', '2031-02-03T06:05:06+02:00')] }, [], { expirationDate: EXPIRY }],
  [{ events: [event('expiration', '2031-02-03')] }, [], { expirationDate: '2031-02-03' }],
  [{ events: [event('lastChanged', EXPIRY)] }, [], { updatedDate: EXPIRY }],
  [{ events: [event('expiration', 'soon')] }, ['expirationDate'], {}],
  [{ events: [event('expiration', '2030')] }, ['expirationDate'], {}],
  [{ events: [event('expiration', '01/02/2030')] }, ['expirationDate'], {}],
  [{ events: [event('expiration', 1_927_857_906)] }, ['expirationDate'], {}],
  [{ events: [event('expiration', { date: EXPIRY })] }, ['expirationDate'], {}],
  [{ events: [event('expiration', 'soon'), event('expiration', EXPIRY)] }, [], { expirationDate: EXPIRY }],
  [{ events: [event('expiration', EXPIRY), event('expiration', 7)] }, [], { expirationDate: EXPIRY }],
  [{ events: [{ eventAction: 'expiration' }] }, [], {}],
  [{ events: [event('expiration', null)] }, [], {}],
  [{ events: [event('expiration', 'N/A')] }, [], {}],
  [{ events: [event('expiration', '0001-01-01T00:00:00Z')] }, [], {}],
  [{ events: [event('expiration', '0000-00-00')] }, [], {}],
  [{ events: [{ eventAction: 'expiration', EventDate: EXPIRY }] }, ['expirationDate'], {}],
  [{ events: [event('locked', 7)] }, [], {}],
  [{ events: [{ eventDate: EXPIRY }] }, DATES, {}],
  [
    { events: [event('expiration', EXPIRY), event(7, EXPIRY)] },
    DATES.filter((each) => each !== 'expirationDate'),
    { expirationDate: EXPIRY },
  ],
  [{ events: { expiration: EXPIRY } }, DATES, {}],
  [{ events: event('expiration', EXPIRY) }, [], { expirationDate: EXPIRY }],
  [{ events: [`expiration ${EXPIRY}`] }, DATES, {}],
  [{ events: [{}, null, []] }, [], {}],
  [{ events: undefined, Events: DOMAIN.events }, DATES, {}],

  [{ nameservers: HOSTS }, [], { nameServers: HOSTS }],
  [{ nameservers: HOSTS.join(' ') }, [], { nameServers: HOSTS }],
  [{ nameservers: [{ ldhName: 'NS1.HOSTING.EXAMPLE.' }, HOSTS[1]] }, [], { nameServers: HOSTS }],
  [{ nameservers: [{ unicodeName: 'ns.見本.example' }] }, [], { nameServers: ['ns.xn--8pvz87e.example'] }],
  [{ nameservers: [{ ldhName: 7, unicodeName: HOSTS[0] }] }, [], { nameServers: HOSTS.slice(0, 1) }],
  [{ nameservers: [{ ldhName: '', unicodeName: null }, {}, null] }, [], { nameServers: [] }],
  [{ nameservers: ['none', 'not.defined', '-'] }, [], { nameServers: [] }],
  [{ nameservers: [{ name: HOSTS[0] }] }, ['nameServers'], { nameServers: [] }],
  [{ nameservers: [HOSTS[0], { hostName: HOSTS[1] }] }, ['nameServers'], { nameServers: HOSTS.slice(0, 1) }],
  [{ nameservers: ['http://ns1.hosting.example/', 7] }, ['nameServers'], { nameServers: [] }],
  [{ nameservers: { ns1: HOSTS[0] } }, ['nameServers'], { nameServers: [] }],
  [{ nameservers: [['ns1.hosting.example']] }, ['nameServers'], { nameServers: [] }],
  [{ nameservers: undefined, nameServers: [{ ldhName: HOSTS[0] }] }, ['nameServers'], { nameServers: [] }],
  [{ nameservers: MANY_HOSTS }, ['nameServers'], { nameServers: MANY_HOSTS.slice(0, 64) }],
  [{ nameservers: undefined, nameServers: [] }, [], { nameServers: [] }],

  [{ entities: entity({}) }, [], {}],
  [{ entities: [entity({ roles: 'Registrar' })] }, [], {}],
  [{ entities: [{ roles: ['technical'], entities: [entity({})] }] }, [], {}],
  [{ entities: 'Sample Registrar' }, CONTACTS, { registrar: null }],
  [{ entities: { registrar: entity({}) } }, CONTACTS, { registrar: null }],
  [{ entities: [entity({}), 7] }, ['registrant', 'reseller'], {}],
  [{ entities: [entity({ roles: { 0: 'registrar' } })] }, CONTACTS, { registrar: null }],
  [{ entities: [entity({ roles: ['registrar', 7] })] }, ['registrant', 'reseller'], {}],
  [{ entities: [entity({ roles: undefined, Roles: ['registrar'] })] }, CONTACTS, { registrar: null }],
  [{ entities: undefined, Entities: [entity({})] }, CONTACTS, { registrar: null }],
  [{ entities: [{ roles: null, vcardArray: [], publicIds: null, remarks: 7 }] }, [], { registrar: null }],
  [registrarWith({ entities: [7] }), ['registrarDetails', 'registrant', 'reseller'], {}],

  [registrarWith({ vcardArray: card(property('fn', 7)) }), ['registrar'], { registrar: null }],
  [registrarWith({ vcardArray: card(['fn', 'Sample Registrar']) }), ['registrar'], { registrar: null }],
  [
    registrarWith({ vcardArray: card(property('fn', 7), property('org', ['Sample Registrar', 'Unit'])) }),
    [],
    {},
  ],
  [registrarWith({ vcardArray: card(property('FN', 'Sample Registrar')) }), [], {}],
  [registrarWith({ vcardArray: card([], null, property('fn', 'Sample Registrar')) }), [], {}],
  [
    registrarWith({
      vcardArray: card([{ toString: 7 }, {}, 'text', 'A'], property('fn', 'Sample Registrar')),
    }),
    ['registrarDetails'],
    {},
  ],
  [registrarWith({ vcardArray: 'Sample Registrar' }), ['registrar', 'registrarDetails'], { registrar: null }],
  [registrarWith({ vcardArray: ['vcard', ['fn']] }), ['registrar', 'registrarDetails'], { registrar: null }],
  [
    registrarWith({ vcardArray: undefined, vCardArray: named('A') }),
    ['registrar', 'registrarDetails'],
    { registrar: null },
  ],
  [registrarWith({ vcardArray: ['vcard', { fn: 'Sample Registrar', adr: [{ region: [''] }] }] }), [], {}],
  [registrarWith({ vcardArray: { fn: 'Sample Registrar' } }), [], {}],
  [registrarWith({ vcardArray: [], jscard: { name: { full: 'Sample Registrar' } } }), [], {}],
  [
    registrarWith({ vcardArray: [], jscard: 'Sample Registrar' }),
    ['registrar', 'registrarDetails'],
    { registrar: null },
  ],
  [registrarWith({ jscard: { name: 7 } }), [], {}],
  [registrarWith({ vcardArray: [], handle: '1498673-SAMPLE' }), [], { registrar: null }],
  [abuseWith(card(EMAIL, property('tel', 'tel:'))), [], { registrarDetails: ABUSE }],
  [
    abuseWith(card(EMAIL, property('tel', { voice: '5550100' }))),
    ['registrarDetails'],
    { registrarDetails: ABUSE },
  ],
  [abuseWith(card(EMAIL, property('tel', 'at noon'))), ['registrarDetails'], { registrarDetails: ABUSE }],
  [abuseWith(card(EMAIL, 'tel')), ['registrarDetails'], { registrarDetails: ABUSE }],
  [
    registrarWith({ publicIds: { type: 'IANA Registrar ID', identifier: '99' } }),
    [],
    { registrarDetails: { ...ABUSE, abuseEmail: null, ianaId: '99' } },
  ],
  [registrarWith({ publicIds: { 'IANA Registrar ID': '99' } }), ['registrarDetails'], {}],
  [
    registrarWith({ publicIds: [{ type: 'IANA Registrar ID', identifier: 'ninety' }] }),
    ['registrarDetails'],
    {},
  ],
  [registrarWith({ publicIds: [{ type: 'Local ID', identifier: {} }] }), [], {}],
  [registrarWith({ links: [{ rel: 'about', href: 7 }] }), ['registrarDetails'], {}],
  [registrarWith({ links: 'https://www.registrar.example' }), ['registrarDetails'], {}],

  [{ secureDNS: null }, [], {}],
  [{ secureDNS: [] }, [], {}],
  [{ secureDNS: { zoneSigned: true, maxSigLife: 7 } }, [], {}],
  [{ secureDNS: { delegationSigned: 'true' } }, [], { dnssec: { signed: true, ds: [] } }],
  [{ secureDNS: { delegationSigned: 'yes' } }, ['dnssec'], {}],
  [{ secureDNS: { delegationSigned: { toString: 7 } } }, ['dnssec'], {}],
  [{ secureDNS: [{ delegationSigned: true }] }, [], { dnssec: { signed: true, ds: [] } }],
  [{ secureDNS: { dsData: [{ ...DS, keyTag: -1 }] } }, ['dnssec'], {}],
  [{ secureDNS: { DelegationSigned: true } }, ['dnssec'], {}],
  [{ secureDNS: true }, ['dnssec'], {}],
  [{ secureDNS: 'signed' }, ['dnssec'], {}],
  [{ secureDNS: { signed: true } }, ['dnssec'], {}],
  [{ secureDNS: undefined, SecureDNS: { delegationSigned: true } }, ['dnssec'], {}],
  [
    { secureDNS: { dsData: [{ keyTag: '12345', algorithm: '8', digestType: '2', digest: DIGEST }] } },
    [],
    { dnssec: SIGNED },
  ],
  [{ secureDNS: { dsData: DS } }, [], { dnssec: SIGNED }],
  [{ secureDNS: { dsData: { 0: DS } } }, ['dnssec'], {}],
  [{ secureDNS: { dsData: [DS, { ...DS, algorithm: 'RSASHA256' }] } }, ['dnssec'], { dnssec: SIGNED }],
  [
    { secureDNS: { delegationSigned: true, dsData: [{ ...DS, digest: 7 }] } },
    ['dnssec'],
    { dnssec: { signed: true, ds: [] } },
  ],
  [
    { secureDNS: { dsData: [{ ...DS, digest: '00112233...DDEEFF' }] } },
    [],
    { dnssec: { signed: true, ds: [{ ...DS, digest: '00112233...DDEEFF' }] } },
  ],
  [{ secureDNS: { keyData: [KEY] } }, [], { dnssec: { signed: true, ds: [] } }],
  [{ secureDNS: { keyData: 'AwEAAa6e' } }, ['dnssec'], {}],
  [{ secureDNS: { delegationSigned: false, keyData: [] } }, [], { dnssec: { signed: false, ds: [] } }],

  [{ ldhName: undefined, unicodeName: 'example.test' }, [], {}],
  [{ ldhName: 7, unicodeName: 'EXAMPLE.TEST' }, [], {}],
  [{ objectClassName: 'DOMAIN' }, [], {}],
  [{ objectClassName: undefined }, [], {}],
  [{ objectClassName: 7 }, [], {}],
  [{ handle: 7, port43: 7, links: 'none', variants: {}, publicIds: 7, notices: 7, lang: 7 }, [], {}],
  // RFC 9537.
  [
    { redacted: [{ name: { type: 'Registrant Name' }, prePath: '$.entities[0]', method: 'removal' }] },
    [],
    {},
  ],
];

/** The values of a record with these members. */
function expectedOf(odd: object, values: Partial<ParsedRegistration>): ParsedRegistration {
  const dates = Object.fromEntries(DATES.map((date) => [date, null]));
  return { ...PARSED, ...('events' in odd && dates), ...values };
}

describe('an RDAP record', () => {
  it.each(FORMS)('with %j lacks %j', (odd, incomplete, values) => {
    const reading = read({ ...DOMAIN, ...odd });
    expect(reading.state).toBe('registered');
    expect(reading.incomplete).toEqual(incomplete);
    expect(reading.parsed).toEqual(expectedOf(odd, values));
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
        keyData: [{ ...KEY, events: events.slice(1) }],
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

  it('with an unexpected type in every member throws nothing, and marks every field that may be stated', () => {
    const { state, parsed, incomplete } = read({
      ...DOMAIN,
      handle: 'D-1',
      status: 7,
      nameservers: 7,
      entities: 7,
      events: 7,
      secureDNS: 7,
    });
    expect(state).toBe('registered');
    expect(parsed).toEqual({ ...NOTHING_STATED, domainName: 'example.test' });
    expect(incomplete).toEqual(RECORD_FIELDS.filter((field) => field !== 'domainName'));
  });

  it('whose link to the registrar cannot be read does not say that there is none', () => {
    const linked = (links: unknown) => typeof read({ ...DOMAIN, links }).registrarUrl;
    expect([linked([{ rel: 'related', href: 7 }]), linked(7), linked({ registrar: 'x' })]).toEqual(
      Array(3).fill('symbol'),
    );
    expect([linked([{ rel: 'self', href: 7 }]), linked([]), linked(null)]).toEqual(Array(3).fill('object'));
  });
});
