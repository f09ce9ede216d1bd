import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { listOf } from '../../../../test/list-of.ts';
import { DOMAIN, card, property, read } from '../../test/rdap-record.ts';
import { RECORD_FIELDS } from '../record/registration-record.ts';
import type { ParsedRegistration } from '../record/registration-record.ts';
import type { RdapAnswer } from './client.ts';

/** All that RFC 9083 demands of an object (section 4.9), and the name. */
const BARE = { objectClassName: 'domain', ldhName: 'example.test' };

const isText = (value: unknown) => value === null || typeof value === 'string';
const isList = (value: unknown, isItem: (item: unknown) => boolean) =>
  Array.isArray(value) && value.every(isItem);

/** Whether each field is of its type. */
function hasPublishedForms(parsed: ParsedRegistration): boolean {
  const { nameServers, status, registrarDetails, registrant, dnssec, ...texts } = parsed;
  const details = [registrarDetails, registrant].flatMap((group) => Object.values(group ?? {}));
  const signers = dnssec?.ds.map(({ digest, ...numbers }) => [
    typeof digest,
    ...Object.values(numbers).map((each) => typeof each),
  ]);
  return (
    [...Object.values(texts), ...details].every(isText) &&
    [nameServers, status].every((list) => isList(list, (item) => typeof item === 'string')) &&
    (dnssec === null || typeof dnssec.signed === 'boolean') &&
    (signers ?? []).every((types) => types.join() === 'string,number,number,number')
  );
}

describe('the state that an RDAP answer proves', () => {
  it.each([
    ['400 Bad Request', '', 'broken'],
    ['Bad Request', 'The request could not be understood due to malformed syntax.', 'broken'],
    ['Bad Request', 'Domain not found', 'broken'],
    ['Unprocessable Entity', 'example.test is not a valid domain name for this TLD', 'invalid'],
    ['Bad Request', 'The domain name is not valid.', 'invalid'],
    ['Bad Request', 'example.test is malformed', 'invalid'],
    ['Invalid query', 'The label has too many hyphens', 'invalid'],
    ['Bad Request', 'Domain name is too short', 'invalid'],
    ['Bad Request', 'Contains characters that are not allowed', 'invalid'],
    ['Bad Request', 'The domain other.test is not valid', 'broken'],
    ['Bad Request', 'The domain is reserved', 'reserved'],
    ['Bad Request', 'Rate limit exceeded', 'throttled'],
    ['Bad Request', 'Access denied', 'refused'],
  ])('400, %s: %s', (title, words, state) => {
    for (const status of [400, 422]) {
      expect(read({ errorCode: status, title, description: [words] }, { status }).state).toBe(state);
    }
  });

  it.each<[string, unknown, Partial<RdapAnswer>, string]>([
    ['404 without body that does not say so', '', { status: 404, isDelimited: false }, 'broken'],
    ['400', '', { status: 400 }, 'broken'],
    ['400 without body that does not say so', '', { status: 400, isDelimited: false }, 'broken'],
    ['400 with an RDAP error', { errorCode: 400 }, { status: 400 }, 'broken'],
    ['400 of a web server', '<html>Bad Request</html>', { status: 400 }, 'broken'],
    ['422 of a gateway', { message: 'no' }, { status: 422 }, 'broken'],
    ['401', '', { status: 401 }, 'refused'],
    ['403', '', { status: 403 }, 'refused'],
    ['501', '', { status: 501 }, 'refused'],
    ['429', '', { status: 429 }, 'throttled'],
    ['500', '', { status: 500 }, 'broken'],
    ['503', '', { status: 503 }, 'broken'],
    ['200 with a page', '<html>', {}, 'broken'],
    ['200 with nothing', '', {}, 'broken'],
    ['200 with JSON that is no object', [1], {}, 'broken'],
    ['a record of another name', { ...DOMAIN, ldhName: 'other.test' }, {}, 'broken'],
    ['a record of no name', { objectClassName: 'domain' }, {}, 'broken'],
    ['a name and nothing else', { ldhName: 'example.test' }, {}, 'broken'],
    ['a name and its class', BARE, {}, 'broken'],
    ['a name and its class, with terms of use', { ...BARE, notices: [{ title: 'Terms' }] }, {}, 'broken'],
    ['a name that is its own handle', { ...BARE, handle: 'EXAMPLE.test' }, {}, 'broken'],
    ['a name with empty members', { ...BARE, entities: [{}], nameservers: [{}], status: [] }, {}, 'broken'],
    ['a name that is not signed', { ...BARE, secureDNS: { delegationSigned: false } }, {}, 'broken'],
    ['a name with a handle', { ...BARE, handle: 'D-1' }, {}, 'registered'],
    ['a name with a name server', { ...BARE, nameservers: DOMAIN.nameservers }, {}, 'registered'],
    ['a name with a contact', { ...BARE, entities: DOMAIN.entities }, {}, 'registered'],
    ['a name with a date', { ...BARE, events: DOMAIN.events }, {}, 'registered'],
    ['a name that is signed', { ...BARE, secureDNS: { delegationSigned: true } }, {}, 'registered'],
    [
      'a name and the time of the database',
      { ldhName: 'example.test', events: DOMAIN.events.slice(0, 1) },
      {},
      'broken',
    ],
    ['a name that is available', { ldhName: 'example.test', status: ['available'] }, {}, 'broken'],
    ['a record that is available', { ...DOMAIN, status: ['available'] }, {}, 'broken'],
    ['a premium name', { ldhName: 'example.test', status: ['premium'] }, {}, 'reserved'],
    ['a name with a status alone', { ldhName: 'example.test', status: ['inactive'] }, {}, 'registered'],
    ['a record of another kind', { ...DOMAIN, objectClassName: 'nameserver' }, {}, 'broken'],
    ['a reserved name', { ...DOMAIN, status: ['reserved'], events: [] }, {}, 'reserved'],
    ['a reserved name in capitals', { ...BARE, status: [' Reserved '] }, {}, 'reserved'],
    ['a reserved name with the date of its reservation', { ...DOMAIN, status: ['reserved'] }, {}, 'reserved'],
    ['two names', '{"ldhName":"other.test","ldhName":"example.test","status":["active"]}', {}, 'broken'],
    ['a registered name that is blocked', { ...DOMAIN, status: ['blocked'] }, {}, 'registered'],
  ])('%s', (_, body, more, state) => {
    expect(read(body, more).state).toBe(state);
  });

  it('a record of the same name in the other form of its zone belongs to the name', () => {
    const body = { objectClassName: 'domain', unicodeName: 'example.台灣', handle: 'D-1' };
    expect(read(body, {}, { name: 'example.xn--kpry57d' }).state).toBe('registered');
    expect(read(body, {}, { name: 'example.xn--fiqs8s' }).state).toBe('broken');
  });

  it('429 states how long to wait, if it has Retry-After', () => {
    expect(read('', { status: 429, retryAfterSeconds: 30 }).retryAfterSeconds).toBe(30);
    expect(read('', { status: 429 }).retryAfterSeconds).toBeNull();
  });

  it('only status 429 pauses the server: a text may be about another limit', () => {
    const error = { errorCode: 404, title: 'Not Found', description: ['Rate limit exceeded'] };
    expect(read(error, { status: 404 })).toMatchObject({ state: 'throttled', isKnownThrottling: false });
    expect(read('', { status: 429 })).toMatchObject({ state: 'throttled', isKnownThrottling: true });
  });

  it('a member that is stated twice is unreadable', () => {
    const body = '{"ldhName":"example.test","handle":"D-1","status":["active"],"status":["client hold"]}';
    const { state, parsed, incomplete } = read(body);
    expect([state, parsed.status, incomplete]).toEqual(['registered', [], ['status']]);
  });

  it('the record of a reserved name is published', () => {
    const { parsed } = read({ ...DOMAIN, status: ['reserved'], events: [] });
    expect(parsed).toMatchObject({ domainName: 'example.test', registrar: 'Sample Registrar' });
  });

  it('no JSON makes the parser throw', () => {
    const names = listOf(
      `ldhName | unicodeName | status | events | eventAction | eventDate | entities | roles | vcardArray | jscard | name |
       publicIds | type | identifier | nameservers | links | rel | href | secureDNS | delegationSigned | dsData | keyData |
       keyTag | digest | objectClassName | errorCode | title | description | handle | NameServers | toString | valueOf`,
    );
    const { json } = fc.letrec<{ json: unknown }>((tie) => ({
      json: fc.oneof(
        { maxDepth: 6, withCrossShrink: true },
        fc.constantFrom(
          'registrar',
          'expiration',
          'fn',
          'adr',
          'tel',
          'vcard',
          'true',
          '',
          null,
          true,
          7,
          -1.5,
        ),
        fc.array(tie('json'), { maxLength: 5 }),
        fc.dictionary(fc.constantFrom(...names), tie('json'), { maxKeys: 6 }),
      ),
    }));
    fc.assert(
      fc.property(
        fc.dictionary(fc.constantFrom(...names), json),
        fc.constantFrom(200, 404),
        (object, status) => {
          const named = { ...object, handle: 'D-1', ldhName: 'example.test' };
          const published = read(status === 200 ? named : object, { status });
          expect(published.state).toMatch(/^[a-z_]+$/);
          expect(Object.keys(published.parsed)).toEqual(RECORD_FIELDS);
          expect(published.parsed).toSatisfy(hasPublishedForms);
        },
      ),
      { numRuns: 2_000 },
    );
    for (const odd of [null, 7, 'text', [1], [[]]]) expect(read(odd).state).toBe('broken');
  });

  it('the hundredth entity is read; those behind it may state what is missing', () => {
    const sellersAt = (index: number) => {
      const entities = Array.from({ length: 120 }, (_, at) => ({
        roles: at + 1 === index ? ['registrar', 'reseller'] : ['noc'],
        handle: `E-${at + 1}`,
      }));
      const { parsed, incomplete } = read({ ...DOMAIN, entities });
      return (['registrar', 'reseller'] as const).map((field) => [parsed[field], incomplete.includes(field)]);
    };
    expect(sellersAt(100)).toEqual(Array(2).fill(['E-100', false]));
    expect(sellersAt(101)).toEqual(Array(2).fill([null, true]));
  });

  it('a hundred entities are read in all, however they are nested', () => {
    const registrarBelow = (depth: number) => {
      let nested = '{"roles":["registrar"],"handle":"deep"}';
      for (let i = 0; i < depth; i++) nested = `{"entities":[${nested}]}`;
      return read(`{"handle":"D-1","ldhName":"example.test","entities":[${nested}]}`).parsed.registrar;
    };
    expect([registrarBelow(99), registrarBelow(100), registrarBelow(2_000)]).toEqual(['deep', null, null]);
    const leaf = [{ roles: ['noc'] }, { roles: ['registrar'], handle: 'wide' }];
    const wide = (size: number) => Array.from({ length: size }, () => ({ entities: leaf }));
    const registrarBeside = (size: number) => read({ ...DOMAIN, entities: wide(size) }).parsed.registrar;
    expect([registrarBeside(98), registrarBeside(99)]).toEqual(['wide', null]);
  });

  it('a contact of the registrar is no registrant or reseller of the name', () => {
    const of = (role: string) => ({ roles: [role], vcardArray: card(property('org', 'Umi Ltd')) });
    const registrar = { ...of('registrar'), entities: [of('registrant'), of('reseller')] };
    const { parsed } = read({ ...DOMAIN, entities: [registrar] });
    expect(parsed).toMatchObject({ registrar: 'Umi Ltd', registrant: null, reseller: null });
  });

  it('a delegation with a DS record is signed, whatever else the object says', () => {
    const dsData = [{ keyTag: 1, algorithm: 8, digestType: 2, digest: '00112233' }];
    expect(read({ ...DOMAIN, secureDNS: { delegationSigned: false, dsData } }).parsed.dnssec).toEqual({
      signed: true,
      ds: dsData,
    });
  });

  it.each(['validated', 'Renew Prohibited', 'proxy', 'locked', 'active', 'pending transfer'])(
    'a name with the status %j alone is registered',
    (status) => {
      expect(read({ ...BARE, status: [status] }).state).toBe('registered');
    },
  );
});
