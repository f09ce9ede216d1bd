import { parseJson } from '../../process/json.ts';
import bundledBootstrap from '../../registration/look-up/data/rdap-bootstrap.json' with { type: 'json' };
import { IANA_BOOTSTRAP_URL, createDomainLookUp } from '../../registration/look-up/domain-look-up.ts';
import type { LookUpSettings } from '../../registration/look-up/domain-look-up.ts';
import { builtInTable } from '../../registration/look-up/services.ts';
import { createAddressGuard } from '../../registration/net/address-guard.ts';
import { createDialer } from '../../registration/net/dial.ts';
import type { ResolveHost } from '../../registration/net/resolve.ts';
import { createHttpGet } from '../../registration/rdap/http-get.ts';
import type { Clock } from '../../process/clock.ts';
import { silentLogger } from '../../process/logger.ts';
import { parseBootstrap } from './bootstrap.ts';
import type { Registries } from './registries.ts';

interface RegistriesParts {
  readonly settings: LookUpSettings;
  readonly clock: Clock;
  readonly pause: (milliseconds: number) => Promise<unknown>;
  readonly resolve: ResolveHost;
  readonly random: () => number;
  readonly signal: AbortSignal;
}

const PAUSE_MS = 1_000;
const MAX_BOOTSTRAP_BYTES = 4_194_304;

/** The root and the registries as the service queries them, one look-up a second. */
export function openRegistries(parts: RegistriesParts): { registries: Registries; close: () => void } {
  const { settings, clock, resolve, random, signal } = parts;
  const lookUps = createDomainLookUp(settings, { clock, log: silentLogger(), resolve, random });
  const guard = createAddressGuard(settings.allowedCidrs);
  const dial = createDialer({ clock, guard, hostMap: settings.hostMap, resolve });
  const httpGet = createHttpGet(dial, settings.userAgent, clock);
  let lastAt = -Infinity;

  async function waitForTurn(): Promise<void> {
    const restMs = lastAt + PAUSE_MS - clock.monotonic();
    if (restMs > 0) await parts.pause(restMs);
    lastAt = clock.monotonic();
  }

  const { json, url = json === undefined ? IANA_BOOTSTRAP_URL : undefined } = settings.rdapBootstrap;
  const fetchBootstrap = async (either: AbortSignal) => {
    const { status, body } = await httpGet(new URL(url ?? ''), MAX_BOOTSTRAP_BYTES, either);
    if (status !== 200) throw new Error(`status ${status}`);
    return parseBootstrap(parseJson(body.toString()));
  };
  const registries: Registries = {
    lookUp: async (name) => {
      await waitForTurn();
      return lookUps.lookUp(lookUps.readName(name), 'registry', { signal });
    },
    rootWhoisOf: builtInTable.rootWhoisOf,
    rootZoneDate: builtInTable.rootZoneDate,
    bundled: parseBootstrap(bundledBootstrap),
    fetchBootstrap: url === undefined ? undefined : fetchBootstrap,
    random,
    rootReferrals: new Map(),
    unansweredInRow: 0,
  };
  return { registries, close: lookUps.stop };
}
