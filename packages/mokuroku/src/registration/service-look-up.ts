import { ServiceError } from '@mokuroku/kit';
import { systemSleep } from '@mokuroku/kit/process';
import type { Clock, Logger } from '@mokuroku/kit/process';
import { createGate } from '@mokuroku/kit/upstream';
import { LookUpError, ServerFault, busy, isOfServer, spacingOf } from 'mokuroku-whois/service';
import type { DomainLookUp, Gate, Log, ServerLimits } from 'mokuroku-whois/service';

const MAX_WAITING = 200;

/** The service's gate for registry servers: fair to its clients, and with a circuit breaker for each server. */
export function createServiceGate(limits: ServerLimits, clock: Clock): Gate {
  const gate = createGate({
    clock,
    random: Math.random,
    // The gate itself stops waiting when the signal aborts.
    wait: (milliseconds) => systemSleep(milliseconds, new AbortController().signal),
    rulesOf: (server) => ({
      maxConcurrent: limits.concurrentPerRegistry,
      maxWaiting: MAX_WAITING,
      perSecond: limits.perSecondPerRegistry,
      burst: limits.burstPerRegistry,
      spacingMs: spacingOf(server),
      retries: 0,
    }),
    classify: (error) => ({
      failed: error instanceof ServerFault && isOfServer(error),
      retry: false,
    }),
    errors: {
      unavailable: (_reason, retryAfterSeconds) =>
        new ServerFault('unreachable', { detail: 'is failing and paused', retryAfterSeconds }),
      overloaded: busy,
      timedOut: ({ wasCalled }) =>
        wasCalled ? new ServerFault('timeout', { detail: 'timed out' }) : busy(1),
    },
  });
  return {
    run: ({ server, deadline, signal, client = '' }, call) =>
      gate.run(server, call, deadline, { client, background: false, ...(signal && { signal }) }),
  };
}

/** Writes what a look-up reports to the service's log. */
export const logTo =
  (logger: Logger): Log =>
  (level, message, details) =>
    logger[level](details, message);

function toServiceError(error: unknown): unknown {
  if (!(error instanceof LookUpError)) return error;
  const { code, message, details, retryAfterSeconds, cause } = error;
  return new ServiceError(code, {
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
