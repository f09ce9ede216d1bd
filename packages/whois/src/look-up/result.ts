import type { ServerFault } from '../net/server-fault.ts';
import { LookUpError } from './look-up-error.ts';
import { NAME_FAULTS } from '../record/name-faults.ts';
import { DEFAULT_PAUSE_SECONDS } from './query-server.ts';
import type { VerifiedAnswer } from './verify-denial.ts';
import type { DomainName } from './domain-name.ts';
import type { Ending } from '../record/ending.ts';
import { isBlank } from '../record/registration-record.ts';
import type { Evidence, ParsedRegistration, RecordField } from '../record/registration-record.ts';
import { offlineMessage } from './hops.ts';
import type { Hop, Protocol, ProtocolChoice } from './hops.ts';
import { PUBLISHED_FIELDS, publicationOfField } from './zones.ts';
import type { PublishedField } from './zones.ts';

/** The published result of a look-up without the requested name, because different spellings share it. */
export interface LookUpResult {
  /** The host that sent `raw`: a WHOIS or an RDAP server, see `protocol`. */
  whoisServer: string;
  /** WHOIS text, or RDAP JSON text. */
  raw: string;
  parsed: ParsedRegistration;
  protocol: Protocol;
  /** A reserved name is neither registered nor available; the registry's words are in `status` and `raw`. */
  state: 'registered' | 'reserved';
  /** Days until `parsed.expirationDate` at the time of the look-up, rounded; null without that date. */
  daysLeft: number | null;
  /** Whether and how the registration ends; null if neither a status nor a date is stated, or if unknown. */
  ending: Ending | null;
  /** What decided the state; null if no single fact did. */
  evidence: Evidence | null;
  /** The queried servers, in order. */
  hops: readonly Hop[];
  /** With `follow=registrar`, if `raw` is the registrar's text: the registry's answer. */
  registry?: { whoisServer: string; raw: string; protocol: Protocol };
  /** Present if the connection broke early: fields may be missing. */
  truncated?: true;
  /** The fields that could not be read, or that a server without an answer may state; absent if there are none. */
  incomplete?: RecordField[];
  /** The fields without a value that the registry is known never to publish; absent if there are none. */
  unpublished?: PublishedField[];
}

const OWN_LIMIT = "This service's own limit for this registry is reached.";

/** Retry-After for an unreachable registry that states no time. */
const RETRY_AFTER_SECONDS = 10;
/** Maximum length of an unreadable text in an error. */
const MAX_SHOWN = 65_536;

/** A result before what depends on the time is computed. */
export type Conclusion = Omit<LookUpResult, 'daysLeft' | 'ending' | 'unpublished'> & {
  incomplete: RecordField[];
};

/** Converts a definite answer of a registry to a result or an error. */
export function conclude(name: DomainName, answer: VerifiedAnswer, hops: readonly Hop[]): Conclusion {
  const { server: whoisServer, raw, service, state, reading, isTruncated, control } = answer;
  const { protocol } = service;
  const evidence = reading.evidence ?? null;
  switch (state) {
    case 'registered':
    case 'reserved':
      return {
        state,
        parsed: reading.parsed,
        incomplete: reading.incomplete,
        whoisServer,
        protocol,
        evidence,
        raw,
        hops,
        ...(isTruncated && { truncated: true as const }),
      };
    case 'not_registered':
      throw new LookUpError('not_registered', {
        message: `${name.name} is not registered.`,
        details: { domainName: name.name, whoisServer, raw, protocol, evidence, hops },
      });
    case 'throttled':
      throw new LookUpError('registry_rate_limited', {
        message: `${whoisServer} throttles our queries.`,
        details: { whoisServer, hops, limitedBy: 'registry', ...(control && { control }) },
        retryAfterSeconds: answer.retryAfterSeconds ?? DEFAULT_PAUSE_SECONDS,
      });
    case 'invalid': {
      const reason = NAME_FAULTS.rejectedName(whoisServer).en;
      throw new LookUpError('invalid_domain', {
        message: `The registry rejects ${name.name} as a name.`,
        details: [{ parameter: 'domain', given: name.name, reason, ...unusable(answer) }],
      });
    }
    default:
      throw inconclusive([answer], [], hops, undefined);
  }
}

/**
 * The fields without a value that the registry never publishes over the protocol of its answer. What could not be read is
 * not among them.
 */
export function unpublishedFields(
  { state, parsed, incomplete, truncated, protocol, registry }: Conclusion,
  zone: string,
): PublishedField[] {
  if (state !== 'registered' || truncated) return [];
  const registryProtocol = registry?.protocol ?? protocol;
  const missing = PUBLISHED_FIELDS.filter((field) => isBlank(parsed[field]) && !incomplete.includes(field));
  return missing.filter((field) => publicationOfField(registryProtocol, zone, field) === 'no');
}

/** The error if every service of a registry failed or gave an unusable answer. */
export function inconclusive(
  answers: readonly VerifiedAnswer[],
  faults: readonly ServerFault[],
  hops: readonly Hop[],
  website: string | undefined,
): LookUpError {
  const limited = faults.find(({ reason }) => reason === 'paused' || reason === 'busy');
  if (limited) return rateLimited(limited, hops);
  const refusal = answers.find(({ state }) => state === 'refused');
  const timeout = faults.find(({ reason }) => reason === 'timeout');
  const unreadable = refusal ?? answers.at(-1);
  const waitOf = ({ retryAfterSeconds }: { retryAfterSeconds?: number | null | undefined }) =>
    retryAfterSeconds ?? 0;
  // A server that failed may answer before the control of another one can be queried again.
  const waits = faults.length > 0 ? faults.map(waitOf) : [Math.min(...answers.map(waitOf))];
  const options = {
    details: {
      hops,
      ...(unreadable && unusable(unreadable)),
      ...(refusal && { registryWebsite: website ?? null }),
    },
    cause: timeout ?? faults.at(-1),
    retryAfterSeconds: Math.max(RETRY_AFTER_SECONDS, ...waits),
  };
  if (timeout) return new LookUpError('registry_timeout', options);
  const httpStatus = unreadable?.httpStatus;
  const doubt = unreadable?.doubt;
  const message =
    offlineMessage(hops) ??
    (refusal
      ? `The registry refuses our queries${httpStatus ? ` (${httpStatus})` : ''}.${websiteHint(website)}`
      : httpStatus
        ? `The registry answered with ${httpStatus}.`
        : (doubt ?? (faults.length === 0 && 'The registry sent an unreadable answer.')));
  return new LookUpError('registry_unavailable', { ...options, ...(message && { message }) });
}

/** Distinguishes the registry's throttling from our own limits. */
function rateLimited(fault: ServerFault, hops: readonly Hop[]): LookUpError {
  const isOwnLimit = fault.reason === 'busy';
  return new LookUpError('registry_rate_limited', {
    ...(isOwnLimit && { message: OWN_LIMIT }),
    details: { hops, limitedBy: isOwnLimit ? 'service' : 'registry' },
    retryAfterSeconds: fault.retryAfterSeconds ?? 1,
    cause: fault,
  });
}

export function unknownTld(tld: string, hops: readonly Hop[], hint: string): LookUpError {
  return new LookUpError('unknown_tld', {
    message: `There is no top-level domain .${tld}${hint}.`,
    details: { tld, hops },
  });
}

export function noRegistryService(
  zone: string,
  website: string | undefined,
  hops: readonly Hop[],
  protocols: ProtocolChoice,
): LookUpError {
  const none =
    protocols === 'both' ? 'neither WHOIS nor RDAP' : `no known ${protocols.toUpperCase()} service`;
  return new LookUpError('no_registry_service', {
    message: `The registry of .${zone} publishes ${none}.${websiteHint(website)}`,
    details: { zone, registryWebsite: website ?? null, hops },
  });
}

function websiteHint(website: string | undefined): string {
  return website === undefined ? '' : ` Its web page: ${website}`;
}

/** Of an unusable answer: its text, for people, and the line that decided, or those that contradict each other. */
function unusable({ server, service, raw, control, reading }: VerifiedAnswer) {
  const { evidence, contradictions = [] } = reading;
  return {
    whoisServer: server,
    protocol: service.protocol,
    raw: raw.slice(0, MAX_SHOWN),
    ...(evidence && { evidence }),
    ...(contradictions.length > 0 && { contradictions }),
    ...(control && { control }),
  };
}
