import { describe, expect, it } from 'vitest';
import { answerFrom, followRegistrar } from '../../../test/registration/followed-registrar.ts';
import type { RegistryService } from './services.ts';

const RDAP: RegistryService = {
  protocol: 'rdap',
  url: 'https://rdap.nic.test/domain/example.test',
  isListed: true,
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

  it('without a link, or unreachable, changes nothing', async () => {
    for (const record of [undefined, answerFrom('rdap', 'rdap.nic.test', null), linking]) {
      const { result } = await followRegistrar(byWhois, [RDAP], record ? { 'rdap.nic.test': record } : {});
      expect(result).toMatchObject({ whoisServer: 'whois.nic.test', raw: byWhois.raw });
      expect(result).not.toHaveProperty('registry');
    }
  });
});
