import { isRecord } from '@mokuroku/kit/json';
import type { ZoneFacts } from 'mokuroku-whois/source';
import { asJson, asText, createTransport, fetchBody, pathSegment } from './fetch-body.ts';
import type { CallOptions, ClientOptions, Json, Query } from './fetch-body.ts';
import { lookUpEach } from './look-up-each.ts';
import type { LookUp, LookUpCallOptions, NameOutcome } from './look-up-each.ts';

/** The zones of a service, as published. */
export interface Zones {
  zones: ZoneFacts[];
  /** Query parameters that had no effect. */
  ignored?: string[];
}

/** See `createRegistrationClient`. */
export type RegistrationClient = ReturnType<typeof createRegistrationClient>;

export const DEFAULT_REGISTRATION_URL = 'http://127.0.0.1:3001';

/** Paths of the service that could be mistaken for domain names. */
const OWN_PATHS = new Set(['docs', 'livez', 'readyz', 'openapi.json', 'openapi.ja.json']);

const isTexts = (value: unknown) => Array.isArray(value) && value.every((text) => typeof text === 'string');
const isLookUp = ({ domain, raw, parsed }: Json) =>
  typeof domain === 'string' &&
  typeof raw === 'string' &&
  isRecord(parsed) &&
  isTexts(parsed['nameServers']) &&
  isTexts(parsed['status']);

const asLookUp = asJson<LookUp>(isLookUp);
const asZones = asJson<Zones>(({ zones }) => Array.isArray(zones));

/**
 * A client of a domain registration lookup service, for browsers and Node.
 *
 * @example
 * const registration = createRegistrationClient({ baseUrl: 'http://127.0.0.1:3001' });
 * const { data } = await registration.lookUp('example.com');
 * data.parsed.expirationDate; // '2031-04-09T01:30:00Z'
 * data.evidence?.line; // 'Registrar: Kamome Names (sample)'
 */
export function createRegistrationClient(options: ClientOptions = {}) {
  const transport = createTransport(options, DEFAULT_REGISTRATION_URL);
  const fetchText = async (path: string, query: Query, mediaType: string, call: CallOptions | undefined) =>
    (await fetchBody(transport, path, query, asText(mediaType), call)).data;
  return {
    /**
     * GET /:domain. Rejects with MokurokuError: `not_registered` (404, its `details` have the registry's text),
     * `invalid_domain`, `unknown_tld`, `registry_rate_limited` ...
     */
    lookUp: async (domain: string, call?: LookUpCallOptions) => {
      // With the root's dot it is the same name, but no path of the service.
      const name = OWN_PATHS.has(domain.toLowerCase()) ? `${domain}.` : domain;
      return fetchBody(transport, `/${pathSegment(name)}`, { follow: call?.follow }, asLookUp, call);
    },
    /**
     * GET /-/look-ups, for any number of names: the outcome of each once, as soon as it is ready. After a broken
     * connection, and after the limit (with `waitWhenLimited`, whose time restarts with each result), only unfinished
     * names are requested again. Rejects only with the reason of the signal.
     *
     * @example
     * const outcomes = new Map();
     * for await (const { name, data, error } of registration.lookUpMany(['example.org', 'free.org'])) {
     *   outcomes.set(name, data?.parsed.expirationDate ?? error?.code);
     * }
     * outcomes.get('example.org'); // '2031-04-09T01:30:00Z'
     * outcomes.get('free.org'); // 'not_registered'
     */
    lookUpMany: (
      names: readonly string[],
      call?: LookUpCallOptions,
    ): AsyncGenerator<NameOutcome, void, undefined> => lookUpEach(transport, names, isLookUp, call),
    /** GET /-/zones: the services of the zones' registries, and whether they publish expiry, registrar and status. */
    zones: (zones?: readonly string[], call?: CallOptions) =>
      fetchBody(transport, '/-/zones', { zones }, asZones, call),
    /** GET /-/expiry.ics: one iCalendar (RFC 5545) for up to a hundred names. */
    expiryCalendar: (names: readonly string[], call?: CallOptions): Promise<string> =>
      fetchText('/-/expiry.ics', { names }, 'text/calendar', call),
    /**
     * GET /-/probe: the expiry of a name for Prometheus. `expiry` (`YYYY-MM-DD`) applies if the registry states no
     * date.
     */
    probe: (target: string, call?: CallOptions & { expiry?: string | undefined }): Promise<string> =>
      fetchText('/-/probe', { target, expiry: call?.expiry }, 'text/plain', call),
  };
}
