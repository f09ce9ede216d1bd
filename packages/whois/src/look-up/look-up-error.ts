import { isRecord } from '@mokuroku/kit';
import { LOOK_UP_ERRORS } from '../record/look-up-errors.ts';
import type { LookUpErrorCode } from '../record/look-up-errors.ts';

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
