import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyRequest } from 'fastify';
import ipaddr from 'ipaddr.js';
import type { Release } from '../limits/admission.ts';
import { inAny, parseAddress, parseCidrs } from '../process/cidr.ts';
import type { Clock } from '../process/clock.ts';
import { part } from './part.ts';
import { WHOLE_ADDRESS } from './routing.ts';
import type { ReceivedRequest } from './routing.ts';

declare module 'fastify' {
  interface FastifyRequest extends Sender {
    /** Monotonic milliseconds. */
    startedAt: number;
    /** Values of `RateLimit` and `RateLimit-Policy`; undefined where requests are not counted. */
    limit: { left: string; policy: string } | undefined;
    /** Origin of the response, for log and metrics: a cache outcome, an error code, or the kind of page. */
    outcome: string;
    /** Bytes sent so far of a streamed body. */
    streamedBytes: number;
    /** Of what is in use for the request, until its response is closed. */
    releases: Release[];
  }
  interface FastifyContextConfig {
    /** Health, documents and pages: neither limited nor refused under load. */
    isExempt?: boolean;
  }
}

/** An address as sockets and proxies write it: `[v6]:port`, `v6%zone`, `1.2.3.4:5678`. */
function toAddress(text: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  const bare = text.startsWith('[') ? text.slice(1, text.indexOf(']')) : text;
  return parseAddress(bare) ?? parseAddress(bare.replace(/:\d{1,5}$/, ''));
}

/** RFC 6052: IPv4 clients behind a translator, who would otherwise all share one /64. */
const TRANSLATED = parseCidrs(['64:ff9b::/96']);

function describeAddress(address: ipaddr.IPv4 | ipaddr.IPv6): string {
  if (address instanceof ipaddr.IPv4) return address.toString();
  if (inAny(address, TRANSLATED)) return address.toByteArray().slice(12).join('.');
  return `${address.toNormalizedString().split(':', 4).join(':')}::/64`;
}

interface Sender {
  /** An IPv4 address, or an IPv6 /64. */
  client: string;
  /** Whether it is a trusted proxy, or a client that it forwarded. */
  isProxied: boolean;
}

export interface ClientAddressReader {
  senderOf: (request: IncomingMessage) => Sender;
  /** The client of a connection; undefined for a trusted proxy, which serves many. */
  clientOf: (socket: Socket) => string | undefined;
}

/**
 * Determines the client's address. `X-Forwarded-For` counts only on connections from a trusted proxy. It is read from
 * the right: the first hop that is not a trusted proxy is the client, so a forged left part has no effect.
 */
export function createClientAddressReader(trustedProxies: readonly string[]): ClientAddressReader {
  const trusted = parseCidrs(trustedProxies);
  // Every request of a keep-alive connection needs it.
  const peers = new WeakMap<Socket, Sender>();

  function peerOf(socket: Socket): Sender {
    const known = peers.get(socket);
    if (known) return known;
    const address = toAddress(socket.remoteAddress ?? '');
    const client = address ? describeAddress(address) : 'unknown';
    const peer = { client, isProxied: address !== undefined && inAny(address, trusted) };
    peers.set(socket, peer);
    return peer;
  }

  function senderOf({ socket, headers }: IncomingMessage): Sender {
    const peer = peerOf(socket);
    const forwarded = headers['x-forwarded-for'];
    if (!peer.isProxied || forwarded === undefined) return peer;
    const hops = String(forwarded).split(',');
    let nearest = peer.client;
    for (let i = hops.length - 1; i >= 0; i--) {
      const hop = toAddress((hops[i] ?? '').trim());
      if (!hop) break;
      nearest = describeAddress(hop);
      if (!inAny(hop, trusted)) break;
    }
    return { client: nearest, isProxied: true };
  }

  return {
    senderOf,
    clientOf: (socket) => {
      const { client, isProxied } = peerOf(socket);
      return isProxied ? undefined : client;
    },
  };
}

const REQUEST_ID = /^[\w.-]{1,64}$/;

/** Uses a client's X-Request-Id if it is harmless, otherwise a random stem and a counter. */
export function createRequestIds(stem: string): (request: IncomingMessage) => string {
  let count = 0;
  return (request) => {
    const given = request.headers['x-request-id'];
    if (typeof given === 'string' && REQUEST_ID.test(given)) return given;
    return `${stem}-${(++count).toString(36)}`;
  };
}

/** Gives every request its context. Its hook is the first of a request. */
export const requestContext = ({ clock, clients }: { clock: Clock; clients: ClientAddressReader }) =>
  part((app) => {
    app.decorateRequest('startedAt', 0);
    app.decorateRequest('outcome', 'page');
    app.decorateRequest('streamedBytes', 0);
    app.decorateRequest('client', '');
    app.decorateRequest('limit', undefined);
    app.decorateRequest('isProxied', false);
    app.addHook('onRequest', function setContext(request, reply, done) {
      request.startedAt = clock.monotonic();
      const { client, isProxied } = clients.senderOf(request.raw);
      request.client = client;
      request.isProxied = isProxied;
      const raw: ReceivedRequest = request.raw;
      const { upgrade, connection = '' } = raw.headers;
      // Node's parser drops the rest of the packet after an upgrade request. No other protocol is supported here.
      const isUpgrade = upgrade !== undefined && /upgrade/i.test(connection);
      if (isUpgrade) reply.header('connection', 'close');
      done(raw.refusal);
    });
  });

/** The address of a request as its client wrote it, for responses that contain absolute addresses. */
export interface RequestTarget {
  /** `https://api.example.org` */
  origin: string;
  /** Without a port. */
  hostname: string;
  /** The whole address, `https://api.example.org/things?word=...` */
  url: string;
}

const NAMED_HOST = /^(?:([a-z0-9](?:[a-z0-9.-]{0,252}[a-z0-9])?)|\[[0-9a-f:.]{2,45}\])(?::\d{1,5})?$/;

/** Only a trusted proxy's `X-Forwarded-Proto` counts. An invalid Host becomes `localhost`. */
export function requestTarget({
  headers,
  originalUrl,
  isProxied,
}: Pick<FastifyRequest, 'headers' | 'originalUrl' | 'isProxied'>): RequestTarget {
  const { host = '', 'x-forwarded-proto': forwarded } = headers;
  const isSecure = isProxied && forwarded === 'https';
  const [authority = 'localhost', name = 'localhost'] = NAMED_HOST.exec(host.toLowerCase()) ?? [];
  const origin = `${isSecure ? 'https' : 'http'}://${authority}`;
  // The host of a whole address equals the Host header, or the request is refused.
  return { origin, hostname: name, url: `${origin}${originalUrl.replace(WHOLE_ADDRESS, '')}` };
}
