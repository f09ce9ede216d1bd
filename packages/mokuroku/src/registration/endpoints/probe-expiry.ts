import { Gauge, Registry } from 'prom-client';
import { z } from 'zod';
import { ServiceError, ALLOWED, FAULTS, text } from '@mokuroku/kit';
import { defineEndpoint } from '@mokuroku/kit/http';
import type { Endpoint, Parameter } from '@mokuroku/kit/http';
import { AVAILABILITY_OF_ERROR } from 'mokuroku-whois/service';
import type { DomainName } from 'mokuroku-whois/service';
import { daysLeft, isUnknown } from 'mokuroku-whois/record';
import type { Ending } from 'mokuroku-whois/record';
import { REGISTRY_ERRORS } from '../errors.ts';
import { findRegistration } from './look-up-domain.ts';
import type { RegistrationServices } from './look-up-domain.ts';
import { REGISTRATION_ERROR_DETAILS } from './look-up-error-schema.ts';
import { nameParameter } from './parameters.ts';
import type { RegistrationMethods } from './parameters.ts';

const TARGET = nameParameter({
  en: 'The domain name.',
  ja: 'ドメイン名。',
  required: true,
  example: 'example.com',
});

const EXPIRY: Parameter<string> = {
  en: 'When the registration ends, for zones without published dates (.de, .at, .eu): `YYYY-MM-DD`. A date from the registry takes precedence; otherwise the metrics have `source="operator"`.',
  ja: 'レジストリが日付を公開しないゾーン（.de、.at、.eu）のための期限: `YYYY-MM-DD`。レジストリの日付があればそちらが優先。この値を使う場合はメトリクスに `source="operator"` が付きます。',
  schema: z.iso.date(FAULTS.notDate.en),
  allowed: ALLOWED.date.en,
  published: { type: 'string', format: 'date' },
  example: '2027-01-31',
};

/** GET /-/probe?target=example.com */
export function probeExpiry(services: RegistrationServices): Endpoint {
  const { clock } = services;
  return defineEndpoint({
    name: 'probeExpiry',
    path: '/-/probe',
    group: 'Registration',
    summary: text('Expiry of a name for Prometheus', 'Prometheus のための有効期限'),
    description: text(
      "For Prometheus' multi-target pattern: time until a name expires, how it ends, and its statuses. 200 also if the look-up failed; see `domain_lookup_success`.",
      'Prometheus の multi-target 方式のための、登録の残り時間、終了の状態、status。照会に失敗しても 200 で、成否は `domain_lookup_success` が示します。',
    ),
    client: { method: 'probe', first: 'target' } satisfies RegistrationMethods,
    // prettier-ignore
    examples: [
      { name: 'probe', query: { target: 'example.com' },
        title: text('Monitor the expiry with Prometheus', 'Prometheus で有効期限を見張る') },
    ],
    queryTable: { target: TARGET, expiry: EXPIRY },
    mediaType: 'text/plain; version=0.0.4',
    answer: z.string().meta({ en: "Prometheus' text format.", ja: 'Prometheus のテキスト形式。' }),
    errors: ['invalid_parameter', 'invalid_domain'],
    details: REGISTRATION_ERROR_DETAILS,
    handle: async ({ query: { target = '', expiry: given } }, { client }) => {
      const name = readTarget(services, target);
      const startedAt = clock.monotonic();
      const expiry = await findExpiry(services, { name, client }, given);
      const tookSeconds = (clock.monotonic() - startedAt) / 1_000;
      return {
        body: await gaugesText(name.name, expiry, tookSeconds, clock.now() / 1_000),
        cacheControl: 'no-store',
      };
    },
  });
}

/** The name. Throws `invalid_domain` whose faults name this endpoint's parameter. */
function readTarget({ domainLookUp }: RegistrationServices, target: string): DomainName {
  try {
    return domainLookUp.readName(target);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const { message, details } = error;
    const faults = (details as readonly object[]).map((fault) => ({ ...fault, parameter: 'target' }));
    throw new ServiceError(REGISTRY_ERRORS.invalid_domain, { message, details: faults });
  }
}

interface ProbedExpiry {
  /** Whether the registry answered, and the expiry and the statuses could be read. */
  isAnswered: boolean;
  /** undefined: unknown. */
  isRegistered: boolean | undefined;
  /** ISO 8601. */
  expirationDate: string | null;
  /** Stated by the operator. */
  isGiven: boolean;
  ending: Ending | null;
  status: readonly string[];
}

/** The samples in Prometheus' text format. What is unknown has none. */
function gaugesText(
  domain: string,
  { isAnswered, isRegistered, expirationDate, isGiven, ending, status }: ProbedExpiry,
  tookSeconds: number,
  now: number,
): Promise<string> {
  const registry = new Registry();
  const add = (name: string, help: string, value: number | undefined, ...all: Record<string, string>[]) => {
    const [labels] = all;
    if (value === undefined || labels === undefined) return;
    const labelNames = ['domain', ...Object.keys(labels)];
    const gauge = new Gauge({ name: `domain_${name}`, help, labelNames, registers: [registry] });
    for (const each of all) gauge.set({ domain, ...each }, value);
  };
  const at = expirationDate === null ? undefined : Date.parse(expirationDate) / 1_000;
  // The operator stated the date, because the registry publishes none.
  const source: Record<string, string> = isGiven ? { source: 'operator' } : {};
  const isName = isRegistered === undefined ? undefined : Number(isRegistered);
  const left = at === undefined ? undefined : Math.round(at - now);
  const days = daysLeft(expirationDate, now * 1_000) ?? undefined;
  const ends = ending === null ? [] : [{ ending }];
  const statuses = status.map((word) => ({ status: word }));
  add('lookup_success', HELP.success, Number(isAnswered), {});
  add('lookup_duration_seconds', HELP.duration, tookSeconds, {});
  add('registered', HELP.registered, isName, {});
  add('expiry_seconds', HELP.left, left, source);
  add('expiry_timestamp_seconds', HELP.at, at, source);
  add('expiry_days', HELP.days, days, source);
  add('ending', HELP.ending, 1, ...ends);
  add('status', HELP.status, 1, ...statuses);
  return registry.metrics();
}

const HELP = {
  success: 'Whether the registry answered readably (1) or not (0), also when asked for a date.',
  duration: 'Duration of the look-up; near 0 if it was cached.',
  registered: 'Whether the name is registered.',
  left: 'Seconds until the registration ends, negative after it; omitted if the registry publishes no readable date or did not answer.',
  at: 'When the registration ends, in seconds since 1970.',
  days: 'The same in days, rounded, as `daysLeft` of a look-up.',
  ending: 'Whether and how the registration ends, as `ending` of a look-up.',
  status: 'The statuses of the registration.',
};

async function findExpiry(
  services: RegistrationServices,
  { name, client }: { name: DomainName; client: string },
  given: string | undefined,
): Promise<ProbedExpiry> {
  try {
    const { data } = await findRegistration(services, { name, client });
    const isRegistered = data.state === 'registered';
    const stated = data.parsed.expirationDate;
    const isGiven = stated === null && isRegistered && given !== undefined;
    const { ending, parsed } = data;
    const isExpiryRead = stated !== null || isGiven || !isUnknown(data, 'expirationDate');
    const isAnswered = isExpiryRead && data.incomplete?.includes('status') !== true;
    const expirationDate = isGiven ? given : stated;
    return { isAnswered, isRegistered, expirationDate, isGiven, ending, status: parsed.status };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    // The registry's own answer; null if the registry publishes no service.
    const isAnswered = typeof AVAILABILITY_OF_ERROR[error.code]?.available === 'boolean';
    return {
      isAnswered,
      isRegistered: isAnswered ? false : undefined,
      expirationDate: null,
      isGiven: false,
      ending: null,
      status: [],
    };
  }
}
