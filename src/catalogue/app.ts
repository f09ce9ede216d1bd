import type { ObserveAccess } from '../http/access-log.ts';
import type { Clock } from '../process/clock.ts';
import { createHttpApp } from '../http/http-app.ts';
import type { HttpApp, Route } from '../http/http-app.ts';
import type { ServiceLogger } from '../process/logger.ts';
import type { RateLimiter } from '../limits/rate-limiter.ts';
import type { ResponseCache } from '../cache/response-cache.ts';
import { explorerRootAbove, isExplorerPath, registerExplorer } from '../http/static-pages.ts';
import { VERSION } from '../process/version.ts';
import type { EndpointServices } from './endpoints/endpoint.ts';
import { ROUTES } from './endpoints/index.ts';
import type { CatalogueRoute } from './endpoints/index.ts';
import { ENVELOPE } from './envelope.ts';
import { routeSchema } from './route-schemas.ts';
import type { CatalogueSource } from './catalogue-source.ts';

export interface CatalogueAppParts {
  source: CatalogueSource;
  cache: ResponseCache;
  /** undefined: nothing is counted. */
  limiter: RateLimiter | undefined;
  clock: Clock;
  log: ServiceLogger;
  trustedProxies: readonly string[];
  /** Makes request ids unique across processes. */
  requestIdStem: string;
  /** Invented novels: every answer says so. */
  isSample: boolean;
  observeAccess?: ObserveAccess;
  /** The event loop may be this late before work is refused; the kit's own measure when left out. */
  maxLagMs?: number;
  /** Where the built pages are; the package's own when left out. */
  explorerRoot?: string;
}

const DESCRIPTION = `A read-only JSON service over the catalogue of a Japanese web-novel site: novels, rankings,
authors and the site's code tables. Data: なろうデベロッパー (https://dev.syosetu.com/), whose terms hold for them too:
name the source, no commercial use, nothing kept for longer than two weeks.

Lists in a query are separated by commas, the codes of \`of\` by hyphens. Times are Japan time. Every answer but the
documents is \`{data, meta}\`, every failure \`{error: {code, message, details?}}\`.`;

const TAGS = [
  { name: 'Novels', description: 'Search, one novel, its history in the rankings.' },
  { name: 'Rankings', description: 'Daily, weekly, monthly and quarterly, with and without novel data.' },
  { name: 'Users', description: 'Authors and readers.' },
  { name: 'Adult novels', description: 'Metadata only; not to be shown to anyone under 18.' },
  { name: 'Code tables', description: 'Genre codes and their labels.' },
];

function toKitRoute(
  { url, endpoint, cache, settled, ...rest }: CatalogueRoute,
  services: EndpointServices,
): Route {
  return {
    url,
    schema: routeSchema({ url, endpoint, cache, ...rest }),
    prepare: ({ params, query }) => {
      const { key, ignored, answer } = endpoint.prepare(services, params, query);
      const load = async () => {
        const { data, meta, settled: isSettled = false } = await answer();
        return isSettled && settled ? { data, meta, policy: settled } : { data, meta };
      };
      return { key, policy: cache, ignored, load };
    },
  };
}

/** The catalogue service: eleven endpoints over a source. Listen on what it returns. */
export async function createCatalogueApp(parts: CatalogueAppParts): Promise<HttpApp> {
  const http = await createHttpApp({
    name: 'catalogue',
    clock: parts.clock,
    log: parts.log,
    cache: parts.cache,
    shape: ENVELOPE,
    limiter: parts.limiter,
    trustedProxies: parts.trustedProxies,
    requestIdStem: parts.requestIdStem,
    extraHeaders: parts.isSample ? ['X-Data', 'sample'] : [],
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Novel Catalogue Query API', version: VERSION, description: DESCRIPTION },
      tags: TAGS,
    },
    notFoundHint: 'The paths are listed at /docs.',
    ...(parts.observeAccess && { observeAccess: parts.observeAccess }),
    ...(parts.maxLagMs !== undefined && { maxLagMs: parts.maxLagMs }),
    isUncounted: isExplorerPath,
  });
  const services = { source: parts.source, clock: parts.clock };
  for (const route of ROUTES) http.route(toKitRoute(route, services));
  const explorerRoot = parts.explorerRoot ?? explorerRootAbove(import.meta.dirname);
  registerExplorer(http.app, { root: explorerRoot, page: 'catalogue' });
  return http;
}
