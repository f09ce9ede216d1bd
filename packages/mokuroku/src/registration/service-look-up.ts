import { ServiceError } from '@mokuroku/kit';
import type { Logger } from '@mokuroku/kit/process';
import { LookUpError } from 'mokuroku-whois/service';
import type { DomainLookUp, Log } from 'mokuroku-whois/service';
import { REGISTRY_ERRORS } from './errors.ts';

/** Writes what a look-up reports to the service's log. */
export const logTo =
  (logger: Logger): Log =>
  (level, message, details) =>
    logger[level](details, message);

function toServiceError(error: unknown): unknown {
  if (!(error instanceof LookUpError)) return error;
  const { code, message, details, retryAfterSeconds, cause } = error;
  return new ServiceError(REGISTRY_ERRORS[code], {
    message,
    details,
    cause,
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  });
}

/** The same look-up with the service's errors: it throws a ServiceError in place of each LookUpError. */
export function withServiceErrors(domainLookUp: DomainLookUp): DomainLookUp {
  return {
    ...domainLookUp,
    readName: (spelling) => {
      try {
        return domainLookUp.readName(spelling);
      } catch (error) {
        throw toServiceError(error);
      }
    },
    lookUp: (...call) =>
      domainLookUp.lookUp(...call).catch((error: unknown) => {
        throw toServiceError(error);
      }),
  };
}
