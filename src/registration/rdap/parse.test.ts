import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseRdap } from './parse.ts';
import type { RdapText } from './parse.ts';

const NOW = Date.UTC(2026, 0, 1);
const DOMAIN = {
  objectClassName: 'domain',
  ldhName: 'EXAMPLE.TEST.',
  status: ['client transfer prohibited', 'active', 'locked'],
  events: [
    { eventAction: 'last update of RDAP database', eventDate: '2026-01-01T00:00:00Z' },
    { eventAction: 'registrar expiration', eventDate: '2030-01-01T00:00:00Z' },
    { eventAction: 'transfer', eventDate: '2020-01-01T00:00:00Z' },
    { eventAction: 'registration', eventDate: '2001-02-03T04:05:06.789+09:00' },
    { eventAction: 'Expiration', eventDate: '2031-02-03' },
    { eventAction: 'last changed', eventDate: '2026-01-02t03:04:05z' },
  ],
  nameservers: [
    { ldhName: 'NS1.hosting.example.' },
    { unicodeName: 'ns.見本.example' },
    { ldhName: 'ns1.hosting.example' },
  ],
  entities: [
    { roles: ['registrant'], vcardArray: ['vcard', [['fn', {}, 'text', 'Somebody']]] },
    {
      roles: ['sponsor', 'registrar'],
      handle: '9999',
      vcardArray: ['vcard', [['fn', {}, 'text', 'Sample Registrar']]],
    },
  ],
};

function read(body: unknown, more: Partial<RdapText> = {}) {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return parseRdap(
    { status: 200, text, isAuthoritative: true, retryAfter: undefined, ...more },
    'example.test',
    NOW,
  );
}

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
        nameServers: ['ns1.hosting.example', 'ns.xn--8pvz87e.example'],
        status: ['clientTransferProhibited', 'ok', 'locked'],
      },
    });
  });

  it('of a stranger type in any member loses that member only', () => {
    const odd = {
      ...DOMAIN,
      status: 7,
      nameservers: [null, 7, { ldhName: 3 }],
      entities: {},
      events: [{}, null],
    };
    const { state, parsed } = read(odd);
    expect(state).toBe('registered');
    expect(parsed).toEqual({
      domainName: 'example.test',
      registrar: null,
      creationDate: null,
      expirationDate: null,
      updatedDate: null,
      nameServers: [],
      status: [],
      registrarDetails: null,
      registrant: null,
      dnssec: null,
      reseller: null,
    });
  });

  it.each([
    [
      'fn',
      [
        ['fn', {}, 'text', 'By Name'],
        ['org', {}, 'text', 'By Organisation'],
      ],
      'By Name',
    ],
    [
      'org where fn is blank',
      [
        ['fn', {}, 'text', ''],
        ['org', {}, 'text', ['By Organisation', 'Unit']],
      ],
      'By Organisation',
    ],
    ['handle where there is no card', [], 'HANDLE-1'],
  ])('names its registrar by %s', (_, rows, name) => {
    const entities = [{ roles: ['registrar'], handle: 'HANDLE-1', vcardArray: ['vcard', rows] }];
    expect(read({ ...DOMAIN, entities }).parsed.registrar).toBe(name);
  });

  it('names a registrar that stands inside another entity', () => {
    const inner = { roles: ['registrar'], vcardArray: ['vcard', [['fn', {}, 'text', 'Inner Registrar']]] };
    expect(
      read({ ...DOMAIN, entities: [{ roles: ['registrant'], entities: [inner] }] }).parsed.registrar,
    ).toBe('Inner Registrar');
  });

  it.each(['0001-01-01T00:00:00Z', '2026-13-01T00:00:00Z', '2026-02-30T10:00:00Z', 'soon', ''])(
    'whose date is %j has none: never a guess',
    (eventDate) => {
      const events = [{ eventAction: 'registration', eventDate }];
      expect(read({ ...DOMAIN, events }).parsed.creationDate).toBeNull();
    },
  );

  it('links to the record of its registrar', () => {
    const links = [
      {
        rel: 'self',
        href: 'https://rdap.registry.example/domain/EXAMPLE.TEST',
        type: 'application/rdap+json',
      },
      {
        rel: 'related',
        href: 'https://rdap.registrar.example/domain/EXAMPLE.TEST',
        type: 'application/rdap+json',
      },
    ];
    expect(read({ ...DOMAIN, links }).registrarUrl).toBe(
      'https://rdap.registrar.example/domain/EXAMPLE.TEST',
    );
    expect(read(DOMAIN).registrarUrl).toBeNull();
  });
});

describe('what servers write in their own way', () => {
  const registration = (...dates: string[]) => ({
    ...DOMAIN,
    events: dates.map((eventDate) => ({ eventAction: 'registration', eventDate })),
  });

  it.each([
    ['2026-01-02T03:04:05', '2026-01-02'],
    ['2026-01-02T03:04:05.678', '2026-01-02'],
    ['2026-01-02T04:05Z', '2026-01-02T04:05:00Z'],
    ['2026-01-02T04:05+01:00', '2026-01-02T03:05:00Z'],
  ])('a time of %j is %j', (stated, expected) => {
    expect(read(registration(stated)).parsed.creationDate).toBe(expected);
  });

  it('an unreadable first event does not hide a good second', () => {
    expect(read(registration('soon', '2026-01-02T03:04:05Z')).parsed.creationDate).toBe(
      '2026-01-02T03:04:05Z',
    );
  });

  it('a byte order mark is no fault', () => {
    expect(read(`\ufeff${JSON.stringify(DOMAIN)}`).state).toBe('registered');
  });

  it('roles and status may be words instead of lists', () => {
    const entities = [{ roles: 'registrar', vcardArray: ['vcard', [['fn', {}, 'text', 'One Role']]] }];
    const { parsed } = read({ ...DOMAIN, entities, status: 'active' });
    expect(parsed).toMatchObject({ registrar: 'One Role', status: ['ok'] });
  });

  it('a sponsor is the registrar where there is none', () => {
    const entities = [{ roles: ['sponsor'], vcardArray: ['vcard', [['fn', {}, 'text', 'By Sponsor']]] }];
    expect(read({ ...DOMAIN, entities }).parsed.registrar).toBe('By Sponsor');
  });

  it('JSContact is read beside jCard, and before it', () => {
    const jsContact = { '@type': 'Card', name: { full: 'By JSContact' } };
    const vcardArray = ['vcard', [['fn', {}, 'text', 'By jCard']]];
    for (const member of ['jscard', 'jsContactCard', 'jscontact_card']) {
      const entities = [{ roles: ['registrar'], [member]: jsContact, vcardArray }];
      expect(read({ ...DOMAIN, entities }).parsed.registrar).toBe('By JSContact');
    }
  });

  it('control characters and terminal sequences are not published', () => {
    const entities = [
      { roles: ['registrar'], vcardArray: ['vcard', [['fn', {}, 'text', 'Ka\x1b[31mmo\x07me']]] },
    ];
    const { parsed } = read({ ...DOMAIN, entities, status: ['lo\x9bmcked'] });
    expect(parsed).toMatchObject({ registrar: 'Kamome', status: ['locked'] });
  });
});

describe('what is told beside the seven fields', () => {
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
  const reseller = { roles: ['reseller'], vcardArray: ['vcard', [['fn', {}, 'text', 'Gaivota Hosting']]] };
  const ds = { keyTag: 12345, algorithm: 8, digestType: 2, digest: '00112233445566778899aabbccddeeff' };

  it('is the registrar, the holder without personal data, DNSSEC and the reseller', () => {
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

  it('is null where it is not stated', () => {
    const { registrarDetails, registrant, dnssec, reseller: none } = read({ ...DOMAIN, entities: [] }).parsed;
    expect([registrarDetails, registrant, dnssec, none]).toEqual([null, null, null, null]);
    expect(read({ ...DOMAIN, secureDNS: { delegationSigned: false } }).parsed.dnssec).toEqual({
      signed: false,
      ds: [],
    });
  });
});

describe('what an RDAP answer says of the name', () => {
  it.each<[string, unknown, Partial<RdapText>, string]>([
    ['404 with an RDAP error', { errorCode: 404 }, { status: 404 }, 'not_registered'],
    ['404 without body', '', { status: 404 }, 'not_registered'],
    ['404 with the code as a string', { errorCode: '404' }, { status: 404 }, 'not_registered'],
    ['404 with JSON of a gateway', { message: 'no Route matched' }, { status: 404 }, 'broken'],
    ['404 with words', '404 page not found', { status: 404 }, 'broken'],
    ['404 of a web server', '<html>404</html>', { status: 404 }, 'broken'],
    ['404 of another host than the registry', '', { status: 404, isAuthoritative: false }, 'broken'],
    ['200 around an error 404', { errorCode: 404 }, {}, 'not_registered'],
    ['400', '', { status: 400 }, 'invalid'],
    ['401', '', { status: 401 }, 'refused'],
    ['403', '', { status: 403 }, 'refused'],
    ['429', '', { status: 429 }, 'throttled'],
    ['500', '', { status: 500 }, 'broken'],
    ['503', '', { status: 503 }, 'broken'],
    ['503 that says how long to wait', '', { status: 503, retryAfter: '9' }, 'throttled'],
    ['200 with a page', '<html>', {}, 'broken'],
    ['200 with nothing', '', {}, 'broken'],
    ['200 with JSON that is no object', [1], {}, 'broken'],
    ['a record of another name', { ...DOMAIN, ldhName: 'other.test' }, {}, 'broken'],
    ['a record of no name', { objectClassName: 'domain' }, {}, 'broken'],
    ['a name and nothing else', { ldhName: 'example.test' }, {}, 'broken'],
    [
      'a name and the time of the database',
      { ldhName: 'example.test', events: DOMAIN.events.slice(0, 1) },
      {},
      'broken',
    ],
    ['a name that is available', { ldhName: 'example.test', status: ['available'] }, {}, 'broken'],
    ['a premium name', { ldhName: 'example.test', status: ['premium'] }, {}, 'reserved'],
    ['a name with a status alone', { ldhName: 'example.test', status: ['inactive'] }, {}, 'registered'],
    ['a record of another kind', { ...DOMAIN, objectClassName: 'nameserver' }, {}, 'broken'],
    ['a reserved name', { ...DOMAIN, status: ['reserved'], events: [] }, {}, 'reserved'],
  ])('%s', (_, body, more, state) => {
    expect(read(body, more).state).toBe(state);
  });

  it.each([
    ['30', 30],
    ['Thu, 01 Jan 2026 00:01:00 GMT', 60],
    ['Wed, 31 Dec 2025 00:00:00 GMT', 0],
    ['soon', null],
    [undefined, null],
  ])('a Retry-After of %j is %j seconds', (retryAfter, seconds) => {
    expect(read('', { status: 429, retryAfter }).retryAfterSeconds).toBe(seconds);
  });

  it('no JSON makes it throw', () => {
    const members = fc.dictionary(
      fc.constantFrom(
        'ldhName',
        'status',
        'events',
        'entities',
        'nameservers',
        'links',
        'objectClassName',
        'errorCode',
      ),
      fc.jsonValue({ maxDepth: 4 }),
    );
    fc.assert(
      fc.property(fc.oneof(members, fc.jsonValue()), (json) => {
        expect(read(json).state).toMatch(/^[a-z_]+$/);
      }),
      { numRuns: 1_000 },
    );
  });

  it('two thousand nested entities are read no deeper than three', () => {
    let nested = '{"roles":["registrar"],"handle":"deep"}';
    for (let i = 0; i < 2_000; i++) nested = `{"entities":[${nested}]}`;
    expect(
      read(`{"objectClassName":"domain","ldhName":"example.test","entities":[${nested}]}`),
    ).toMatchObject({
      state: 'registered',
      parsed: { registrar: null },
    });
  });
});
