import type { ObserveAccess } from '../http/access-log.ts';
import type { Clock } from '../process/clock.ts';
import { createHttpApp } from '../http/http-app.ts';
import type { HttpApp } from '../http/http-app.ts';
import type { ServiceLogger } from '../process/logger.ts';
import type { RateLimiter } from '../limits/rate-limiter.ts';
import type { ResponseCache } from '../cache/response-cache.ts';
import { explorerRootAbove, isExplorerPath, registerExplorer } from '../http/static-pages.ts';
import type { DomainLookUp } from './look-up/domain-look-up.ts';
import { LOOK_UP_SHAPE, lookUpDomain } from './endpoints/look-up-domain.ts';

export interface RegistrationAppParts {
  domainLookUp: DomainLookUp;
  cache: ResponseCache;
  /** undefined: nothing is counted. */
  limiter: RateLimiter | undefined;
  clock: Clock;
  log: ServiceLogger;
  trustedProxies: readonly string[];
  /** Makes request ids unique across processes. */
  requestIdStem: string;
  /** Invented registrations: every answer says so. */
  isSample: boolean;
  observeAccess?: ObserveAccess;
  /** Where the built pages are; the package's own when left out. */
  explorerRoot?: string;
}

const DESCRIPTION = `Registration data of a domain name as JSON, from the registry itself: the root server is asked
which registry it is, the registry is asked over WHOIS or RDAP, and its answer is parsed and returned with its text.`;

/** The registration service: one endpoint. Listen on what it returns. */
export async function createRegistrationApp(parts: RegistrationAppParts): Promise<HttpApp> {
  const http = await createHttpApp({
    name: 'registration',
    clock: parts.clock,
    log: parts.log,
    cache: parts.cache,
    shape: LOOK_UP_SHAPE,
    limiter: parts.limiter,
    trustedProxies: parts.trustedProxies,
    requestIdStem: parts.requestIdStem,
    extraHeaders: parts.isSample ? ['X-Data', 'sample'] : [],
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Domain Registration Lookup API', version: '1', description: DESCRIPTION },
      tags: [{ name: 'Registration', description: 'Who registered what, where and until when.' }],
    },
    malformedPathCode: 'invalid_domain',
    notFoundHint: 'Ask for a domain name: /example.com. The service is described at /docs.',
    ...(parts.observeAccess && { observeAccess: parts.observeAccess }),
    isUncounted: isExplorerPath,
  });
  http.route(lookUpDomain(parts.domainLookUp));
  const explorerRoot = parts.explorerRoot ?? explorerRootAbove(import.meta.dirname);
  registerExplorer(http.app, { root: explorerRoot, page: 'domain' });
  return http;
}
