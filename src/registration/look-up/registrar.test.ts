import { describe, expect, it } from 'vitest';
import { systemClock } from '../../process/clock.ts';
import { silentLogger } from '../../process/logger.ts';
import { ServerFault } from '../net/server-fault.ts';
import { parseWhoisText } from '../whois/parsers/parse-whois-text.ts';
import { record } from '../../../test/registration/loopback-world.ts';
import type { AskServer, ServerAnswer } from './ask-server.ts';
import { createLookUpContext } from './hops.ts';
import { withRegistrar } from './registrar.ts';
import { conclude } from './result.ts';
import type { Service } from './services.ts';

const NAME = 'example.test';
const RDAP: Service = { protocol: 'rdap', url: 'https://rdap.nic.test/domain/example.test', isListed: true };
const LINK = 'https://rdap.registrar.test/domain/example.test';

function answer(protocol: 'whois' | 'rdap', server: string, registrar: string | null): ServerAnswer {
  const raw = record(NAME, [`Note: from ${server}`]);
  const reading = parseWhoisText(raw, { server, domain: NAME });
  return { protocol, server, raw, reading, registrar, isTruncated: false };
}

/** Follows to the registrar with these servers alone; others are out of reach. Tells who was asked. */
async function follow(registry: ServerAnswer, services: Service[], servers: Record<string, ServerAnswer>) {
  const asked: string[] = [];
  const shares: number[] = [];
  const ask: AskServer = (given, role, service, _name, deadline) => {
    shares.push(
      Math.round(((deadline - systemClock.monotonic()) / (given.deadline - systemClock.monotonic())) * 10) /
        10,
    );
    const server = service.protocol === 'whois' ? service.endpoint.host : new URL(service.url).hostname;
    asked.push(`${role} ${server}`);
    const found = servers[server];
    return found ? Promise.resolve(found) : Promise.reject(new ServerFault('unreachable'));
  };
  const context = createLookUpContext({
    clock: systemClock,
    log: silentLogger(),
    name: NAME,
    timeoutMs: 60_000,
    observeHop: () => undefined,
  });
  const name = { asked: NAME, name: NAME, tld: 'test', zone: 'test' };
  const result = conclude(name, registry, []);
  return { result: await withRegistrar(ask, result, registry, services, NAME, context), asked, shares };
}

describe('a registrar', () => {
  const byWhois = answer('whois', 'whois.nic.test', 'whois.registrar.test');
  const linking = answer('rdap', 'rdap.nic.test', LINK);
  const ofRegistrar = answer('rdap', 'rdap.registrar.test', null);

  it('whose WHOIS answers is not asked by RDAP', async () => {
    const whois = answer('whois', 'whois.registrar.test', null);
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
    const { result } = await follow(answer('whois', 'whois.nic.test', null), [RDAP], {
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
    for (const record of [undefined, answer('rdap', 'rdap.nic.test', null), linking]) {
      const { result } = await follow(byWhois, [RDAP], record ? { 'rdap.nic.test': record } : {});
      expect(result).toMatchObject({ whoisServer: 'whois.nic.test', raw: byWhois.raw });
      expect(result).not.toHaveProperty('registry');
    }
  });
});
