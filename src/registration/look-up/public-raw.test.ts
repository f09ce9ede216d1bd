import { afterEach, describe, expect, it, test } from 'vitest';
import { listOf } from '../../../test/list-of.ts';
import { record } from '../../../test/registration/loopback-world.ts';
import { NIC, closeWorld, errorOf, open } from '../../../test/registration/opened-world.ts';
import { DOMAIN } from '../../../test/registration/rdap-record.ts';
import { fixtureOf, fixturePaths, textOf } from '../../../test/registration/whois-fixtures.ts';
import { startRegistration } from '../main.ts';
import { publicMembers } from '../rdap/public-members.ts';
import { parseWhoisText } from '../whois/parsers/parse-whois-text.ts';
import { publicLines } from '../whois/parsers/public-lines.ts';
import { withPublicTexts } from './public-raw.ts';

/** Their fields stand below headings that name contacts, or need words that state no field. */
const READ_IN_CONTEXT = listOf(`
  jwhoisserver/leader-dots-after-the-colon | kaznic/explained-statuses | thnic/renew-date-is-no-expiry |
  mynic/letters-before-brackets | sk-nic/registrar-object | smallregistry/yaml | twnic/dates-without-colon
`);

/** The fields about the domain itself. */
function factsOf(text: string, hints: { server: string | null; domain: string | null }) {
  const { state, parsed } = parseWhoisText(text, hints);
  return { state, ...parsed, registrant: undefined, reseller: undefined };
}

function reduce(text: string, hints: { server?: string | null; domain: string | null }): string {
  const { evidence } = parseWhoisText(text, hints);
  return publicLines(text, hints, evidence?.kind === 'record' ? undefined : evidence?.line);
}

/** A person in every form that a pattern might miss. */
const PERSON = [
  'Hoshi Hana',
  'hana (at) hoshi.test',
  '03-5555-0100',
  '０３５５５５０１００',
  'hana@hoshi.test',
  'Hoshi-chō 1',
];

describe('a text of which only published lines remain', () => {
  it.each(fixturePaths())('%s keeps the facts of the domain', (path) => {
    const [{ server, domain, expected }, text] = [fixtureOf(path), textOf(path)];
    if (expected.state !== 'registered' && expected.state !== 'reserved') return;
    if (READ_IN_CONTEXT.includes(path)) return;
    const hints = { server, domain };
    expect(factsOf(reduce(text, hints), hints)).toEqual(factsOf(text, hints));
  });

  // Behind each line, as a line of its own, as a label's value and within a remark.
  it.each(fixturePaths())('%s with persons in between shows none of them', (path) => {
    const { server, domain } = fixtureOf(path);
    const strewn = textOf(path)
      .split('\n')
      .flatMap((line, index) => {
        const person = PERSON[index % PERSON.length] ?? '';
        return [line, ['', `% ${person}`, person, `Contact: ${person}`][index % 4] ?? ''];
      })
      .join('\n');
    const { evidence, parsed } = parseWhoisText(strewn, { server, domain });
    const published = JSON.stringify([parsed, evidence]);
    for (const person of PERSON.filter((each) => !published.includes(each)))
      expect(reduce(strewn, { server, domain })).not.toContain(person);
  });

  test('words behind a date, a status or hosts that state nothing are left out, and the lines are counted', () => {
    const text = `% Terms of use
Domain Name: umi.example
Registrar: Kamome Names
Registrar Abuse Contact Email: abuse@registrar.example
Created: 2020-01-02 by Hoshi Hana 03-5555-0100
Registrant Name: Hoshi Hana
Registrant Organization: Harbour Books

Administrative contact:
   Hoshi Hana
Name Server: ns1.umi.example 192.0.2.1 hana@hoshi.test
`;
    expect(reduce(text, { domain: 'umi.example' })).toBe(`Domain Name: umi.example
Registrar: Kamome Names
Registrar Abuse Contact Email: abuse@registrar.example
Created: 2020-01-02
Registrant Organization: Harbour Books

Name Server: ns1.umi.example 192.0.2.1
% 4 lines were left out (RAW_CONTACTS=redact).
`);
  });

  test.each(
    listOf(`
      Source (Hoshi Hana, hana (at) hoshi.test) | Anniversary 03-5555-0100 | Source / Hoshi Hana |
      Status (Hoshi Hana): ok | Updated Date: 2021-01-02 01 23 45 67 89 |
      Updated Date: 2021-01-02 8212-3458 | Created: 12 May 2020 55 0100 |
      Name Server: ns1.umi.example Hoshi Hana | DNSSEC: unsigned, ask Hoshi
    `),
  )('%j shows only what it stated', (line) => {
    const text = `Domain Name: umi.example\nDS Record: 12345 8 2 0011223344556677\n${line}\n`;
    const shown = reduce(text, { domain: 'umi.example' }).replace(/^DS Record.*\n/m, '');
    expect(shown).not.toMatch(/Hoshi|hana|\b(?:23|45|67|89|55)\b|0100|8212|3458/);
  });

  test('a denial remains, its terms of use do not', () => {
    const text = 'Not found: umi.example\n\nAsk Hoshi Hana (hana@hoshi.test).\n';
    expect(reduce(text, { domain: 'umi.example' })).toBe(
      'Not found: umi.example\n\n% 1 line was left out (RAW_CONTACTS=redact).\n',
    );
  });
});

describe('an RDAP object of which only published members remain', () => {
  const card = (name: string) => [
    'vcard',
    [
      ['fn', {}, 'text', name],
      ['email', {}, 'text', 'hana@hoshi.test'],
      ['org', {}, 'text', 'Harbour Books'],
    ],
  ];
  const read = (object: object, decided?: string) => publicMembers(JSON.stringify(object), decided);

  test('keeps names, dates, statuses, hosts and the registrar with its contact for abuse reports', () => {
    const abuse = { roles: ['abuse'], vcardArray: ['vcard', [['email', {}, 'text', 'abuse@umi.test']]] };
    const registrar = {
      roles: ['registrar'],
      vcardArray: card('Kamome Names'),
      entities: [abuse, { roles: ['technical'], vcardArray: card('Hoshi') }],
    };
    const text = read({ ...DOMAIN, entities: [registrar] });
    for (const shown of [DOMAIN.ldhName, 'Kamome Names', 'abuse@umi.test']) expect(text).toContain(shown);
    for (const hidden of ['hana@', 'Hoshi']) expect(text).not.toContain(hidden);
    const published = DOMAIN.events.filter(
      ({ eventAction }) => !/database|registrar|transfer/.test(eventAction),
    );
    expect((JSON.parse(text) as typeof DOMAIN).events).toEqual(published);
  });

  test.each([
    { remarks: [{ description: ['Call Hoshi.'] }] },
    { registrant: { name: 'Hoshi' } },
    { entities: [{ roles: ['registrant'], vcardArray: card('Hoshi') }] },
    { entities: [{ roles: ['reseller', 'registrant'], vcardArray: card('Hoshi') }] },
    { entities: [{ vcardArray: card('Hoshi') }] },
    {
      nameservers: [
        { ldhName: 'ns.umi.test', entities: [{ roles: ['technical'], vcardArray: card('Hoshi') }] },
      ],
    },
    { events: [{ eventAction: 'registration', eventActor: 'Hoshi', eventDate: '2020-01-02T00:00:00Z' }] },
    { events: [{ eventAction: 'registration', eventDate: '2020-01-02 by Hoshi' }] },
    { handle: 'Hoshi-1' },
    { unicodeName: 'Hoshi hana (at) x' },
    { events: [{ eventAction: 'hoshi hana', eventDate: '2020-01-02' }] },
    { events: [{ eventAction: 'registration', eventDate: '+81 3 5555 0100 Hoshi' }] },
    { nameservers: [{ ldhName: 'Hoshi Hana' }] },
    { entities: [{ roles: ['registrar'], publicIds: [{ type: 'Hoshi', identifier: 'Hoshi' }] }] },
    { objectClassName: 'Hoshi' },
    { status: undefined, title: 'Ask Hoshi' },
  ])('%j loses the person, and says how much was left out', (members) => {
    const text = read({ ...DOMAIN, ...members });
    expect(text).not.toMatch(/Hoshi|hana@/);
    expect(text).toMatch(/"\d+ values were left out/);
  });

  test('of an error the text that decided remains', () => {
    const text = read(
      { errorCode: 404, title: 'Not Found', description: ['umi.test not found', 'Ask Hoshi'] },
      'umi.test not found',
    );
    expect(JSON.parse(text)).toMatchObject({ errorCode: 404, description: ['umi.test not found'] });
    expect(text).not.toContain('Hoshi');
  });
});

it('the service returns only public lines according to RAW_CONTACTS, and parses the whole text', async () => {
  const start = (RAW_CONTACTS: string) =>
    startRegistration({ LOG_LEVEL: 'silent', REGISTRATION_PORT: '0', RATE_LIMIT: '0', RAW_CONTACTS });
  const services = await Promise.all([start('whole'), start('redact')]);
  const [whole, reduced] = await Promise.all(
    services.map(async ({ address }) => (await fetch(`${address}/example.jp`)).json()),
  );
  const free = await (await fetch(`${services[1].address}/free-name.org`)).json();
  await Promise.all(services.map((service) => service.close()));
  expect((whole as { raw: string }).raw).toContain('Registrant');
  expect((reduced as { raw: string }).raw).not.toContain('Registrant');
  expect(reduced).toMatchObject({ parsed: (whole as { parsed: object }).parsed, state: 'registered' });
  expect(free).toMatchObject({
    error: {
      code: 'not_registered',
      details: { raw: expect.stringContaining('Domain not found') as unknown },
    },
  });
});

describe('a look-up with public lines only', () => {
  afterEach(closeWorld);

  const REGISTRAR = 'whois.registrar.test';
  const HOLDER = 'Registrant Name: Hoshi Hana';
  interface Contradictory {
    raw: string;
    contradictions: { line: string }[];
  }
  const settings = { withContacts: false };
  const root = { test: { refer: NIC } };

  it('reduces the texts of the registrar and of the registry', async () => {
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

  it('reduces the text of an error, and keeps its contradicting lines as far as they are public', async () => {
    const { lookUp } = await open({
      root,
      settings,
      whois: { [NIC]: `Domain: umi.test\r\nRegistrar: Kamome Ltd.\r\n${HOLDER}\r\n\r\nNot found\r\n` },
    });
    const { code, details, message } = await errorOf(lookUp('umi.test'));
    expect(code).toBe('registry_unavailable');
    expect(message).toMatch(/unreadable/);
    const { raw, contradictions } = details as Contradictory;
    // An error publishes no field: of its text the name remains.
    expect(raw).toContain('Domain: umi.test');
    expect(contradictions.map(({ line }) => line)).toEqual(['Not found']);
    expect(JSON.stringify(details)).not.toContain('Hoshi');
  });

  it('passes on other errors unchanged', async () => {
    const failure = new TypeError('a fault of this program');
    const lookUp = withPublicTexts(() => Promise.reject(failure));
    const name = { spelling: 'umi.test', name: 'umi.test', tld: 'test', zone: 'test' };
    await expect(lookUp(name, 'registry', {})).rejects.toBe(failure);
  });

  it.each([
    [
      'Domain Name: umi.test\r\nRegistrant: Hoshi Hana Trading Company\r\n',
      '(left out: RAW_CONTACTS=redact)',
    ],
    [record('umi.test', [HOLDER]), 'Registrar: Sample Registrar'],
  ])('shows evidence only if it is public: %j', async (text, line) => {
    const { lookUp } = await open({ root, settings, whois: { [NIC]: text } });
    const { state, evidence } = await lookUp('umi.test');
    expect([state, evidence]).toEqual(['registered', { kind: 'record', line }]);
  });

  it('leaves out a contradicting line that is unknown', async () => {
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
