import { describe, expect, it } from 'vitest';
import { NAME, answerFrom, followRegistrar } from '../../../test/registration/followed-registrar.ts';
import { record } from '../../../test/registration/loopback-world.ts';

const REGISTRAR = 'whois.registrar.test';
const registry = answerFrom('whois', 'whois.nic.test', REGISTRAR);
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

const followTo = async (text: string, more: { isTruncated?: boolean } = {}) =>
  (
    await followRegistrar(registry, [], {
      [REGISTRAR]: { ...answerFrom('whois', REGISTRAR, null, text), ...more },
    })
  ).result;

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
    const of = answerFrom('whois', REGISTRAR, null, statingFacts(2));
    expect((await followRegistrar(thin, [], { [REGISTRAR]: of })).result.whoisServer).toBe(REGISTRAR);
  });

  it('that does not state a registration is not used', async () => {
    const of = answerFrom('whois', REGISTRAR, null);
    of.reading.state = 'reserved';
    expect((await followRegistrar(registry, [], { [REGISTRAR]: of })).result.whoisServer).toBe(
      'whois.nic.test',
    );
  });

  it('may use all the remaining time if it is the last one to query', async () => {
    const { requests, shares } = await followRegistrar(registry, [], {});
    expect([requests, shares]).toEqual([[`registrar ${REGISTRAR}`], [1]]);
  });

  it('that is truncated is not used', async () => {
    expect((await followTo(record(NAME), { isTruncated: true })).whoisServer).toBe('whois.nic.test');
  });

  it("fills the registry's empty lists, and adds nothing to the others", async () => {
    const thin = answerFrom('whois', 'whois.nic.test', REGISTRAR, statingFacts(5));
    const of = answerFrom('whois', REGISTRAR, null, statingFacts(7));
    const { result } = await followRegistrar(thin, [], { [REGISTRAR]: of });
    expect(result.parsed).toMatchObject({ nameServers: ['ns1.other.example'], status: ['ok'] });
    const whole = await followTo(statingFacts(7));
    expect(whole.parsed.nameServers).toEqual(['ns1.hosting.example', 'ns2.hosting.example']);
  });

  it('is not requested if the registry names itself', async () => {
    const { requests } = await followRegistrar(
      answerFrom('whois', 'whois.nic.test', 'whois.nic.test'),
      [],
      {},
    );
    expect(requests).toEqual([]);
  });

  it('is not requested for a name that is not registered', async () => {
    const reserved = answerFrom('whois', 'whois.nic.test', REGISTRAR, 'Reserved by Registry\r\n');
    expect((await followRegistrar(reserved, [], {})).requests).toEqual([]);
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
  });
});
