import { IANA_BOOTSTRAP_URL, createDomainLookUp } from '../../registration/look-up/domain-look-up.ts';
import type { LookUpSettings } from '../../registration/look-up/domain-look-up.ts';
import { createAddressGuard } from '../../registration/net/address-guard.ts';
import { createDialer } from '../../registration/net/dial.ts';
import type { ResolveHost } from '../../registration/net/resolve.ts';
import { createHttpGet } from '../../registration/rdap/http-get.ts';
import { silentLogger } from '../../process/logger.ts';
import { fetchBootstrap } from '../../registration/rdap/bootstrap.ts';
import { createPace } from '../pace.ts';
import type { PaceParts } from '../pace.ts';
import type { Registries } from './registries.ts';

interface RegistriesParts extends PaceParts {
  readonly settings: LookUpSettings;
  readonly resolve: ResolveHost;
  readonly random: () => number;
  readonly signal: AbortSignal;
}

/** The root and the registries as the service queries them, one look-up a second. */
export function openRegistries(parts: RegistriesParts): { registries: Registries; close: () => void } {
  const { settings, clock, resolve, random, signal } = parts;
  const lookUps = createDomainLookUp(settings, { clock, log: silentLogger(), resolve, random });
  const guard = createAddressGuard(settings.allowedCidrs);
  const dial = createDialer({ clock, guard, hostMap: settings.hostMap, resolve });
  const httpGet = createHttpGet(dial, settings.userAgent, clock);
  const atPace = createPace(parts);
  const { json, url = json === undefined ? IANA_BOOTSTRAP_URL : undefined } = settings.rdapBootstrap;
  const registries: Registries = {
    lookUp: (name) => atPace(() => lookUps.lookUp(lookUps.readName(name), 'registry', { signal })),
    fetchBootstrap: url === undefined ? undefined : (either) => fetchBootstrap(httpGet, url, either),
    random,
    rootReferrals: new Map(),
    unansweredInRow: 0,
  };
  return { registries, close: lookUps.stop };
}
