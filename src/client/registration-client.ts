import { createAsk, createSite, isRecord } from './ask.ts';
import type { ClientOptions, Json } from './ask.ts';
import { lookUpEach } from './look-up-each.ts';
import type { LookUp, LookUpCallOptions, NameOutcome } from './look-up-each.ts';
import type { ResponseFacts } from './mokuroku-error.ts';

/** See `createRegistrationClient`. */
export type RegistrationClient = ReturnType<typeof createRegistrationClient>;

export const DEFAULT_REGISTRATION_URL = 'http://127.0.0.1:3001';

/** Paths of the service that are no domain names but could be asked for as one. */
const OWN_PATHS = new Set(['docs', 'livez', 'readyz', 'openapi.json']);

const isTexts = (value: unknown) => Array.isArray(value) && value.every((text) => typeof text === 'string');
const isLookUp = ({ domain, raw, parsed }: Json) =>
  typeof domain === 'string' &&
  typeof raw === 'string' &&
  isRecord(parsed) &&
  isTexts(parsed['nameServers']) &&
  isTexts(parsed['status']);

/** A client of a domain registration lookup service, for browsers and Node. */
export function createRegistrationClient(options: ClientOptions = {}) {
  const site = createSite(options, DEFAULT_REGISTRATION_URL);
  const ask = createAsk(site);
  return {
    /**
     * GET /:domain. Rejects with MokurokuError: `not_registered` (404, its `details` hold the registry's text),
     * `invalid_domain`, `unknown_tld`, `registry_rate_limited` ...
     */
    lookUp: async (
      domain: string,
      call?: LookUpCallOptions,
    ): Promise<{ data: LookUp; response: ResponseFacts }> => {
      // With the root's dot it is the same name, but no path of the service's own.
      const name = OWN_PATHS.has(domain.toLowerCase()) ? `${domain}.` : domain;
      const { body, response } = await ask(
        `/${encodeURIComponent(name)}`,
        { follow: call?.follow },
        isLookUp,
        call,
      );
      return { data: body as unknown as LookUp, response };
    },
    /**
     * GET /-/look-ups, for any number of names: the outcome of each, as it comes, once. A connection that breaks off and
     * names over the limit (with `waitWhenLimited`, which counts anew with each answer) are asked for again, what was
     * answered is not. Rejects only with the reason of the signal.
     */
    lookUpMany: (
      names: readonly string[],
      call?: LookUpCallOptions,
    ): AsyncGenerator<NameOutcome, void, undefined> => lookUpEach(site, names, isLookUp, call),
  };
}
