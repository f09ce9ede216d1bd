import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { systemClock } from '@mokuroku/kit/process';
import { DEFAULT_SETTINGS, createDomainLookUp } from '../../../packages/whois/src/look-up/domain-look-up.ts';
import type { DomainLookUp } from '../../../packages/whois/src/look-up/domain-look-up.ts';
import { SAMPLE_DOMAINS } from '../../../packages/mokuroku/src/registration/sample/sample-domains.ts';
import { startSampleRegistries } from '../../../packages/mokuroku/src/registration/sample/start-sample-registries.ts';
import { stopTimers } from '../../stop-timers.ts';
import type { SampleRegistries } from '../../../packages/mokuroku/src/registration/sample/start-sample-registries.ts';

let sample: SampleRegistries;
let domains: DomainLookUp;

beforeAll(async () => {
  sample = await startSampleRegistries();
  const settings = { ...DEFAULT_SETTINGS, ...sample.settings, perSecondPerRegistry: 0 };
  domains = createDomainLookUp(settings, {
    clock: systemClock,
    resolve: () => Promise.resolve([]),
  });
});

afterAll(async () => {
  domains.stop();
  await sample.close();
});

const lookUp = (given: string, follow: 'registry' | 'registrar' = 'registry') =>
  domains.lookUp(domains.readName(given), follow);

/** The fields that a registry of the sample states; dates may be days in Tokyo. */
function stated(domain: (typeof SAMPLE_DOMAINS)[number]) {
  const { name, registrar, created, expires, updated, nameServers, status } = domain;
  const whole = {
    domainName: name,
    registrar,
    creationDate: created,
    expirationDate: expires,
    updatedDate: updated,
  };
  if (name.endsWith('.de'))
    return { ...whole, registrar: null, creationDate: null, expirationDate: null, nameServers, status };
  if (!name.endsWith('.jp')) return { ...whole, nameServers, status };
  const days = { creationDate: created.slice(0, 10), expirationDate: expires.slice(0, 10) };
  return { ...whole, ...days, registrar: null, nameServers, status };
}

describe('the sample registries', () => {
  it.each(SAMPLE_DOMAINS.filter(({ reserved }) => !reserved).map((domain) => [domain.name, domain] as const))(
    '%s is parsed as it was generated',
    async (name, domain) => {
      const { parsed, state } = await lookUp(name);
      expect(state).toBe('registered');
      expect(parsed).toMatchObject(stated(domain));
    },
  );

  it('a top-level domain outside the sample is distinguished from one that does not exist', async () => {
    const error: unknown = await lookUp('example.fr').catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: 'unknown_tld' });
    expect((error as Error).message).toBe(
      'There is no top-level domain .fr in the sample; --live queries the real root and registries.',
    );
  });

  it('Japanese text arrives unchanged', async () => {
    expect((await lookUp('見本.jp')).raw).toContain('株式会社見本');
  });

  it.each([
    'free-name.com',
    'free-name.org',
    'free-name.jp',
    'free-name.de',
    'free-name.app',
    'free-name.co.uk',
  ])('%s is not registered', async (name) => {
    await expect(lookUp(name)).rejects.toMatchObject({ code: 'not_registered' });
  });

  it.each([
    ['anything.busy', 'registry_rate_limited'],
    ['anything.broken', 'registry_unavailable'],
    ['anything.silent', 'no_registry_service'],
    ['anything.nowhere', 'unknown_tld'],
  ])('%s: %s', async (name, code) => {
    await expect(lookUp(name)).rejects.toMatchObject({ code });
  });

  it('anything.slow: registry_timeout', async () => {
    const pass = stopTimers();
    const dripping = vi.spyOn(globalThis, 'setInterval');
    const looked = lookUp('anything.slow').catch((reason: unknown) => reason);
    await expect.poll(() => dripping).toHaveBeenCalled();
    pass(DEFAULT_SETTINGS.timeoutMs);
    expect(await looked).toMatchObject({ code: 'registry_timeout' });
    dripping.mockRestore();
  });

  it('a reserved name is reserved, in WHOIS as in texts', async () => {
    expect(await lookUp('reserved-sample.org')).toMatchObject({ state: 'reserved' });
  });

  it('the registrar is queried on request, and its failure does not change the data of the registry', async () => {
    expect(await lookUp('example.com', 'registrar')).toMatchObject({
      whoisServer: 'whois.registrar.example',
      registry: { whoisServer: 'whois.verisign-grs.com' },
    });
    expect(await lookUp('dead-registrar-sample.com', 'registrar')).toMatchObject({
      whoisServer: 'whois.verisign-grs.com',
      hops: { length: 3 },
    });
  });

  it('a registry that refuses WHOIS is queried over RDAP', async () => {
    expect(await lookUp('example.closed')).toMatchObject({
      protocol: 'rdap',
      whoisServer: 'rdap.registry.example',
    });
  });
});
