import { describe, expect, it } from 'vitest';
import { NAME, answerFrom, followRegistrar } from '../../test/followed-registrar.ts';
import { record } from '../../test/loopback-world.ts';
import { NIC, openRegistry, outcomes } from '../../test/opened-world.ts';
import { DOMAIN } from '../../test/rdap-record.ts';
import { UNREADABLE } from '../record/registration-record.ts';
import type { RecordField } from '../record/registration-record.ts';
import type { ServerAnswer } from './query-server.ts';
import type { RegistryService } from './services.ts';

const REGISTRAR = 'whois.registrar.test';
const LINK = 'https://rdap.registrar.test/domain/example.test';
const registry = answerFrom('whois', 'whois.nic.test', REGISTRAR);
/** The fields that the registry does not state. */
const NOT_STATED = [
  'deletionDate',
  'registrarExpirationDate',
  'registrarDetails',
  'registrant',
  'dnssec',
  'reseller',
];

/** The seven facts of a record, the first so many of them. */
const statingFacts = (count: number) =>
  [
    `Domain Name: ${NAME}`,
    'Registrar: Other Words, Inc.',
    'Creation Date: 2001-02-03T04:05:06Z',
    'Registry Expiry Date: 2031-02-03T04:05:06Z',
    'Updated Date: 2026-01-02T03:04:05Z',
    'Name Server: ns1.other.example',
    'Domain Status: ok',
  ]
    .slice(0, count)
    .join('\r\n');

describe('the registrar as a further hop', () => {
  const registry = record('example.test', [`Registrar WHOIS Server: ${REGISTRAR}`]);

  it('returns its text and fills missing fields and lists; those of the registry are unchanged', async () => {
    const thin = registry.replaceAll(/(?:Updated Date|Name Server: ns2|Domain Status).*\r\n/g, '');
    const fromRegistrar = record('example.test').replace('Sample Registrar', 'Other Words, Inc.');
    const { lookUp } = await openRegistry(thin, { whois: { [REGISTRAR]: fromRegistrar } });
    const result = await lookUp('example.test', 'registrar');
    expect(result).toMatchObject({
      whoisServer: REGISTRAR,
      raw: fromRegistrar,
      registry: { whoisServer: NIC, raw: thin, protocol: 'whois' },
      parsed: {
        registrar: 'Sample Registrar',
        updatedDate: '2026-01-02T03:04:05Z',
        nameServers: ['ns1.hosting.example'],
        status: ['ok'],
      },
    });
    expect(outcomes(result.hops)).toEqual(['root referral', `${NIC} registered`, `${REGISTRAR} registered`]);
  });

  it('is not queried unless requested', async () => {
    const { lookUp, queries } = await openRegistry(registry, {
      whois: { [REGISTRAR]: record('example.test') },
    });
    expect((await lookUp('example.test')).whoisServer).toBe(NIC);
    expect(queries).toHaveLength(2);
  });

  it('is not queried for a reserved name', async () => {
    const reserved = `Domain Name: example.test\r\nDomain Status: reserved\r\nRegistrar WHOIS Server: ${REGISTRAR}\r\n`;
    const { lookUp, queries } = await openRegistry(reserved, { whois: { [REGISTRAR]: reserved } });
    expect(await lookUp('example.test', 'registrar')).toMatchObject({ state: 'reserved', whoisServer: NIC });
    expect(queries).toHaveLength(2);
  });

  it.each<[string, Record<string, string>, string, string[] | undefined]>([
    ['denies it', { [REGISTRAR]: 'No match for example.test.\r\n' }, 'not_registered', NOT_STATED],
    ['reserves it', { [REGISTRAR]: 'example.test is reserved.\r\n' }, 'reserved', NOT_STATED],
    ['says nothing', { [REGISTRAR]: '' }, 'broken', NOT_STATED],
    ['is unreachable', {}, 'unreachable', NOT_STATED],
    ['throttles', { [REGISTRAR]: 'You have exceeded your quota of queries.\r\n' }, 'throttled', NOT_STATED],
    ['speaks of another name', { [REGISTRAR]: record('other.test') }, 'broken', NOT_STATED],
    [
      'states no name',
      { [REGISTRAR]: record('', ['Name Server: ns3.example.test']) },
      'registered',
      NOT_STATED,
    ],
    ['says much less', { [REGISTRAR]: statingFacts(3) }, 'registered', undefined],
  ])('that %s does not change the data of the registry', async (_, whois, outcome, incomplete) => {
    const { lookUp } = await openRegistry(registry, { whois });
    const result = await lookUp('example.test', 'registrar');
    expect(result).toMatchObject({ whoisServer: NIC, raw: registry });
    expect(result.parsed.registrar).toBe('Sample Registrar');
    expect(outcomes(result.hops).slice(2)).toEqual([`${REGISTRAR} ${outcome}`]);
    expect(result.incomplete).toEqual(incomplete);
  });

  it('is treated like a registry: one that throttles is paused', async () => {
    const { lookUp, queries } = await openRegistry(
      (query, socket) => socket.end(record(query, [`Registrar WHOIS Server: ${REGISTRAR}`])),
      { whois: { [REGISTRAR]: 'You have exceeded your quota of queries.\r\n' } },
    );
    expect(outcomes((await lookUp('a.test', 'registrar')).hops).at(-1)).toBe(`${REGISTRAR} throttled`);
    const second = await lookUp('b.test', 'registrar');
    expect(second.whoisServer).toBe(NIC);
    expect(outcomes(second.hops).at(-1)).toBe(`${REGISTRAR} paused`);
    expect(queries.filter((query) => query.startsWith(REGISTRAR))).toHaveLength(1);
  });

  it('whose port 43 fails is queried over RDAP, by the link in the RDAP record of the registry', async () => {
    const links = [{ rel: 'related', type: 'application/rdap+json', href: LINK }];
    const { lookUp } = await openRegistry(registry, {
      rdap: { test: 'https://rdap.nic.test/' },
      fetch: () => Promise.resolve(Response.json({ ...DOMAIN, links })),
    });
    const result = await lookUp('example.test', 'registrar');
    expect(outcomes(result.hops)).toEqual([
      'root referral',
      `${NIC} registered`,
      `${REGISTRAR} unreachable`,
      'rdap.nic.test registered',
      'rdap.registrar.test registered',
    ]);
    expect(result).toMatchObject({
      whoisServer: 'rdap.registrar.test',
      protocol: 'rdap',
      registry: { whoisServer: NIC, raw: registry, protocol: 'whois' },
    });
  });
});

/** The result with this text of the registrar. */
async function followTo(text: string, from = registry, more: Partial<ServerAnswer> = {}) {
  const answer = { ...answerFrom('whois', REGISTRAR, null, text), ...more };
  return (await followRegistrar(from, [], { [REGISTRAR]: answer })).result;
}

describe('the answer of a registrar', () => {
  it('with at least half of the facts of the registry is used', async () => {
    expect((await followTo(statingFacts(4))).whoisServer).toBe(REGISTRAR);
    const thin = answerFrom('whois', 'whois.nic.test', REGISTRAR, statingFacts(4));
    expect((await followTo(statingFacts(2), thin)).whoisServer).toBe(REGISTRAR);
  });

  it('leaves the fields unknown that only it may state, and cannot be read there', async () => {
    const reading = { ...registry.reading, incomplete: ['dnssec' as const, 'status' as const] };
    expect((await followTo('', registry, { reading, state: 'registered' })).incomplete).toEqual(['dnssec']);
    const thin = answerFrom('whois', 'whois.nic.test', REGISTRAR, statingFacts(4));
    thin.reading.incomplete = ['updatedDate', 'dnssec'];
    // The registrar states the time of the last change.
    expect((await followTo(statingFacts(7), thin)).incomplete).toEqual(['dnssec']);
  });

  it('states its own expiry beside that of the registry', async () => {
    const date = '2031-03-20T04:05:06Z';
    const own = record(NAME).replace(
      /Registry Expiry Date: .*/,
      `Registrar Registration Expiration Date: ${date}`,
    );
    const { parsed, incomplete } = await followTo(own);
    expect(parsed).toMatchObject({ expirationDate: '2031-02-03T04:05:06Z', registrarExpirationDate: date });
    expect(incomplete).toEqual([]);
    const { reading } = answerFrom('rdap', REGISTRAR, null);
    const followWith = async (part: Partial<typeof reading.parsed>, incomplete: RecordField[]) => {
      const parsed = { ...reading.parsed, ...part };
      return followTo(own, registry, { reading: { ...reading, parsed, incomplete } });
    };
    expect(await followWith({ expirationDate: null }, ['expirationDate'])).toMatchObject({
      parsed: { expirationDate: '2031-02-03T04:05:06Z', registrarExpirationDate: null },
      incomplete: ['registrarExpirationDate'],
    });
    const both = await followWith({ registrarExpirationDate: date }, []);
    expect(both.parsed.registrarExpirationDate).toBe(date);
  });

  it('that is worse because a part of it is unreadable is unknown', async () => {
    const { reading } = answerFrom('whois', REGISTRAR, null, statingFacts(3));
    const worse = { reading: { ...reading, incomplete: ['status' as const] } };
    const { incomplete } = await followTo(statingFacts(3), registry, worse);
    expect(incomplete).toEqual(NOT_STATED);
  });

  it('that does not state a registration, or is truncated, is not used', async () => {
    for (const more of [{ state: 'reserved' } as const, { isTruncated: true }]) {
      expect((await followTo(record(NAME), registry, more)).whoisServer).toBe('whois.nic.test');
    }
  });

  it.each([
    [null, []],
    ['none', []],
    ['-', []],
    ['whois.nic.test', []],
    ['192.0.2.1', NOT_STATED],
    ['https://www.registrar.test/whois', NOT_STATED],
    ['whois.registrar.test:80', NOT_STATED],
  ])('at a server stated as %s is absent only if that names no other server', async (stated, expected) => {
    const { result } = await followRegistrar(answerFrom('whois', 'whois.nic.test', stated), [], {});
    expect(result.incomplete).toEqual(expected);
  });
});

describe('a link to a registrar in the answer of a registry', () => {
  it.each([
    'http://rdap.registrar.test/domain/example.test',
    'https://rdap.registrar.test:8443/domain/example.test',
    'https://somebody@rdap.registrar.test/domain/example.test',
    'https://:secret@rdap.registrar.test/domain/example.test',
    'https://127.0.0.1/domain/example.test',
    'https://localhost/domain/example.test',
    'no link at all',
  ])('that leads elsewhere (%s) is not followed', async (link) => {
    const { requests, result } = await followRegistrar(answerFrom('rdap', 'rdap.nic.test', link), [], {});
    expect([requests, result.whoisServer]).toEqual([[], 'rdap.nic.test']);
    expect(result.incomplete).toEqual(NOT_STATED);
  });
});

const RDAP: RegistryService = { protocol: 'rdap', source: 'bootstrap', base: 'https://rdap.nic.test/' };

describe('a registrar', () => {
  const linking = answerFrom('rdap', 'rdap.nic.test', LINK);
  const unnamed = answerFrom('whois', 'whois.nic.test', null);
  const rdapServers = {
    'rdap.nic.test': linking,
    'rdap.registrar.test': answerFrom('rdap', 'rdap.registrar.test', null),
  };

  it.each<[string, ServerAnswer, Record<string, ServerAnswer>, [request: string, share: number][]]>([
    [
      'over WHOIS alone if that responds',
      registry,
      { [REGISTRAR]: answerFrom('whois', REGISTRAR, null) },
      [[`registrar ${REGISTRAR}`, 0.5]],
    ],
    [
      'over RDAP if WHOIS fails, with time for each server',
      registry,
      rdapServers,
      [
        [`registrar ${REGISTRAR}`, 0.5],
        ['registry rdap.nic.test', 0.5],
        ['registrar rdap.registrar.test', 1],
      ],
    ],
    [
      'over RDAP at once if it has no WHOIS server',
      unnamed,
      rdapServers,
      [
        ['registry rdap.nic.test', 0.5],
        ['registrar rdap.registrar.test', 1],
      ],
    ],
    ['by the link in a record that is there', linking, rdapServers, [['registrar rdap.registrar.test', 1]]],
  ])('is queried %s', async (_, from, servers, expected) => {
    const { result, requests, shares } = await followRegistrar(from, [RDAP], servers);
    expect(requests.map((request, at) => [request, shares[at]])).toEqual(expected);
    expect(requests.at(-1)).toBe(`registrar ${result.whoisServer}`);
  });

  it('may use all the remaining time if it has no RDAP', async () => {
    const { requests, shares } = await followRegistrar(registry, [], {});
    expect([requests, shares]).toEqual([[`registrar ${REGISTRAR}`], [1]]);
  });

  it('is not queried if the registry names itself', async () => {
    const from = answerFrom('whois', 'whois.nic.test', 'whois.nic.test');
    expect((await followRegistrar(from, [], {})).requests).toEqual([]);
  });

  it('is not said to be absent if the record that may have its link is unreadable', async () => {
    const unreadable = answerFrom('rdap', 'rdap.nic.test', null, '<html>');
    const whole = answerFrom('rdap', 'rdap.nic.test', null);
    for (const [record, expected] of [
      [whole, []],
      [{ ...whole, registrar: UNREADABLE }, NOT_STATED],
      [unreadable, NOT_STATED],
    ] as const) {
      const { result } = await followRegistrar(unnamed, [RDAP], { 'rdap.nic.test': record });
      expect(result.incomplete).toEqual(expected);
    }
  });

  it('without a link, or unreachable, changes nothing', async () => {
    for (const record of [undefined, answerFrom('rdap', 'rdap.nic.test', null), linking]) {
      const { result } = await followRegistrar(registry, [RDAP], record ? { 'rdap.nic.test': record } : {});
      expect(result).toMatchObject({
        whoisServer: 'whois.nic.test',
        raw: registry.raw,
        incomplete: NOT_STATED,
      });
      expect(result).not.toHaveProperty('registry');
    }
  });
});
