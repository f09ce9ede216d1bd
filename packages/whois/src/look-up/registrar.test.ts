import { describe, expect, it } from 'vitest';
import { NAME, answerFrom, followRegistrar } from '../../test/followed-registrar.ts';
import { record } from '../../test/loopback-world.ts';
import { NIC, listenHttp, open, outcomes } from '../../test/opened-world.ts';
import { UNREADABLE } from '../record/registration-record.ts';
import type { ServerAnswer } from './query-server.ts';
import type { RegistryService } from './services.ts';

const REGISTRAR = 'whois.registrar.test';
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
  const root = { test: { refer: NIC } };
  const registry = record('example.test', [`Registrar WHOIS Server: ${REGISTRAR}`]);

  it('returns its text and fills missing fields; those of the registry are unchanged', async () => {
    const thin = registry.replace(/Updated Date.*\r\n/, '').replace(/Name Server: ns2.*\r\n/, '');
    const fromRegistrar = record('example.test').replace('Sample Registrar', 'Other Words, Inc.');
    const { lookUp } = await open({ root, whois: { [NIC]: thin, [REGISTRAR]: fromRegistrar } });
    const result = await lookUp('example.test', 'registrar');
    expect(result).toMatchObject({ whoisServer: REGISTRAR, raw: fromRegistrar });
    expect(result.registry).toEqual({ whoisServer: NIC, raw: thin, protocol: 'whois' });
    expect(result.parsed).toMatchObject({
      registrar: 'Sample Registrar',
      updatedDate: '2026-01-02T03:04:05Z',
      nameServers: ['ns1.hosting.example'],
    });
    expect(outcomes(result.hops)).toEqual(['root referral', `${NIC} registered`, `${REGISTRAR} registered`]);
  });

  it('is not queried unless requested', async () => {
    const { lookUp, queries } = await open({
      root,
      whois: { [NIC]: registry, [REGISTRAR]: record('example.test') },
    });
    expect((await lookUp('example.test')).whoisServer).toBe(NIC);
    expect(queries).toHaveLength(2);
  });

  it.each<[string, Record<string, string>, string, string[] | undefined]>([
    [
      'says that there is no such name',
      { [REGISTRAR]: 'No match for example.test.\r\n' },
      'not_registered',
      undefined,
    ],
    ['says nothing', { [REGISTRAR]: '' }, 'broken', NOT_STATED],
    ['is unreachable', {}, 'unreachable', NOT_STATED],
    ['throttles', { [REGISTRAR]: 'You have exceeded your quota of queries.\r\n' }, 'throttled', NOT_STATED],
    ['speaks of another name', { [REGISTRAR]: record('other.test') }, 'broken', NOT_STATED],
    ['says much less', { [REGISTRAR]: statingFacts(3) }, 'registered', undefined],
  ])('that %s does not change the data of the registry', async (_, whois, outcome, incomplete) => {
    const { lookUp } = await open({ root, whois: { [NIC]: registry, ...whois } });
    const result = await lookUp('example.test', 'registrar');
    expect(result).toMatchObject({ whoisServer: NIC, raw: registry });
    expect(result.parsed.registrar).toBe('Sample Registrar');
    expect(outcomes(result.hops).slice(2)).toEqual([`${REGISTRAR} ${outcome}`]);
    expect(result.incomplete).toEqual(incomplete);
  });

  it('is treated like a registry: one that throttles is paused', async () => {
    const { lookUp, queries } = await open({
      root,
      whois: {
        [NIC]: (query, socket) => socket.end(record(query, [`Registrar WHOIS Server: ${REGISTRAR}`])),
        [REGISTRAR]: 'You have exceeded your quota of queries.\r\n',
      },
    });
    expect(outcomes((await lookUp('a.test', 'registrar')).hops).at(-1)).toBe(`${REGISTRAR} throttled`);
    const second = await lookUp('b.test', 'registrar');
    expect(second.whoisServer).toBe(NIC);
    expect(outcomes(second.hops).at(-1)).toBe(`${REGISTRAR} paused`);
    expect(queries.filter((query) => query.startsWith(REGISTRAR))).toHaveLength(1);
  });

  it('whose port 43 fails is queried over RDAP, by the link in the RDAP record of the registry', async () => {
    const href = 'https://rdap.registrar.test/domain/example.test';
    const port = await listenHttp((_, response) => {
      const links = [{ rel: 'related', type: 'application/rdap+json', href }];
      response.end(
        JSON.stringify({ objectClassName: 'domain', ldhName: 'example.test', handle: 'D-1', links }),
      );
    });
    const { lookUp } = await open({
      root,
      whois: { [NIC]: registry },
      rdap: { test: 'http://rdap.nic.test/' },
      ports: { 'rdap.nic.test': port, 'rdap.registrar.test': port },
    });
    const result = await lookUp('example.test', 'registrar');
    // No CA has signed the certificate here; below, a trusted one is tested.
    expect(outcomes(result.hops)).toEqual([
      'root referral',
      `${NIC} registered`,
      `${REGISTRAR} unreachable`,
      'rdap.nic.test registered',
      'rdap.registrar.test unreachable',
    ]);
    expect(result).toMatchObject({ whoisServer: NIC, raw: registry });
  });
});

/** The result with this text of the registrar. */
async function followTo(text: string, from = registry, more: Partial<ServerAnswer> = {}) {
  const answer = { ...answerFrom('whois', REGISTRAR, null, text), ...more };
  return (await followRegistrar(from, [], { [REGISTRAR]: answer })).result;
}

describe('the answer of a registrar', () => {
  it.each([
    [3, 'whois.nic.test'],
    [4, REGISTRAR],
    [7, REGISTRAR],
  ])('that states %i of the seven facts of the registry leaves that of %s', async (count, server) => {
    expect((await followTo(statingFacts(count))).whoisServer).toBe(server);
  });

  it('with two fields is used if the registry states at most four', async () => {
    const thin = answerFrom('whois', 'whois.nic.test', REGISTRAR, statingFacts(4));
    expect((await followTo(statingFacts(2), thin)).whoisServer).toBe(REGISTRAR);
  });

  it('leaves the fields unknown that only it may state, and cannot be read there', async () => {
    const reading = { ...registry.reading, incomplete: ['dnssec' as const, 'status' as const] };
    expect((await followTo('', registry, { reading })).incomplete).toEqual(['dnssec']);
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
    const unread = {
      parsed: { ...reading.parsed, expirationDate: null },
      incomplete: ['expirationDate' as const],
    };
    const odd = await followTo(own, registry, { reading: { ...reading, ...unread } });
    expect(odd.parsed).toMatchObject({
      expirationDate: '2031-02-03T04:05:06Z',
      registrarExpirationDate: null,
    });
    expect(odd.incomplete).toEqual(['registrarExpirationDate']);
    const both = { parsed: { ...reading.parsed, registrarExpirationDate: date }, incomplete: [] };
    const result = await followTo(own, registry, { reading: { ...reading, ...both } });
    expect(result.parsed.registrarExpirationDate).toBe(date);
  });

  it('that is worse because a part of it is unreadable is unknown', async () => {
    const worse = answerFrom('whois', REGISTRAR, null, statingFacts(3)).reading;
    const { incomplete } = await followTo('', registry, { reading: { ...worse, incomplete: ['status'] } });
    expect(incomplete).toEqual(NOT_STATED);
  });

  it('that does not state a registration, or is truncated, is not used', async () => {
    const { reading } = answerFrom('whois', REGISTRAR, null);
    for (const more of [{ reading: { ...reading, state: 'reserved' as const } }, { isTruncated: true }]) {
      expect((await followTo(record(NAME), registry, more)).whoisServer).toBe('whois.nic.test');
    }
  });

  it('may use all the remaining time if it is the last one to query', async () => {
    const { requests, shares } = await followRegistrar(registry, [], {});
    expect([requests, shares]).toEqual([[`registrar ${REGISTRAR}`], [1]]);
  });

  it("fills the registry's empty lists, and adds nothing to the others", async () => {
    const thin = answerFrom('whois', 'whois.nic.test', REGISTRAR, statingFacts(5));
    const { parsed } = await followTo(statingFacts(7), thin);
    expect(parsed).toMatchObject({ nameServers: ['ns1.other.example'], status: ['ok'] });
    const whole = await followTo(statingFacts(7));
    expect(whole.parsed.nameServers).toEqual(['ns1.hosting.example', 'ns2.hosting.example']);
  });

  it.each([
    ['if the registry names itself', 'whois.nic.test', record(NAME)],
    ['for a name that is not registered', REGISTRAR, 'Reserved by Registry\r\n'],
  ])('is not requested %s', async (_, registrar, text) => {
    const from = answerFrom('whois', 'whois.nic.test', registrar, text);
    expect((await followRegistrar(from, [], {})).requests).toEqual([]);
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
  it('must be a public name, by https on the default port', async () => {
    const linking = answerFrom('rdap', 'rdap.nic.test', 'https://rdap.registrar.test/domain/example.test');
    expect((await followRegistrar(linking, [], {})).requests).toEqual(['registrar rdap.registrar.test']);
  });

  it.each([
    'http://rdap.registrar.test/domain/example.test',
    'https://rdap.registrar.test:8443/domain/example.test',
    'https://somebody@rdap.registrar.test/domain/example.test',
    'https://127.0.0.1/domain/example.test',
    'https://localhost/domain/example.test',
    'no link at all',
  ])('that leads elsewhere (%s) is not followed', async (link) => {
    const { requests, result } = await followRegistrar(answerFrom('rdap', 'rdap.nic.test', link), [], {});
    expect([requests, result.whoisServer]).toEqual([[], 'rdap.nic.test']);
    expect(result.incomplete).toEqual(NOT_STATED);
  });
});

const RDAP: RegistryService = {
  protocol: 'rdap',
  source: 'bootstrap',
  base: 'https://rdap.nic.test/',
};
const LINK = 'https://rdap.registrar.test/domain/example.test';

describe('a registrar', () => {
  const byWhois = answerFrom('whois', 'whois.nic.test', 'whois.registrar.test');
  const linking = answerFrom('rdap', 'rdap.nic.test', LINK);
  const ofRegistrar = answerFrom('rdap', 'rdap.registrar.test', null);

  it('whose WHOIS responds is not queried over RDAP', async () => {
    const whois = answerFrom('whois', 'whois.registrar.test', null);
    const { result, requests } = await followRegistrar(byWhois, [RDAP], { 'whois.registrar.test': whois });
    expect(requests).toEqual(['registrar whois.registrar.test']);
    expect(result.whoisServer).toBe('whois.registrar.test');
  });

  it('whose port 43 fails is queried over RDAP, and the answer of the registry is returned beside it', async () => {
    const { result, requests, shares } = await followRegistrar(byWhois, [RDAP], {
      'rdap.nic.test': linking,
      'rdap.registrar.test': ofRegistrar,
    });
    // A silent server leaves time for the next one.
    expect(shares).toEqual([0.5, 0.5, 1]);
    expect(requests).toEqual([
      'registrar whois.registrar.test',
      'registry rdap.nic.test',
      'registrar rdap.registrar.test',
    ]);
    expect(result).toMatchObject({ whoisServer: 'rdap.registrar.test', protocol: 'rdap' });
    expect(result.registry).toMatchObject({ whoisServer: 'whois.nic.test', protocol: 'whois' });
  });

  it('without a WHOIS server is queried over RDAP at once', async () => {
    const { result } = await followRegistrar(answerFrom('whois', 'whois.nic.test', null), [RDAP], {
      'rdap.nic.test': linking,
      'rdap.registrar.test': ofRegistrar,
    });
    expect(result.whoisServer).toBe('rdap.registrar.test');
  });

  it('of a registry that responds over RDAP is queried by the link in that record', async () => {
    const { result, requests } = await followRegistrar(linking, [RDAP], {
      'rdap.registrar.test': ofRegistrar,
    });
    expect(requests).toEqual(['registrar rdap.registrar.test']);
    expect(result.whoisServer).toBe('rdap.registrar.test');
  });

  it('is not said to be absent if the record that may have its link is unreadable', async () => {
    const unreadable = answerFrom('rdap', 'rdap.nic.test', null, '<html>');
    const whole = answerFrom('rdap', 'rdap.nic.test', null);
    for (const [record, expected] of [
      [whole, []],
      [{ ...whole, registrar: UNREADABLE }, NOT_STATED],
      [unreadable, NOT_STATED],
    ] as const) {
      const registry = answerFrom('whois', 'whois.nic.test', null);
      const { result } = await followRegistrar(registry, [RDAP], { 'rdap.nic.test': record });
      expect(result.incomplete).toEqual(expected);
    }
  });

  it('without a link, or unreachable, changes nothing', async () => {
    for (const record of [undefined, answerFrom('rdap', 'rdap.nic.test', null), linking]) {
      const { result } = await followRegistrar(byWhois, [RDAP], record ? { 'rdap.nic.test': record } : {});
      expect(result).toMatchObject({
        whoisServer: 'whois.nic.test',
        raw: byWhois.raw,
        incomplete: NOT_STATED,
      });
      expect(result).not.toHaveProperty('registry');
    }
  });
});
