import { describe, expect, it } from 'vitest';
import { record, rootObject } from '../../test/loopback-world.ts';
import { NIC, errorOf, open, openRegistry, outcomes } from '../../test/opened-world.ts';

describe('a look-up', () => {
  it('queries the root for the TLD, the registry for the registrable name, and returns the hops', async () => {
    const { lookUp, queries } = await openRegistry(record('example.test'));
    const result = await lookUp('www.Example.test.');
    expect(queries).toEqual(['root test', `${NIC} example.test`]);
    expect(result).toMatchObject({
      whoisServer: NIC,
      protocol: 'whois',
      state: 'registered',
      raw: record('example.test'),
      parsed: {
        domainName: 'example.test',
        registrar: 'Sample Registrar',
        creationDate: '2001-02-03T04:05:06Z',
        expirationDate: '2031-02-03T04:05:06Z',
        updatedDate: '2026-01-02T03:04:05Z',
        nameServers: ['ns1.hosting.example', 'ns2.hosting.example'],
        status: ['ok'],
      },
    });
    expect(outcomes(result.hops)).toEqual(['root referral', `${NIC} registered`]);
  });

  it('a registry is queried in its own syntax, and its text is read in its own charset', async () => {
    const { lookUp, queries } = await open({
      root: { jp: { refer: 'whois.jprs.jp' } },
      whois: {
        // ISO-2022-JP.
        'whois.jprs.jp':
          '[Domain Name] EXAMPLE.JP\r\n[Registrant] \x1b$B8+K\\\x1b(B\r\n[Created on] 2001/02/03\r\n',
      },
    });
    expect((await lookUp('example.jp')).raw).toContain('[Registrant] 見本\r\n');
    expect(queries).toEqual(['root jp', 'whois.jprs.jp example.jp/e']);
  });

  it('the root is queried once a day per TLD, whatever the wall clock shows', async () => {
    let passed = 0;
    const clock = { now: () => 0, monotonic: () => performance.now() + passed };
    const { lookUp, queries } = await openRegistry((query, socket) => socket.end(record(query)), { clock });
    await lookUp('a.test');
    passed += 23 * 3_600_000;
    await lookUp('b.test');
    expect(queries.filter((query) => query.startsWith('root'))).toHaveLength(1);
    passed += 3_600_000;
    await lookUp('c.test');
    expect(queries.filter((query) => query.startsWith('root'))).toHaveLength(2);
  });

  it('a TLD alone is answered by the root', async () => {
    const { lookUp, queries } = await open({ root: { test: { refer: NIC } } });
    const result = await lookUp('TEST');
    expect(result).toMatchObject({ whoisServer: 'root', raw: rootObject('test', NIC) });
    expect(result.parsed.domainName).toBe('test');
    expect(queries).toEqual(['root test']);
  });

  it('a TLD that the root does not know is unknown, and no registry is queried', async () => {
    const { lookUp } = await open({});
    expect(await errorOf(lookUp('example.nowhere'))).toMatchObject({ code: 'unknown_tld' });
  });

  it('a registry without any service is reported with its web address', async () => {
    const text = `${rootObject('test', '')}remarks:      Registration information: https://nic.example/\n`;
    const { lookUp } = await open({ root: { test: text } });
    const error = await errorOf(lookUp('example.test'));
    expect(error).toMatchObject({ code: 'no_registry_service' });
    expect(error.details).toMatchObject({ zone: 'test', registryWebsite: 'https://nic.example/' });
  });

  it("is not said to have none, nor a name to have no expiry, while the operator's bootstrap is missing", async () => {
    const { lookUp } = await open({
      root: { test: rootObject('test', ''), other: { refer: NIC } },
      whois: { [NIC]: record('example.other').replace(/Registry Expiry.*\r\n/, '') },
      settings: { rdapBootstrap: { url: 'http://bootstrap.test/dns.json' } },
    });
    expect((await errorOf(lookUp('example.test'))).code).toBe('registry_unavailable');
    expect(await lookUp('example.other')).toMatchObject({
      state: 'registered',
      incomplete: ['expirationDate'],
    });
  });

  it('a referral is followed, and the last answer counts', async () => {
    const { lookUp, queries } = await open({
      root: { test: { refer: 'whois.first.test' } },
      whois: {
        'whois.first.test': 'domain: TEST\r\nrefer: whois.second.test\r\n',
        'whois.second.test': 'ReferralServer: whois://whois.third.test\r\n',
        'whois.third.test': record('example.test'),
      },
    });
    const result = await lookUp('example.test');
    expect(result.whoisServer).toBe('whois.third.test');
    expect(queries).toHaveLength(4);
  });

  it('simultaneous look-ups under one TLD share the query of the root', async () => {
    const { lookUp, queries } = await openRegistry((query, socket) => socket.end(record(query)));
    await Promise.all(['a.test', 'b.test', 'c.test'].map((name) => lookUp(name)));
    expect(queries.filter((query) => query === 'root test')).toHaveLength(1);
  });

  it('a zone with its own registry is queried there, without the root', async () => {
    const { lookUp, queries } = await open({ whois: { 'whois.centralnic.com': record('sample.uk.com') } });
    expect((await lookUp('www.sample.uk.com')).whoisServer).toBe('whois.centralnic.com');
    expect(queries).toEqual(['whois.centralnic.com sample.uk.com']);
  });

  it('if the root times out, the built-in table names the registry', async () => {
    const { lookUp } = await open({
      root: (_, socket) => socket.destroy(),
      whois: {
        'whois.verisign-grs.com': (query, socket) => socket.end(record(query.replace('domain ', ''))),
      },
    });
    const result = await lookUp('example.com');
    expect(outcomes(result.hops)).toEqual(['root bad_answer', 'whois.verisign-grs.com registered']);
  });

  it('a root that fails and a TLD missing in the table: unavailable, never unknown, and asked again', async () => {
    const { lookUp, queries } = await open({ root: (_, socket) => socket.destroy() });
    expect(await errorOf(lookUp('example.test'))).toMatchObject({ code: 'registry_unavailable' });
    expect(await errorOf(lookUp('test'))).toMatchObject({ code: 'registry_unavailable' });
    expect(queries).toEqual(['root test', 'root test']);
  });
});

describe("the registry's answer becomes the response or the right error", () => {
  it.each([
    ['No match for "EXAMPLE.TEST".\r\n', 'not_registered'],
    ['This WHOIS server does not have any records for that zone.\r\n', 'registry_unavailable'],
    ['WHOIS LIMIT EXCEEDED - SEE WWW.PIR.ORG/WHOIS FOR DETAILS\r\n', 'registry_rate_limited'],
    [
      '%% Too many requests...\r\n%%\r\n%% No entries found in the AFNIC Database.\r\n',
      'registry_rate_limited',
    ],
  ])('%j: %s', async (text, code) => {
    const { lookUp } = await openRegistry(text);
    const error = await errorOf(lookUp('example.test'));
    expect(error).toMatchObject({ code });
    if (code === 'not_registered')
      expect(error).toMatchObject({
        message: 'example.test is not registered.',
        details: { whoisServer: NIC, raw: text },
      });
    else expect(JSON.stringify(error.details)).not.toContain('AFNIC');
  });

  it('a reserved name is a separate state: neither registered nor free', async () => {
    const { lookUp } = await openRegistry('Reserved by Registry\r\n');
    const result = await lookUp('example.test');
    expect(result).toMatchObject({ state: 'reserved', raw: 'Reserved by Registry\r\n' });
    expect(result.parsed.registrar).toBeNull();
  });

  it('at most two queries run at one registry', async () => {
    let running = 0;
    let most = 0;
    const { lookUp } = await openRegistry((query, socket) => {
      most = Math.max(most, ++running);
      setTimeout(() => {
        running--;
        socket.end(record(query));
      }, 5);
    });
    await Promise.all(Array.from({ length: 20 }, (_, i) => lookUp(`name${i}.test`)));
    expect(most).toBe(2);
  });
});
