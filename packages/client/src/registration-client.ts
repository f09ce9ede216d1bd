import { isRecord } from '@mokuroku/kit/json';
import type { ZoneFacts } from 'mokuroku-whois/source';
import { asJson, asText, createTransport, fetchBody, pathSegment } from './fetch-body.ts';
import type { CallOptions, ClientOptions, Json } from './fetch-body.ts';
import { lookUpEach } from './look-up-each.ts';
import type { LookUp, LookUpCallOptions, NameOutcome } from './look-up-each.ts';
import type { ResponseFacts } from './mokuroku-error.ts';

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

const hasZones = ({ zones }: Json) => Array.isArray(zones);

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
  return {
    /**
     * GET /:domain. Rejects with MokurokuError: `not_registered` (404, its `details` have the registry's text),
     * `invalid_domain`, `unknown_tld`, `registry_rate_limited` ...
     */
    lookUp: async (
      domain: string,
      call?: LookUpCallOptions,
    ): Promise<{ data: LookUp; response: ResponseFacts }> => {
      // With the root's dot it is the same name, but no path of the service.
      const name = OWN_PATHS.has(domain.toLowerCase()) ? `${domain}.` : domain;
      const path = `/${pathSegment(name)}`;
      const { body, response } = await fetchBody(
        transport,
        path,
        { follow: call?.follow },
        asJson(isLookUp),
        call,
      );
      return { data: body as unknown as LookUp, response };
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
    zones: async (
      zones?: readonly string[],
      call?: CallOptions,
    ): Promise<{ data: Zones; response: ResponseFacts }> => {
      const { body, response } = await fetchBody(transport, '/-/zones', { zones }, asJson(hasZones), call);
      return { data: body as unknown as Zones, response };
    },
    /** GET /-/expiry.ics: one iCalendar (RFC 5545) for up to a hundred names. */
    expiryCalendar: async (names: readonly string[], call?: CallOptions): Promise<string> => {
      const { body } = await fetchBody(transport, '/-/expiry.ics', { names }, asText('text/calendar'), call);
      return body;
    },
    /**
     * GET /-/probe: the expiry of a name for Prometheus. `expiry` (`YYYY-MM-DD`) applies if the registry states no
     * date.
     */
    probe: async (target: string, call?: CallOptions & { expiry?: string | undefined }): Promise<string> => {
      const { body } = await fetchBody(
        transport,
        '/-/probe',
        { target, expiry: call?.expiry },
        asText('text/plain'),
        call,
      );
      return body;
    },
  };
}
