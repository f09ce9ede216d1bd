import { afterEach, describe, expect, it } from 'vitest';
import { record } from '../../../test/registration/loopback-world.ts';
import { NIC, closeWorld, listenHttp, open, outcomes } from '../../../test/registration/opened-world.ts';

afterEach(closeWorld);

describe('the registrar as a further hop', () => {
  const REGISTRAR = 'whois.registrar.test';
  /** The fields that the registry does not state. */
  const NOT_STATED = [
    'deletionDate',
    'registrarExpirationDate',
    'registrarDetails',
    'registrant',
    'dnssec',
    'reseller',
  ];
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

  it.each([
    ['says that there is no such name', 'No match for example.test.\r\n', undefined],
    ['says nothing', '', NOT_STATED],
    ['throttles', 'You have exceeded your quota of queries.\r\n', NOT_STATED],
    ['speaks of another name', record('other.test'), NOT_STATED],
    [
      'says much less',
      'Domain Name: example.test\r\nRegistrar: Other\r\nCreation Date: 2001-02-03T04:05:06Z\r\n',
      undefined,
    ],
  ])('that %s does not change the data of the registry', async (_, text, incomplete) => {
    const { lookUp } = await open({ root, whois: { [NIC]: registry, [REGISTRAR]: text } });
    const result = await lookUp('example.test', 'registrar');
    expect(result).toMatchObject({ whoisServer: NIC, raw: registry });
    expect(result.parsed.registrar).toBe('Sample Registrar');
    expect(result.hops).toHaveLength(3);
    expect(result.incomplete).toEqual(incomplete);
  });

  it('is judged like a registry: one that throttles is paused', async () => {
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

  it('that is unreachable does not change the data of the registry, and the hop states the failure', async () => {
    const { lookUp } = await open({ root, whois: { [NIC]: registry } });
    const result = await lookUp('example.test', 'registrar');
    expect(result).toMatchObject({ whoisServer: NIC, raw: registry, incomplete: NOT_STATED });
    expect(outcomes(result.hops).at(-1)).toBe(`${REGISTRAR} unreachable`);
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
    // No CA has signed the certificate here; registrar.test.ts tests a trusted one.
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
