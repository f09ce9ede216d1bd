import { isRecord } from '@mokuroku/kit';

/** The errors of a look-up, each with its default message. */
export const LOOK_UP_ERRORS = {
  /** Not a domain name, or the registry rejects it as one. `details` lists the faults. */
  invalid_domain: 'This is not a domain name that can be looked up.',
  /** The root knows no such top-level domain. */
  unknown_tld: 'This top-level domain does not exist.',
  /** The registry denies the name. `details` has `evidence`, the sentence or status that decided. */
  not_registered: 'This domain is not registered.',
  /** The registry publishes neither WHOIS nor RDAP, or not over the wanted protocol. */
  no_registry_service: 'This registry publishes no lookup service.',
  /** The registry throttles, or our own limit for it is reached: `details.limitedBy` is `registry` or `service`. */
  registry_rate_limited: 'The registry throttles our queries.',
  /** It is unreachable, refuses, or sent an unreadable answer. */
  registry_unavailable: 'The registry is unavailable.',
  registry_timeout: 'The registry timed out.',
} as const;

export type LookUpErrorCode = keyof typeof LOOK_UP_ERRORS;

/** Whether these are the details of a denial that another name of the registry may still prove. */
export const isUnproved = (details: unknown): boolean => isRecord(details) && 'control' in details;

interface LookUpErrorOptions {
  message?: string;
  details?: unknown;
  retryAfterSeconds?: number | undefined;
  cause?: unknown;
}

/**
 * A look-up without a result. Its cause is for the log: it may name hosts and addresses.
 *
 * @example
 * const error = await lookUpDomain('free.com').catch((reason) => reason);
 * error instanceof LookUpError && error.code; // 'not_registered'
 */
export class LookUpError extends Error {
  readonly code: LookUpErrorCode;
  /** Seconds after which another look-up may succeed. */
  readonly retryAfterSeconds: number | undefined;
  readonly #details: unknown;

  constructor(code: LookUpErrorCode, options: LookUpErrorOptions = {}) {
    super(options.message ?? LOOK_UP_ERRORS[code], { cause: options.cause });
    this.name = 'LookUpError';
    this.code = code;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.#details = options.details;
  }

  /** A log serialises own members only: it never has details, which may contain a registry's text. */
  get details(): unknown {
    return this.#details;
  }
}
