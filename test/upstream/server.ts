import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Clock } from '@mokuroku/kit/process';
import type { Catalogue } from './catalogue.ts';
import { responseFrom, htmlPage, plainText } from './answer.ts';
import { sendFaulty, injectFault } from './faults.ts';
import { novel18api, novelapi, userapi } from './searches.ts';
import { readRequestParameters } from './protocol.ts';
import type { Interface, HttpResponse } from './protocol.ts';
import { rankget, rankin } from './rankings.ts';
import { makeSwitches } from './switches.ts';
import type { NarouServerSwitches } from './switches.ts';

/** The interfaces by their paths, which end in a slash. */
const INTERFACES: Readonly<Record<string, Interface>> = {
  '/novelapi/api/': novelapi,
  '/novel18api/api/': novel18api,
  '/rank/rankget/': rankget,
  '/rank/rankin/': rankin,
  '/userapi/api/': userapi,
};

/** One received request. */
export interface NarouRequest {
  readonly method: string;
  readonly path: string;
  /** Without the question mark. */
  readonly query: string;
  /** Empty if missing. */
  readonly userAgent: string;
}

export interface NarouServerOptions {
  readonly catalogue: Catalogue;
  readonly clock: Clock;
  /** Default 127.0.0.1. */
  readonly host?: string;
  /** Default 0: any free port. */
  readonly port?: number;
  readonly switches?: Partial<NarouServerSwitches>;
  /** Called for each request with the status of its response. */
  readonly logger?: (request: NarouRequest, status: number) => void;
}

export interface NarouServer {
  /** Base address without a slash at the end, `http://127.0.0.1:40123`. */
  readonly url: string;
  readonly port: number;
  /** May be changed at any time; a change applies to later requests. */
  readonly switches: NarouServerSwitches;
  /** The last 1000 requests, oldest first. */
  requests(): readonly NarouRequest[];
  /** Number of all requests so far. */
  requestCount(): number;
  /** Cuts every connection. */
  close(): Promise<void>;
}

const RECORDED_REQUESTS = 1000;
const MAINTENANCE = 'Under maintenance';

const maintenance = (switches: NarouServerSwitches): HttpResponse | null => {
  if (switches.maintenance === 'off') return null;
  const write = switches.maintenance.startsWith('html') ? htmlPage : plainText;
  return write(switches.maintenance.endsWith('503') ? 503 : 200, MAINTENANCE, switches);
};

/** Responses of the web server in front; null if an interface responds. */
const refuse = (request: NarouRequest, switches: NarouServerSwitches): HttpResponse | null => {
  const { method, path, query, userAgent } = request;
  const length = path.length + 1 + query.length;
  if (switches.maxUrlLength > 0 && length > switches.maxUrlLength)
    return htmlPage(414, 'URI Too Long', switches);
  if (userAgent === '') return htmlPage(403, 'Forbidden', switches);
  if (Object.hasOwn(INTERFACES, `${path}/`)) {
    const moved = htmlPage(301, 'Moved Permanently', switches);
    return { ...moved, headers: { ...moved.headers, location: `${path}/${query && '?'}${query}` } };
  }
  if (!Object.hasOwn(INTERFACES, path)) return htmlPage(404, 'Not Found', switches);
  if (method !== 'GET' && method !== 'HEAD') return htmlPage(405, 'Method Not Allowed', switches);
  return maintenance(switches);
};

const readRequest = (message: IncomingMessage): NarouRequest => {
  const [path = '', ...rest] = (message.url ?? '').split('?');
  const userAgent = message.headers['user-agent'] ?? '';
  return { method: message.method ?? '', path, query: rest.join('?'), userAgent };
};

const createHandler = (
  { catalogue, clock, logger }: NarouServerOptions,
  switches: NarouServerSwitches,
  log: (request: NarouRequest) => number,
) => {
  const answer = async (request: NarouRequest, current: NarouServerSwitches): Promise<HttpResponse> => {
    const refused = refuse(request, current);
    if (refused !== null) return refused;
    const respond = INTERFACES[request.path] as Interface;
    const parameters = readRequestParameters(request.query);
    return responseFrom(respond, { parameters, catalogue, switches: current, now: clock.now() });
  };
  return async (message: IncomingMessage, response: ServerResponse): Promise<void> => {
    const request = readRequest(message);
    // The switches are copied: a change during the request has no effect on it.
    const current = { ...switches };
    const count = log(request);
    const whole = await answer(request, current).catch(() => htmlPage(500, 'Internal Server Error', current));
    const faulty = injectFault(whole, current, count);
    logger?.(request, faulty.status);
    // The upstream has no such header: a harvest stores it, so that invented novels are never taken for real ones.
    response.setHeader('x-data', 'sample');
    // The time of the server's own clock, which tests advance.
    response.setHeader('date', new Date(clock.now()).toUTCString());
    await sendFaulty(response, faulty, current);
  };
};

/**
 * Starts a server that speaks the upstream's five interfaces over a catalogue.
 *
 * @example
 * const catalogue = createEmbeddedCatalogue({ clock: systemClock });
 * const server = await startNarouServer({ catalogue, clock: systemClock });
 * const response = await fetch(`${server.url}/novelapi/api/?out=json&lim=2`);
 * const [count, ...novels] = JSON.parse(await response.text());
 * count.allcount > 3000; // true
 * novels.length; // 2
 * server.requests()[0]?.path; // '/novelapi/api/'
 * server.switches.maintenance = 'text503';
 * (await fetch(`${server.url}/novelapi/api/`)).status; // 503
 * await server.close();
 */
export async function startNarouServer(options: NarouServerOptions): Promise<NarouServer> {
  const { host = '127.0.0.1', port = 0 } = options;
  const switches = makeSwitches(options.switches);
  const recent: NarouRequest[] = [];
  let count = 0;
  const handle = createHandler(options, switches, (request) => {
    count += 1;
    recent.push(request);
    if (recent.length >= 2 * RECORDED_REQUESTS) recent.splice(0, RECORDED_REQUESTS);
    return count;
  });
  const server = createServer({ keepAliveTimeout: 60_000, maxHeaderSize: 65_536 }, (message, response) => {
    handle(message, response).catch((error: unknown) => response.destroy(error as Error));
  });
  await once(server.listen(port, host), 'listening');
  const address = server.address() as AddressInfo;
  const shown = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return {
    url: `http://${shown}:${address.port}`,
    port: address.port,
    switches,
    requests: () => recent.slice(-RECORDED_REQUESTS),
    requestCount: () => count,
    close: async () => {
      const closed = once(server.close(), 'close');
      server.closeAllConnections();
      await closed;
    },
  };
}
