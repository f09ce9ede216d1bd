import { describe, expect, it } from 'vitest';
import { DOMAIN, card, event, named, property, read } from '../../test/rdap-record.ts';
import { NOTHING_STATED } from '../record/registration-record.ts';
import type { RecordField } from '../record/registration-record.ts';
import { EVENTS } from './domain-object.ts';

const { parsed: PARSED } = read(DOMAIN);
const DATES = Object.keys(EVENTS) as RecordField[];
const CONTACTS: RecordField[] = ['registrar', 'registrarDetails', 'registrant', 'reseller'];
const HOST = 'ns1.hosting.example';
const OTHER_HOST = 'ns2.hosting.example';
const HOSTS = [HOST, OTHER_HOST];
const EXPIRY = '2031-02-03T04:05:06Z';
const DIGEST = '00112233445566778899AABBCCDDEEFF';
const DS = { keyTag: 12345, algorithm: 8, digestType: 2, digest: DIGEST };
/** As in RFC 9083. */
const SHORTENED = { ...DS, digest: '00112233...DDEEFF' };
const SIGNED = { signed: true, ds: [DS] };
const UNLISTED = { signed: true, ds: [] };
const MANY_HOSTS = Array.from({ length: 65 }, (_, index) => `ns${index}.hosting.example`);
const WORDS = Array.from({ length: 41 }, (_, index) => `word ${index}`);

/** Members of a record, the fields of which a part is unreadable, and the values that differ from the whole record's. */
type Row = [odd: object, incomplete: readonly RecordField[], values: object];

/** A form of a member, the value of the field that it states, and whether a part of it is unreadable. */
type Form = [form: unknown, value: unknown, unread?: 'unread'];

const formsOf = (member: string, field: RecordField, forms: readonly Form[]): Row[] =>
  forms.map(([form, value, unread]) => [{ [member]: form }, unread ? [field] : [], { [field]: value }]);
const expiries = (forms: readonly Form[]): Row[] =>
  formsOf(
    'events',
    'expirationDate',
    forms.map(([date, ...read]) => [[event('expiration', date)], ...read]),
  );

const entity = (more: object) => ({ roles: ['registrar'], vcardArray: named('Sample Registrar'), ...more });
const sponsor = { roles: ['sponsor'], vcardArray: named('Sample Sponsor') };
/** A registrar with these members, and its name as read. */
const registrar = (
  more: object,
  name: string | null = 'Sample Registrar',
  ...incomplete: RecordField[]
): Row => [{ entities: [entity(more)] }, incomplete, { registrar: name }];
/** A registrar with these members, and its details as read. */
const details = (more: object, values: object | null, ...incomplete: RecordField[]): Row => [
  { entities: [entity(more)] },
  incomplete,
  { registrarDetails: values && { ianaId: null, url: null, abuseEmail: null, abusePhone: null, ...values } },
];
const EMAIL = { abuseEmail: 'abuse@registrar.example' };
/** A registrar whose card for abuse has these properties and an e-mail, and its telephone number as read. */
const abuse = (tel: readonly unknown[], abusePhone: string | null, ...incomplete: RecordField[]): Row => {
  const vcardArray = card(property('email', EMAIL.abuseEmail), ...tel);
  return details({ entities: [{ roles: ['abuse'], vcardArray }] }, { ...EMAIL, abusePhone }, ...incomplete);
};
const ianaIds = (...identifiers: unknown[]) => ({
  publicIds: identifiers.map((identifier) => ({ type: 'iana Registrar ID', identifier })),
});
/** The link about the registrar, with a terminal sequence in it. */
const ABOUT = [
  { rel: 'self', href: 'https://rdap.example/entity/1' },
  { rel: 'about', href: 'https://about.example/\u001b[2J' },
];
const WEB_CARD = card(property('fn', 'Sample Registrar'), property('url', 'https://card.example'));
const WEB = { links: ABOUT, url: 'https://entity.example' };
/** A registrant in this country, and it as read. */
const inCountry = (name: string, parameters: object, country: string | null): Row => {
  const address = property('adr', ['', '', 'Street 1', 'Lisboa', '', '1000', name], parameters);
  const registrant = country === null ? null : { organization: null, country };
  const entities = [{ roles: ['registrant'], vcardArray: card(address) }];
  return [{ entities }, [], { registrar: null, registrant }];
};
const hidden = (text: string): Row => {
  const vcardArray = card(property('org', text), property('fn', text), property('adr', [text]));
  return [
    { entities: ['registrant', 'reseller'].map((role) => ({ roles: [role], vcardArray })) },
    [],
    { registrar: null },
  ];
};

/** Each member in the forms that servers send, or that somebody may try. */
const FORMS: readonly Row[] = [
  ...formsOf('status', 'status', [
    ['active', ['ok']],
    ['clientHold https://icann.org/epp#clientHold', ['clientHold']],
    [['active', null, '', ' '], ['ok']],
    [['lo\x9bmcked'], ['locked']],
    [['active', 7], ['ok'], 'unread'],
    [{ 0: 'active' }, [], 'unread'],
    [[['active']], [], 'unread'],
    [[{ value: 'active' }], [], 'unread'],
    [['active', 'word '.repeat(30)], ['ok'], 'unread'],
    [WORDS, WORDS.slice(0, 40), 'unread'],
    [[...WORDS.slice(0, 40), 'word 0'], WORDS.slice(0, 40)],
  ]),

  ...expiries([
    [EXPIRY, EXPIRY],
    // As in WHOIS.
    ['20310203T040506Z', EXPIRY],
    // A time without its zone gives its day.
    ['2031-02-03T04:05:06', '2031-02-03'],
    ['soon', null, 'unread'],
    ['01/02/2030', null, 'unread'],
    [1_927_857_906, null, 'unread'],
    [{ date: EXPIRY }, null, 'unread'],
    [undefined, null],
    ['-2031-02-03T04:05:06Z', null, 'unread'],
    // PHP writes 0000-00-00 in the third form.
    ...[null, 'N/A', 'never', '-0001-11-30T00:00:00+00:00', '0000-00-00'].map((none): Form => [none, null]),
    ['0001-01-01T00:00:00Z', null],
  ]),
  ...formsOf('events', 'expirationDate', [
    [[event('expiration', 'soon'), event('EXPIRATION', EXPIRY)], EXPIRY],
    [[event('expiration', EXPIRY), event('expiration', EXPIRY), event('expiration', 7)], EXPIRY],
    [[event('expiration', EXPIRY), event('Expiration', '2040-01-02T03:04:05Z')], null, 'unread'],
    [[event('expiration', EXPIRY.slice(0, 10)), event('expiration', EXPIRY)], EXPIRY],
    [event('expiration', EXPIRY), EXPIRY],
    [[{ eventAction: 'expiration', EventDate: EXPIRY }], null, 'unread'],
    [[event('locked', 7)], null],
    [[{}, null, []], null],
  ]),
  [{ events: [event('lastChanged', EXPIRY)] }, [], { updatedDate: EXPIRY }],
  [{ events: [{ eventDate: EXPIRY }] }, DATES, {}],
  [
    { events: [event('expiration', EXPIRY), event(7, EXPIRY)] },
    DATES.filter((each) => each !== 'expirationDate'),
    { expirationDate: EXPIRY },
  ],
  [{ events: { expiration: EXPIRY } }, DATES, {}],
  [{ events: [`expiration ${EXPIRY}`] }, DATES, {}],

  ...formsOf('nameservers', 'nameServers', [
    [HOSTS, HOSTS],
    [`${HOST} ${OTHER_HOST}`, HOSTS],
    [[{ ldhName: 'NS1.HOSTING.EXAMPLE.' }, OTHER_HOST], HOSTS],
    [{ ldhName: HOST }, [HOST]],
    [[{ ldhName: `${HOST} 192.0.2.1` }], [HOST]],
    [[{ ldhName: HOST, unicodeName: '' }], [HOST]],
    [[{ unicodeName: 'ns.見本.example' }], ['ns.xn--8pvz87e.example']],
    [[{ ldhName: 7, unicodeName: HOST }], [HOST]],
    // The name itself is an echo.
    [['example.test', HOST], [HOST]],
    [[{ ldhName: '', unicodeName: null }, {}, null], []],
    [['none', 'not.defined', '-', 'N/A'], []],
    [[{ name: HOST }], [], 'unread'],
    [[HOST, { hostName: OTHER_HOST }], [HOST], 'unread'],
    [['http://ns1.hosting.example/', 7], [], 'unread'],
    [{ ns1: HOST }, [], 'unread'],
    [[[HOST]], [], 'unread'],
    [MANY_HOSTS, MANY_HOSTS.slice(0, 64), 'unread'],
  ]),
  [{ nameservers: undefined, nameServers: [] }, [], { nameServers: [] }],

  [{ entities: entity({}) }, [], {}],
  [{ entities: [sponsor] }, [], { registrar: 'Sample Sponsor' }],
  [{ entities: [sponsor, entity({})] }, [], {}],
  [{ entities: [{ roles: ['technical'], entities: [entity({})] }] }, [], {}],
  [{ entities: 'Sample Registrar' }, CONTACTS, { registrar: null }],
  [{ entities: { registrar: entity({}) } }, CONTACTS, { registrar: null }],
  [{ entities: [entity({}), 7] }, ['registrant', 'reseller'], {}],
  [{ entities: [{ roles: null, vcardArray: [], publicIds: null, remarks: 7 }] }, [], { registrar: null }],
  registrar({ roles: 'Registrar' }),
  registrar({ roles: { 0: 'registrar' } }, null, ...CONTACTS),
  registrar({ roles: ['registrar', 7] }, undefined, 'registrant', 'reseller'),
  registrar({ roles: undefined, Roles: ['registrar'] }, null, ...CONTACTS),
  registrar({ entities: [7] }, undefined, 'registrarDetails'),

  registrar({ vcardArray: card(property('FN', 'Sample Registrar')) }),
  registrar({ vcardArray: card(property('org', 'A'), property('fn', 'Sample Registrar')) }),
  registrar({ vcardArray: card(property('fn', ''), property('org', ['Sample Registrar', 'Unit'])) }),
  registrar({ vcardArray: card(property('fn', 7), property('org', ['Sample Registrar', 'Unit'])) }),
  registrar({ vcardArray: card(property('fn', 7)) }, null, 'registrar'),
  registrar({ vcardArray: named('Kam\ufffdme') }, null, 'registrar'),
  registrar({ vcardArray: named('"Kamome  Names"') }, 'Kamome Names'),
  registrar({ vcardArray: card(['fn', 'Sample Registrar']) }, null, 'registrar'),
  registrar({ vcardArray: card([], null, property('fn', 'Sample Registrar')) }),
  registrar(
    { vcardArray: card([{ toString: 7 }, {}, 'text', 'A'], property('fn', 'Sample Registrar')) },
    undefined,
    'registrarDetails',
  ),
  registrar({ vcardArray: card(), handle: 'KAMOME-1' }, 'KAMOME-1'),
  registrar({ vcardArray: named('N/A'), handle: 'KAMOME-1' }, 'KAMOME-1'),
  registrar({ vcardArray: [], handle: '1498673-SAMPLE' }, null),
  registrar({ vcardArray: named('REDACTED FOR PRIVACY') }, null),
  registrar({ vcardArray: named('Ka\x1b[31mmo\x07me') }, 'Kamome'),
  registrar({ vcardArray: 'Sample Registrar' }, null, 'registrar', 'registrarDetails'),
  registrar({ vcardArray: ['vcard', ['fn']] }, null, 'registrar', 'registrarDetails'),
  registrar({ vcardArray: undefined, vCardArray: named('A') }, null, 'registrar', 'registrarDetails'),
  registrar({ vcardArray: ['vcard', { fn: 'Sample Registrar', adr: [{ region: [''] }] }] }),
  registrar({ vcardArray: { fn: 'Sample Registrar' } }),
  registrar({ vcardArray: [], jscard: { name: { full: 'Sample Registrar' } } }),
  registrar({ vcardArray: [], jscard: 'Sample Registrar' }, null, 'registrar', 'registrarDetails'),
  registrar({ jscard: { name: 7 } }),
  ...['jscard', 'jsContactCard', 'jscontact_card'].map((name) =>
    registrar({ [name]: { name: { full: 'By JSContact' } } }, 'By JSContact'),
  ),

  abuse([property('tel', 'tel:')], null),
  ...['fax', ['work', 'fax']].map((type) =>
    abuse(
      [property('tel', 'tel:+1.5555550199', { type }), property('tel', 'TEL:+1.5555550100')],
      '+1.5555550100',
    ),
  ),
  abuse([property('tel', { voice: '5550100' })], null, 'registrarDetails'),
  abuse([property('tel', 'at noon')], null, 'registrarDetails'),
  abuse(['tel'], null, 'registrarDetails'),
  details({ publicIds: { type: 'IANA Registrar ID', identifier: '99' } }, { ianaId: '99' }),
  details({ publicIds: { 'IANA Registrar ID': '99' } }, null, 'registrarDetails'),
  details(
    { publicIds: [{ type: 'Local ID', identifier: '7' }, ...ianaIds('99\u0007').publicIds] },
    { ianaId: '99' },
  ),
  details({ publicIds: [{ type: 'Local ID', identifier: {} }] }, null),
  details(ianaIds(null, undefined, {}, '', 'not applicable'), null),
  details(ianaIds('ninety'), null, 'registrarDetails'),
  details({ links: [{ rel: 'about', href: 7 }] }, null, 'registrarDetails'),
  details({ links: 'https://www.registrar.example' }, null, 'registrarDetails'),
  details({ links: ABOUT, url: '' }, { url: 'https://about.example/' }),
  details(WEB, { url: 'https://entity.example' }),
  details({ ...WEB, vcardArray: WEB_CARD }, { url: 'https://card.example' }),

  inCountry('Portugal', { cc: 'PT' }, 'PT'),
  inCountry(' Portugal ', {}, 'Portugal'),
  inCountry('', {}, null),
  ...['REDACTED FOR PRIVACY', 'Not Disclosed', 'N/A'].map(hidden),

  ...formsOf('secureDNS', 'dnssec', [
    [{ zoneSigned: true, maxSigLife: 7 }, null],
    [{ delegationSigned: 'true' }, UNLISTED],
    [[{ delegationSigned: true }], UNLISTED],
    [{ delegationSigned: 'yes' }, null, 'unread'],
    [{ delegationSigned: { toString: 7 } }, null, 'unread'],
    [{ DelegationSigned: true }, null, 'unread'],
    [true, null, 'unread'],
    ['signed', null, 'unread'],
    [{ signed: true }, null, 'unread'],
    [{ dsData: [{ keyTag: '12345', algorithm: '8', digestType: '2', digest: DIGEST }] }, SIGNED],
    [{ dsData: DS }, SIGNED],
    [{ dsData: { 0: DS } }, null, 'unread'],
    [{ dsData: [DS, { ...DS, algorithm: 'RSASHA256' }] }, SIGNED, 'unread'],
    [{ dsData: [{ ...DS, keyTag: -1 }] }, null, 'unread'],
    [{ dsData: Array(17).fill(DS) }, { signed: true, ds: Array(16).fill(DS) }, 'unread'],
    [{ delegationSigned: 'yes', dsData: [null, DS] }, SIGNED, 'unread'],
    [{ delegationSigned: true, dsData: [{ ...DS, digest: 7 }] }, UNLISTED, 'unread'],
    [{ dsData: [{ ...DS, digest: '00112233 44556677\n8899aabbccddeeff' }] }, SIGNED],
    [{ delegationSigned: true, dsData: [DS, SHORTENED] }, SIGNED, 'unread'],
    [{ keyData: [{ flags: 257, protocol: 3, algorithm: 8, publicKey: 'AwEAAa6e' }] }, UNLISTED],
    [{ keyData: 'AwEAAa6e' }, null, 'unread'],
  ]),

  [{ ldhName: undefined, unicodeName: 'example.test' }, [], {}],
  [{ ldhName: 7, unicodeName: 'EXAMPLE.TEST' }, [], {}],
  [{ unicodeName: '' }, [], {}],
  [{ objectClassName: 'DOMAIN' }, [], {}],
  [{ objectClassName: undefined }, [], {}],
  [{ objectClassName: 7 }, [], {}],
  [{ handle: 7, port43: 7, links: 'none', variants: {}, publicIds: 7, notices: 7, lang: 7 }, [], {}],
  // RFC 9537.
  [{ redacted: [{ name: { type: 'Registrant Name' }, method: 'removal' }] }, [], {}],
];

/** Each member with a value of its type, and the fields that it states. */
const MEMBERS: readonly [member: string, value: unknown, fields: readonly RecordField[]][] = [
  ['status', DOMAIN.status, ['status']],
  ['events', DOMAIN.events, DATES],
  ['nameservers', DOMAIN.nameservers, ['nameServers']],
  ['entities', DOMAIN.entities, CONTACTS],
  ['secureDNS', { delegationSigned: true }, ['dnssec']],
];
/** The fields as a record has them that does not state them. */
const unstated = (fields: readonly RecordField[]) =>
  Object.fromEntries(fields.map((field) => [field, NOTHING_STATED[field]]));

describe('an RDAP record', () => {
  it.each(FORMS)('with %j lacks %j', (odd, incomplete, values) => {
    const reading = read({ ...DOMAIN, ...odd });
    expect(reading.state).toBe('registered');
    expect(reading.incomplete).toEqual(incomplete);
    expect(reading.parsed).toEqual({ ...PARSED, ...('events' in odd && unstated(DATES)), ...values });
  });

  describe.each(MEMBERS)('with another form of the member %s', (member, value, fields) => {
    const capitalised = member.replace(/^./, (letter) => letter.toUpperCase());
    it.each([
      [{ [member]: undefined }, []],
      [{ [member]: null }, []],
      [{ [member]: [] }, []],
      [{ [member]: {} }, []],
      [{ [member]: 7 }, fields],
      [{ [member]: undefined, [capitalised]: value }, fields],
    ])('%j lacks %j', (odd, incomplete) => {
      const reading = read({ ...DOMAIN, ...odd });
      expect([reading.state, reading.incomplete]).toEqual(['registered', incomplete]);
      expect(reading.parsed).toEqual({ ...PARSED, ...unstated(fields) });
    });
  });
});
