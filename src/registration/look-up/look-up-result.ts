import { ServiceError } from '../../errors.ts';
import type { DomainName } from './domain-name.ts';
import type { Hop, Protocol } from './journey.ts';
import type { ParsedRegistration } from './registration-record.ts';
import type { RegistryAnswer } from './registry-answer.ts';
import type { RegistryFault } from './registry-fault.ts';

/** A look-up's answer, as published, less the name asked for: names written differently share it. */
export interface LookUpResult {
  /** The host whose text is in `raw`: a WHOIS server, or an RDAP server when `protocol` says so. */
  whoisServer: string;
  /** WHOIS text, or RDAP JSON text. */
  raw: string;
  parsed: ParsedRegistration;
  protocol: Protocol;
  /** A reserved name is not registered and cannot be registered either; the registry's words are in `status` and `raw`. */
  state: 'registered' | 'reserved';
  /** The servers asked, in order. */
  hops: readonly Hop[];
  /** With `follow=registrar`, when `raw` is the registrar's: the registry's own answer. */
  registry?: { whoisServer: string; raw: string; protocol: Protocol };
  /** Present when the connection broke before the answer was over: fields may be missing. */
  truncated?: true;
}

/** The answer of a registry that settles the question, as a result or as the error that says so. */
export function conclude(name: DomainName, answer: RegistryAnswer, hops: readonly Hop[]): LookUpResult {
  const { server: whoisServer, raw, protocol, reading, isTruncated } = answer;
  switch (reading.state) {
    case 'registered':
    case 'reserved':
      return {
        whoisServer,
        raw,
        parsed: reading.parsed,
        protocol,
        state: reading.state,
        hops,
        ...(isTruncated && { truncated: true as const }),
      };
    case 'not_registered':
      throw new ServiceError('not_registered', {
        message: `${name.name} is not registered.`,
        details: { whoisServer, raw, protocol, hops },
      });
    case 'throttled':
      throw new ServiceError('registry_rate_limited', {
        message: `${whoisServer} asks us to slow down.`,
        details: { whoisServer, hops },
        retryAfterSeconds: reading.retryAfterSeconds ?? 60,
      });
    case 'invalid':
      throw new ServiceError('invalid_domain', {
        message: `The registry does not accept ${name.name} as a name.`,
        details: [{ parameter: 'domain', given: name.name, reason: `${whoisServer} calls it invalid` }],
      });
    default:
      throw inconclusive([answer], hops);
  }
}

/** Where nothing says when a registry that is out of reach should be tried again. */
const RETRY_AFTER_SECONDS = 10;

/** The error after every service of a registry has failed or answered nothing usable. */
export function inconclusive(
  attempts: readonly (RegistryAnswer | RegistryFault)[],
  hops: readonly Hop[],
): ServiceError {
  const faults = attempts.filter((attempt) => attempt instanceof Error);
  const busy = faults.find(({ reason }) => reason === 'busy');
  if (busy) {
    const retryAfterSeconds = busy.retryAfterSeconds ?? 1;
    return new ServiceError('registry_rate_limited', { details: { hops }, retryAfterSeconds, cause: busy });
  }
  const timeout = faults.find(({ reason }) => reason === 'timeout');
  const retryAfterSeconds = Math.max(
    RETRY_AFTER_SECONDS,
    ...faults.map((fault) => fault.retryAfterSeconds ?? 0),
  );
  if (timeout) {
    return new ServiceError('registry_timeout', { details: { hops }, cause: timeout, retryAfterSeconds });
  }
  const isRefused = attempts.some(
    (attempt) => !(attempt instanceof Error) && attempt.reading.state === 'refused',
  );
  return new ServiceError('registry_unavailable', {
    ...(isRefused && { message: 'The registry refuses to answer us.' }),
    ...(faults.length === 0 && !isRefused && { message: 'The registry gave an answer that cannot be read.' }),
    details: { hops },
    cause: faults.at(-1),
    retryAfterSeconds,
  });
}
