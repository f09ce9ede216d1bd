import { describe, expect, it } from 'vitest';
import { answerFrom, follow } from '../../../test/registration/followed-registrar.ts';
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

  it('whose WHOIS answers is not asked by RDAP', async () => {
    const whois = answerFrom('whois', 'whois.registrar.test', null);
    const { result, asked } = await follow(byWhois, [RDAP], { 'whois.registrar.test': whois });
    expect(asked).toEqual(['registrar whois.registrar.test']);
    expect(result.whoisServer).toBe('whois.registrar.test');
  });

  it('whose port 43 is dead is asked by RDAP, and the answer of the registry is kept beside', async () => {
    const { result, asked, shares } = await follow(byWhois, [RDAP], {
      'rdap.nic.test': linking,
      'rdap.registrar.test': ofRegistrar,
    });
    // Whoever is silent leaves time for the next.
    expect(shares).toEqual([0.5, 0.5, 1]);
    expect(asked).toEqual([
      'registrar whois.registrar.test',
      'registry rdap.nic.test',
      'registrar rdap.registrar.test',
    ]);
    expect(result).toMatchObject({ whoisServer: 'rdap.registrar.test', protocol: 'rdap' });
    expect(result.registry).toMatchObject({ whoisServer: 'whois.nic.test', protocol: 'whois' });
  });

  it('that names no WHOIS server is asked by RDAP at once', async () => {
    const { result } = await follow(answerFrom('whois', 'whois.nic.test', null), [RDAP], {
      'rdap.nic.test': linking,
      'rdap.registrar.test': ofRegistrar,
    });
    expect(result.whoisServer).toBe('rdap.registrar.test');
  });

  it('of a registry that answers by RDAP is asked where that answer links to', async () => {
    const { result, asked } = await follow(linking, [RDAP], { 'rdap.registrar.test': ofRegistrar });
    expect(asked).toEqual(['registrar rdap.registrar.test']);
    expect(result.whoisServer).toBe('rdap.registrar.test');
  });

  it('that nobody links to, or that nobody can reach, changes nothing', async () => {
    for (const record of [undefined, answerFrom('rdap', 'rdap.nic.test', null), linking]) {
      const { result } = await follow(byWhois, [RDAP], record ? { 'rdap.nic.test': record } : {});
      expect(result).toMatchObject({ whoisServer: 'whois.nic.test', raw: byWhois.raw });
      expect(result).not.toHaveProperty('registry');
    }
  });
});
