import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import ipaddr from 'ipaddr.js';
import { inAny, parseAddress, parseCidrs } from '../process/cidr.ts';

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
