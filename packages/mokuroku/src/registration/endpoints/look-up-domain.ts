import { createHash } from 'node:crypto';
import { z } from 'zod';
import { cachedError } from '@mokuroku/kit/cache';
import type { CachePolicy, Question, CacheResult, ResponseCache } from '@mokuroku/kit/cache';
import { ERRORS, ServiceError, text } from '@mokuroku/kit';
import { defineEndpoint, requireAdmission } from '@mokuroku/kit/http';
import type { Endpoint, Envelope } from '@mokuroku/kit/http';
import type { RateLimiter } from '@mokuroku/kit/limits';
import type { Clock } from '@mokuroku/kit/process';
import type { DomainLookUp, DomainName, Follow, LookUpResult } from 'mokuroku-whois/service';
import { END_FIELDS, daysLeft, endingOf, isUnknown } from 'mokuroku-whois/record';
import { REGISTRATION_ERRORS, REGISTRATION_ERROR_DETAILS } from './look-up-error-schema.ts';
import { LookUpAnswer } from './look-up-schema.ts';
import { DOMAIN, FOLLOW } from './parameters.ts';
import type { RegistrationMethods } from './parameters.ts';

/** Dependencies of the endpoints. */
export interface RegistrationServices {
  domainLookUp: DomainLookUp;
  cache: ResponseCache;
  /** undefined: no limit. */
  limiter: RateLimiter | undefined;
  clock: Clock;
  isSample: () => boolean;
}

/**
 * A registration is fresh for an hour, an absence for five minutes. If the look-up fails, a stale one is served until
 * it is a day old.
 */
export const REGISTRATION: CachePolicy = {
  freshSeconds: 3_600,
  staleWhileRevalidateSeconds: 0,
  staleIfErrorSeconds: 86_400,
  absentSeconds: 300,
};
/** Another attempt soon may find the unknown end of a registration. */
export const INCOMPLETE: CachePolicy = { ...REGISTRATION, freshSeconds: 300 };
/** For a truncated answer, and for a response that is composed of a cached look-up each time. */
export const NOT_CACHED: CachePolicy = { ...REGISTRATION, freshSeconds: 0, staleIfErrorSeconds: 0 };

/** A name, and the client that requests it. */
interface WantedName {
  name: DomainName;
  client: string;
  /** Default: `registry`. */
  follow?: Follow | undefined;
}

/** A short hash of a schema: two schemas with other members have other hashes. */
export const hashSchema = (schema: z.ZodType): string =>
  createHash('sha256')
    .update(JSON.stringify(z.toJSONSchema(schema)))
    .digest('base64url')
    .slice(0, 8);

/** Memory of a look-up: the answers of some servers, most of which have a few thousand bytes, and what is parsed. */
const LOOK_UP_BYTES = 100_000;

/** Changes with the published response, so that a release never sends the cached responses of another form. */
const RESPONSE_FORM = hashSchema(LookUpAnswer);

/** The question of all endpoints about a name, so that they share one cache entry. */
export function lookUpQuestion(
  { lookUp }: DomainLookUp,
  { name, client, follow = 'registry' }: WantedName,
): Question {
  return {
    key: `${name.name} ${follow} ${RESPONSE_FORM}`,
    client,
    memoryBytes: LOOK_UP_BYTES,
    load: async () => {
      const { hops, ...data } = await lookUp(name, follow, { client });
      const policy = data.truncated ? NOT_CACHED : isUnknown(data, ...END_FIELDS) ? INCOMPLETE : undefined;
      return { data, meta: { hops }, policy };
    },
  };
}

/** The cached part of a look-up, without the hops, whose times differ. */
type CachedLookUp = Omit<LookUpResult, 'hops'>;

/**
 * The registration of a name, from the cache or a look-up; what depends on the time is of now. Rejects with the
 * ServiceError of the look-up.
 */
export async function findRegistration(
  { domainLookUp, cache, clock }: RegistrationServices,
  request: WantedName,
): Promise<{ data: CachedLookUp; result: CacheResult }> {
  const result = await cache.get(lookUpQuestion(domainLookUp, request), REGISTRATION);
  const { entry } = result;
  if (entry.status !== 200) throw cachedError(entry);
  const data = JSON.parse(entry.data.toString()) as CachedLookUp;
  const now = clock.now();
  data.daysLeft = daysLeft(data.parsed.expirationDate, now);
  data.ending = endingOf(data, now);
  return { data, result };
}

/** Maximum concurrent look-ups; more would only wait for the limits of a registry. */
export const LOOK_UPS = { atOnce: 8 };

/** Counts one name of many; the first one is counted with the request itself. Throws ServiceError `rate_limited`. */
export async function countName(
  { limiter }: RegistrationServices,
  client: string,
  index: number,
): Promise<void> {
  if (index > 0) await requireAdmission(limiter, client);
}

/**
 * The body: the data, and members that do not affect the validator: `hops`, whose times differ with each look-up,
 * `domain` as the request wrote it, and parameters without effect.
 */
export const REGISTRATION_ENVELOPE: Envelope = ({ data, meta: { hops } }, { requestedSpelling, ignored }) => {
  const first = requestedSpelling === undefined ? '{' : `{"domain":${JSON.stringify(requestedSpelling)},`;
  const members = {
    ...(hops !== undefined && { hops }),
    ...(ignored.length > 0 && { ignored }),
  };
  const more = JSON.stringify(members);
  // The data without their braces, between other members.
  return [Buffer.from(first), data.subarray(1, -1), Buffer.from(more === '{}' ? '}' : `,${more.slice(1)}`)];
};

/** Browsers request this path of every host; it must not cause a query to a registry. */
const FILE_OF_WEBSITES = 'favicon.ico';

/** GET /:domain */
export function lookUpDomain({ domainLookUp }: RegistrationServices): Endpoint {
  return defineEndpoint({
    name: 'lookUpDomain',
    path: '/:domain',
    group: 'Registration',
    summary: text('Look a domain name up', 'ドメイン名を検索する'),
    description: text(
      'Queries the root server for the registry of the name, then the registry, and parses its answer. Where a registry has no WHOIS, or it is unavailable or refuses, RDAP is used.',
      'ルートサーバーで担当レジストリを調べ、レジストリに問い合わせて応答を解析します。WHOIS がない、停止している、または拒否された場合は RDAP を使います。',
    ),
    cache: REGISTRATION,
    client: { method: 'lookUp' } satisfies RegistrationMethods,
    command: ['whois', 'domain'],
    tool: { omit: ['raw', 'hops'] },
    // prettier-ignore
    examples: [
      { name: 'lookUp', path: { domain: 'example.com' },
        title: text('See who registered a name, and until when', '登録者の情報と有効期限を調べる') },
      { name: 'lookUpJapanese', path: { domain: '見本.jp' },
        title: text('Look up an internationalised name', '日本語のドメイン名を調べる') },
      { name: 'askRegistrar', path: { domain: 'example.com' }, query: { follow: 'registrar' },
        title: text('Query the registrar too', 'レジストラにも問い合わせる') },
    ],
    pathTable: { domain: DOMAIN },
    queryTable: { follow: FOLLOW },
    answer: LookUpAnswer,
    errors: REGISTRATION_ERRORS,
    details: REGISTRATION_ERROR_DETAILS,
    handle: ({ path: { domain: spelling }, query: { follow } }, { client }) => {
      if (spelling === FILE_OF_WEBSITES) {
        throw new ServiceError(ERRORS.not_found, { message: `There is no ${spelling} here.` });
      }
      return lookUpQuestion(domainLookUp, { name: domainLookUp.readName(spelling), client, follow });
    },
  });
}
