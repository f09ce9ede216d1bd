import { readFileSync, readdirSync } from 'node:fs';
import { afterEach, describe, expect, it, test } from 'vitest';
import { record } from '../../../test/registration/loopback-world.ts';
import { NIC, closeWorld, errorOf, open } from '../../../test/registration/opened-world.ts';
import { DOMAIN } from '../../../test/registration/rdap-record.ts';
import { startRegistration } from '../main.ts';
import { redactEntities } from '../rdap/redact-entities.ts';
import { withoutContacts } from './redact-raw.ts';
import { parseWhoisText } from '../whois/parsers/parse-whois-text.ts';
import { redactContacts } from '../whois/parsers/redact-contacts.ts';

const folder = new URL('../../../fixtures/whois/', import.meta.url);
const fixtures = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.txt'))
  .sort();

function load(path: string) {
  const about = JSON.parse(readFileSync(new URL(path.replace(/txt$/, 'json'), folder), 'utf8')) as object;
  return {
    ...(about as { server: string; domain: string | null; expected: { state: string } }),
    text: readFileSync(new URL(path, folder), 'utf8'),
  };
}

/** The fields about the domain itself. */
function factsOf(text: string, hints: { server: string; domain: string | null }) {
  const { state, parsed } = parseWhoisText(text, hints);
  return { state, ...parsed, registrant: undefined, reseller: undefined };
}

const PERSON = /[^\s@]+@[^\s@]+\.\w|\+\d{1,3}[ .(-]*\d[\d .()-]{4,}/;
const CONTACT_LABEL =
  /^\s*(?:(?:registrant|admin|tech|billing|owner|holder) ?(?:name|street|email|phone|fax|city)|person|e-mail|phone|fax-no)\s*[.:]+\s*\S/i;
const REMARK = /^\s*(?:[%#;]|>>>)/;
const ABUSE = /abuse/i;

describe('a text without contacts', () => {
  it.each(fixtures)('%s keeps the facts of the domain', (path) => {
    const { text, server, domain, expected } = load(path);
    if (expected.state !== 'registered' && expected.state !== 'reserved') return;
    const hints = { server, domain };
    expect(factsOf(redactContacts(text, hints), hints)).toEqual(factsOf(text, hints));
  });

  it.each(fixtures)('%s contains no contacts', (path) => {
    const { text, server, domain } = load(path);
    const lines = redactContacts(text, { server, domain }).split('\n');
    const left = lines.filter((line) => !REMARK.test(line) && !ABUSE.test(line));
    expect(left.filter((line) => PERSON.test(line) || CONTACT_LABEL.test(line))).toEqual([]);
  });

  test('contacts below a heading, after a label and on continuation lines are removed', () => {
    const text = `Domain Name: umi.example
Registrar: Kamome Names
Registrar Abuse Contact Email: abuse@registrar.example
Registrar Abuse Contact Phone: +1.5555550100
Registrant Name: Hoshi Hana
Registrant Street: 1 Harbour Road
   Second Floor
Tech Mobile2: 0123
person: Hoshi Hana

Administrative contact:
   Hoshi Hana
   1 Harbour Road
   Telephone 555 0100

Owner   Hoshi Hana
Name Server: ns1.umi.example
mailto hoshi@umi.example
`;
    expect(redactContacts(text, { domain: 'umi.example' })).toBe(`Domain Name: umi.example
Registrar: Kamome Names
Registrar Abuse Contact Email: abuse@registrar.example
Registrar Abuse Contact Phone: +1.5555550100
[contact removed]
Name Server: ns1.umi.example
[contact removed]
`);
  });

  test.each([
    [
      'below a heading in brackets',
      `Domain: umi.example
Changed: 2030-01-31T10:00:00+01:00

[Tech-C]
Type: PERSON
Name: Hoshi Hana
PostalCode: 12345
Changed: 2029-01-31T10:00:00+01:00

[Zone-C]
Type: PERSON
Name: Hoshi Hana
`,
      `Domain: umi.example
Changed: 2030-01-31T10:00:00+01:00

[contact removed]
`,
    ],
    [
      'below a heading and an empty line',
      `Nameservers

nserver....: ns1.umi.example

Holder

name.......: Hoshi Hana
country....: Finland

Registrar

registrar..: Kamome Names
`,
      `Nameservers

nserver....: ns1.umi.example

[contact removed]

Registrar

registrar..: Kamome Names
`,
    ],
    [
      'without a heading',
      `Domain Name: umi.example

First Name: Hana

Last Name: Hoshi

ZIP: 12345

Name: Hana.Hoshi
`,
      `Domain Name: umi.example

[contact removed]
`,
    ],
    [
      'until the name servers, also if these are deeper than their heading',
      `Domain Name: umi.example
Organization Using Domain Name
 Organization Name..........: Hoshi
Nameservers
 Primary Server Hostname....: ns1.umi.example
`,
      `Domain Name: umi.example
[contact removed]
Nameservers
 Primary Server Hostname....: ns1.umi.example
`,
    ],
    [
      'below a label or heading of any language',
      `Domain Name: umi.example

등록인                      : Hoshi Hana
descr:       Harbour Books, to the attention of Hoshi Hana
Beneficiarul:
  Hoshi Hana
Holder English Name (it should be the same as your legal name on your identity card or other relevant documents):  HOSHI
  12 rue de la mer, deuxième étage, porte b

Status: ok
`,
      `Domain Name: umi.example

[contact removed]

Status: ok
`,
    ],
  ])('contacts are removed %s', (_where, text, expected) => {
    expect(redactContacts(text, { domain: 'umi.example' })).toBe(expected);
  });

  test('from an RDAP object the entities of all but registrars and resellers are removed, at any depth', () => {
    const person = {
      objectClassName: 'entity',
      handle: 'HOSHI-1',
      vcardArray: ['vcard', [['fn', {}, 'text', 'Hoshi']]],
    };
    const entities = [
      { ...person, roles: ['registrant', 'administrative'] },
      { ...person, roles: ['registrar'], handle: '9999', entities: [{ ...person, roles: ['technical'] }] },
      person,
    ];
    const odd = [{ entities: person }, { entities: ['Hoshi'] }, { vcardArray: person.vcardArray }];
    const text = redactEntities(JSON.stringify({ ...DOMAIN, nameservers: [{ entities }, ...odd], entities }));
    expect(text.match(/HOSHI-1/g)).toBeNull();
    // The cards of the registrar.
    expect(text.match(/"Hoshi"/g)).toHaveLength(2);
    const { ldhName, events } = JSON.parse(text) as typeof DOMAIN;
    expect({ ldhName, events }).toEqual({ ldhName: DOMAIN.ldhName, events: DOMAIN.events });
  });

  test('addresses in other texts of an RDAP answer are removed, those of a card for abuse reports remain', () => {
    const remarks = [{ description: ['Write to hana@hoshi.test or +81 3 5555 0100.'] }];
    const abuse = {
      roles: ['abuse'],
      vcardArray: ['vcard', [['email', {}, 'text', 'abuse@umi.test']]],
      remarks,
    };
    const object = { ...DOMAIN, remarks, entities: [{ roles: ['registrar'], entities: [abuse] }] };
    const text = redactEntities(JSON.stringify(object));
    expect(text.match(/Write to .*(?=")/g)).toEqual(
      Array(2).fill('Write to [contact removed] or [contact removed]'),
    );
    expect(text).toContain('abuse@umi.test');
    expect((JSON.parse(text) as typeof DOMAIN).events).toEqual(DOMAIN.events);
  });

  test.each(['registrant', 'holderName', 'eventActor', 'name', 'toString'])(
    'a member %s, which no public object of RDAP has, is removed at any depth',
    (member) => {
      const custom = { [member]: { name: 'Hoshi' } };
      const object = {
        ...DOMAIN,
        ...custom,
        nameservers: [{ ldhName: 'ns.umi.example', ...custom }],
        events: [{ eventAction: 'registration', ...custom }],
        secureDNS: { delegationSigned: true, dsData: [custom] },
        entities: [{ roles: ['registrar'], handle: '9999', links: [custom], ...custom }],
      };
      const text = redactEntities(JSON.stringify(object));
      expect(text).not.toContain('Hoshi');
      for (const remaining of ['ns.umi.example', '"registration"', '"delegationSigned": true', '"9999"'])
        expect(text).toContain(remaining);
    },
  );

  test.each([
    [['registrar'], true],
    [['sponsor'], true],
    [['reseller'], true],
    ['reseller', true],
    [['registrar', 'abuse'], true],
    [['reseller', 'registrant'], false],
    [['technical'], false],
    [[], false],
  ])('an RDAP entity whose roles are %j is public: %s', (roles, isPublic) => {
    for (const member of ['vcardArray', 'jscard', 'jsContactCard', 'jscontact_card']) {
      const entity = { objectClassName: 'entity', roles, [member]: { name: { full: 'Hoshi' } } };
      // The object may be an entity itself.
      for (const object of [{ ...DOMAIN, entities: [entity] }, entity]) {
        expect(redactEntities(JSON.stringify(object)).includes('Hoshi')).toBe(isPublic);
        expect(
          redactEntities(`\ufeff${JSON.stringify({ ...DOMAIN, card: { [member]: 'Hoshi' } })}`),
        ).not.toContain('Hoshi');
      }
    }
  });
});

it('the service removes contacts according to RAW_CONTACTS, and parses the whole text', async () => {
  const start = (RAW_CONTACTS: string) =>
    startRegistration({ LOG_LEVEL: 'silent', REGISTRATION_PORT: '0', RATE_LIMIT: '0', RAW_CONTACTS });
  const services = await Promise.all([start('whole'), start('redact')]);
  const [whole, redacted] = await Promise.all(
    services.map(async ({ address }) => (await fetch(`${address}/example.jp`)).json()),
  );
  const free = await (await fetch(`${services[1].address}/free-name.org`)).json();
  await Promise.all(services.map((service) => service.close()));
  expect((whole as { raw: string }).raw).toContain('Registrant');
  expect((redacted as { raw: string }).raw).not.toContain('Registrant');
  expect(redacted).toMatchObject({ parsed: (whole as { parsed: object }).parsed, state: 'registered' });
  expect(free).toMatchObject({
    error: {
      code: 'not_registered',
      details: { raw: expect.stringContaining('Domain not found') as unknown },
    },
  });
});

describe('a look-up without contacts', () => {
  afterEach(closeWorld);

  const REGISTRAR = 'whois.registrar.test';
  const HOLDER = 'Registrant Name: Hoshi Hana';
  interface Contradictory {
    raw: string;
    contradictions: { line: string }[];
  }
  const settings = { withContacts: false };
  const root = { test: { refer: NIC } };

  it('removes them from the texts of the registrar and of the registry', async () => {
    const { lookUp } = await open({
      root,
      settings,
      whois: {
        [NIC]: record('umi.test', [`Registrar WHOIS Server: ${REGISTRAR}`, HOLDER]),
        [REGISTRAR]: record('umi.test', [HOLDER]),
      },
    });
    const { raw, registry } = await lookUp('umi.test', 'registrar');
    expect(registry?.whoisServer).toBe(NIC);
    for (const text of [raw, registry?.raw]) {
      expect(text).toContain('Registrar: Sample Registrar');
      expect(text).not.toContain('Hoshi');
    }
    expect(await lookUp('umi.test')).not.toHaveProperty('registry');
  });

  it('removes them from the text of an error, and keeps its other contradicting lines', async () => {
    const { lookUp } = await open({
      root,
      settings,
      whois: { [NIC]: `Domain: umi.test\r\nRegistrar: Kamome Ltd.\r\n${HOLDER}\r\n\r\nNot found\r\n` },
    });
    const { code, details, message } = await errorOf(lookUp('umi.test'));
    expect(code).toBe('registry_unavailable');
    expect(message).toMatch(/unreadable/);
    const { raw, contradictions } = details as Contradictory;
    expect(raw).toContain('Registrar: Kamome Ltd.');
    expect(contradictions.map(({ line }) => line)).toEqual(['Not found', 'Registrar: Kamome Ltd.']);
    expect(JSON.stringify(details)).not.toContain('Hoshi');
  });

  it('passes on other errors unchanged', async () => {
    const failure = new TypeError('a fault of this program');
    const lookUp = withoutContacts(() => Promise.reject(failure));
    const name = { spelling: 'umi.test', name: 'umi.test', tld: 'test', zone: 'test' };
    await expect(lookUp(name, 'registry', {})).rejects.toBe(failure);
  });

  it.each([
    ['Domain Name: umi.test\r\nRegistrant: Hoshi Hana Trading Company\r\n', '[contact removed]'],
    ['Domain: umi.test\r\nHolder: Hoshi Hana\r\nCreated: 2020-01-02\r\n', '[contact removed]'],
    [
      'Domain: umi.test\r\n\r\nRegistrar:\r\n   Kamome [Tag = KA]\r\n\r\nName servers:\r\n   ns1.umi.test\r\n',
      'Kamome [Tag = KA]',
    ],
    [record('umi.test', [HOLDER]), 'Registrar: Sample Registrar'],
  ])('removes them from the evidence: %j', async (text, line) => {
    const { lookUp } = await open({ root, settings, whois: { [NIC]: text } });
    const { state, evidence } = await lookUp('umi.test');
    expect([state, evidence]).toEqual(['registered', { kind: 'record', line }]);
  });

  it('removes addresses from the evidence of an error, and of the registry beside the registrar', async () => {
    const sentence = 'this name is not in our list, so please write to the desk about it';
    for (const [text, line] of [
      [`${sentence}, hana@hoshi.test`, /, \[contact removed\]$/],
      [`${sentence}, ${sentence}, ${sentence}, ${sentence}`, /^this name .*…$/],
    ] as const) {
      const { lookUp } = await open({ root, settings, whois: { [NIC]: `${text}\r\n` } });
      const { contradictions } = (await errorOf(lookUp('umi.test'))).details as Contradictory;
      expect(contradictions.map((each) => each.line)).toEqual([expect.stringMatching(line)]);
    }
    const { lookUp } = await open({
      root,
      settings,
      whois: {
        [NIC]: record('umi.test', [`Registrar WHOIS Server: ${REGISTRAR}`, HOLDER]),
        [REGISTRAR]: record('umi.test').replace('Sample Registrar', 'Another Registrar'),
      },
    });
    const { evidence, raw } = await lookUp('umi.test', 'registrar');
    expect([evidence?.line, /^Registrar: .*$/m.exec(raw)?.[0]]).toEqual([
      'Registrar: Sample Registrar',
      'Registrar: Another Registrar',
    ]);
  });

  it('removes a contradicting line that is a contact', async () => {
    const { lookUp } = await open({ root, settings, whois: { [NIC]: 'Zarbl hoshi@umi.test\r\n' } });
    const { details } = await errorOf(lookUp('umi.test'));
    expect(details).toMatchObject({ contradictions: [] });
    expect(JSON.stringify(details)).not.toContain('hoshi@');
  });

  it('keeps the time after which a throttling registry can be queried again', async () => {
    const text = 'Quota exceeded, and will be replenished in 50 seconds\r\n';
    const { lookUp } = await open({ root, settings, whois: { [NIC]: text } });
    expect(await errorOf(lookUp('umi.test'))).toMatchObject({
      code: 'registry_rate_limited',
      retryAfterSeconds: 50,
    });
  });
});
