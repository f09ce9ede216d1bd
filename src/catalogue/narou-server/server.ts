import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Clock } from '../../process/clock.ts';
import type { Catalogue } from '../index/catalogue.ts';
import { answerFrom, page, plainText } from './answer.ts';
import { send, spoilAnswer } from './faults.ts';
import { novel18api, novelapi } from './novelapi.ts';
import { readParameters } from './protocol.ts';
import type { Interface, HttpAnswer } from './protocol.ts';
import { rankget, rankin } from './rankings.ts';
import { makeSwitches } from './switches.ts';
import type { NarouServerSwitches } from './switches.ts';
import { userapi } from './userapi.ts';

/** The interfaces by their paths, which end in a slash. */
const INTERFACES: Readonly<Record<string, Interface>> = {
  '/novelapi/api/': novelapi,
  '/novel18api/api/': novel18api,
  '/rank/rankget/': rankget,
  '/rank/rankin/': rankin,
  '/userapi/api/': userapi,
};

/** One request as it came in. */
export interface NarouRequest {
  readonly method: string;
  readonly path: string;
  /** Without the question mark. */
  readonly query: string;
  /** Empty when there was none. */
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
  /** Called for each request with the status it is to get. */
  readonly logger?: (request: NarouRequest, status: number) => void;
}

export interface NarouServer {
  /** Base address without a slash at the end, `http://127.0.0.1:40123`. */
  readonly url: string;
  readonly port: number;
  /** May be changed at any time; what is changed holds for the requests that come in afterwards. */
  readonly switches: NarouServerSwitches;
  /** The last 1000 requests, oldest first. */
  requests(): readonly NarouRequest[];
  /** How many requests came in altogether. */
  requestCount(): number;
  /** Cuts every connection. */
  close(): Promise<void>;
}

const KEPT_REQUESTS = 1000;
const MAINTENANCE = 'Under maintenance';

const maintenance = (switches: NarouServerSwitches): HttpAnswer | null => {
  if (switches.maintenance === 'off') return null;
  const write = switches.maintenance.startsWith('html') ? page : plainText;
  return write(switches.maintenance.endsWith('503') ? 503 : 200, MAINTENANCE, switches);
};

/** What the web server in front answers by itself; null where an interface is to answer. */
const refuse = (request: NarouRequest, switches: NarouServerSwitches): HttpAnswer | null => {
  const { method, path, query, userAgent } = request;
  const length = path.length + 1 + query.length;
  if (switches.maxUrlLength > 0 && length > switches.maxUrlLength) return page(414, 'URI Too Long', switches);
  if (switches.requireUserAgent && userAgent === '') return page(403, 'Forbidden', switches);
  if (Object.hasOwn(INTERFACES, `${path}/`)) {
    const moved = page(301, 'Moved Permanently', switches);
    return { ...moved, headers: { ...moved.headers, location: `${path}/${query && '?'}${query}` } };
  }
  if (!Object.hasOwn(INTERFACES, path)) return page(404, 'Not Found', switches);
  if (method !== 'GET' && method !== 'HEAD') return page(405, 'Method Not Allowed', switches);
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
  const answer = async (request: NarouRequest, held: NarouServerSwitches): Promise<HttpAnswer> => {
    const refused = refuse(request, held);
    const ask = INTERFACES[request.path];
    if (refused !== null || ask === undefined) return refused ?? page(404, 'Not Found', held);
    const parameters = readParameters(request.query);
    return answerFrom(ask, { parameters, catalogue, switches: held, now: clock.now() });
  };
  return async (message: IncomingMessage, response: ServerResponse): Promise<void> => {
    const request = readRequest(message);
    // One request is answered by one state of the switches, however they change meanwhile.
    const held = { ...switches };
    const count = log(request);
    const whole = await answer(request, held).catch(() => page(500, 'Internal Server Error', held));
    const spoilt = spoilAnswer(whole, held, count);
    logger?.(request, spoilt.status);
    await send(response, spoilt, held);
  };
};

/** Starts a server that speaks the upstream's five interfaces over a catalogue. */
export async function startNarouServer(options: NarouServerOptions): Promise<NarouServer> {
  const { host = '127.0.0.1', port = 0 } = options;
  const switches = makeSwitches(options.switches);
  const recent: NarouRequest[] = [];
  let count = 0;
  const handle = createHandler(options, switches, (request) => {
    count += 1;
    recent.push(request);
    if (recent.length >= 2 * KEPT_REQUESTS) recent.splice(0, KEPT_REQUESTS);
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
    requests: () => recent.slice(-KEPT_REQUESTS),
    requestCount: () => count,
    close: async () => {
      const closed = once(server.close(), 'close');
      server.closeAllConnections();
      await closed;
    },
  };
}
