import { once } from 'node:events';
import net from 'node:net';
import { systemSleep } from '@mokuroku/kit/clock';
import type { Clock, Sleep } from '@mokuroku/kit/clock';
import { withSignal } from '@mokuroku/kit/deadline';
import type { AddressGuard } from './address-guard.ts';
import type { HostPort, HostMap } from './host-map.ts';
import type { ResolveHost } from './resolve.ts';
import { Memory } from './memory.ts';
import { ServerFault, toServerFault } from './server-fault.ts';

/**
 * Opens a TCP connection, or rejects with a ServerFault. The name is resolved once, the guard checks every address, and
 * the connection goes to a checked address.
 */
export type Dial = (endpoint: HostPort, signal: AbortSignal) => Promise<net.Socket>;

interface DialerOptions {
  clock: Clock;
  guard: AddressGuard;
  hostMap: HostMap;
  resolve: ResolveHost;
  /** Replaced by tests. */
  sleep?: Sleep;
}

/** Maximum addresses to try; no registry needs more. */
const MAX_ADDRESSES = 6;
/** How long the last address that accepted is tried first (RFC 8305, section 4: "history"). */
const MEMORY_MS = 600_000;
const MAX_HOSTS = 2_000;

export function createDialer(options: DialerOptions): Dial {
  const { clock, guard, hostMap, resolve, sleep = systemSleep } = options;
  const accepted = new Memory<string>({ clock, max: MAX_HOSTS, lifetimeMs: () => MEMORY_MS });

  /** The addresses that the guard allows. */
  function allowedOf(host: string, all: readonly string[]): readonly string[] {
    const good = all.filter((address) => guard(address) === undefined);
    if (good.length > 0) return good;
    if (all.length === 0) throw new ServerFault('unreachable', { detail: `${host} has no address` });
    const reasons = all.map((address) => `${address} is ${guard(address) ?? ''}`).join(', ');
    throw new ServerFault('forbidden_address', { detail: `${host}: ${reasons}` });
  }

  return async function dial(endpoint, signal) {
    const { host, port } = hostMap.get(endpoint.host) ?? endpoint;
    if (net.isIP(host)) {
      allowedOf(host, [host]);
      return connect(host, port, signal);
    }
    const resolved = await withSignal(resolve(host), signal).catch((error: unknown) => {
      throw toServerFault(error);
    });
    const addresses = alternateFamilies(allowedOf(host, resolved), accepted.getFresh(host)).slice(
      0,
      MAX_ADDRESSES,
    );
    const { address, socket } = await connectFirst(addresses, port, signal, sleep);
    accepted.set(host, address);
    return socket;
  };
}

/**
 * Orders addresses: IPv6, IPv4, IPv6 ... (RFC 8305, section 4). The address that accepted last comes first, followed by
 * its family.
 */
function alternateFamilies(addresses: readonly string[], last: string | undefined): string[] {
  const isFirstFamily = (address: string) => net.isIPv6(address) === net.isIPv6(last ?? '::');
  const first = addresses.filter(isFirstFamily);
  first.sort((a, b) => Number(b === last) - Number(a === last));
  const second = addresses.filter((address) => !isFirstFamily(address));
  const turns = Array.from({ length: addresses.length }, (_, i) => [first[i], second[i]]);
  return turns.flat().filter((address) => address !== undefined);
}

/** RFC 8305, section 8: the recommended Connection Attempt Delay. */
const ATTEMPT_DELAY_MS = 250;

/**
 * Connects to the first address that accepts (Happy Eyeballs, RFC 8305, section 5). The next attempt starts when the
 * previous one fails, or after a quarter of a second beside it. Rejects with a ServerFault if none accepts or the
 * signal aborts.
 */
async function connectFirst(
  addresses: readonly string[],
  port: number,
  signal: AbortSignal,
  sleep: Sleep,
): Promise<{ address: string; socket: net.Socket }> {
  const over = new AbortController();
  const both = AbortSignal.any([signal, over.signal]);
  const attempts: Promise<{ address: string; socket: net.Socket }>[] = [];
  let winner: { address: string; socket: net.Socket } | undefined;
  try {
    for (const address of addresses) {
      const attempt = connect(address, port, both).then((socket) => ({ address, socket }));
      attempts.push(attempt);
      const anyAccepts = Promise.any(attempts).catch(() => undefined);
      if (attempts.length === addresses.length) break;
      const thisFails = attempt.then(() => anyAccepts).catch(() => undefined);
      const waited = sleep(ATTEMPT_DELAY_MS, both).catch(() => undefined);
      winner = (await Promise.race([anyAccepts, thisFails, waited])) ?? undefined;
      if (winner !== undefined) break;
    }
    winner ??= await Promise.any(attempts);
    return winner;
  } catch (error) {
    const reasons: unknown[] = error instanceof AggregateError ? error.errors : [error];
    throw toServerFault(signal.aborted ? signal.reason : reasons.at(-1));
  } finally {
    over.abort();
    for (const attempt of attempts) {
      attempt.then(({ socket }) => socket !== winner?.socket && socket.destroy(), ignore);
    }
  }
}

/** Connects to one address. Rejects with a ServerFault. */
export async function connect(address: string, port: number, signal: AbortSignal): Promise<net.Socket> {
  if (signal.aborted) throw toServerFault(signal.reason);
  // For the socket's lifetime: an error without a listener would end the process.
  const socket = net.connect({ host: address, port }).on('error', ignore);
  try {
    await once(socket, 'connect', { signal });
    return socket;
  } catch (error) {
    socket.destroy();
    if ((error as Error).name !== 'AbortError') throw toServerFault(error);
    throw new ServerFault('timeout', { detail: `timed out while connecting to ${address}` });
  }
}

const ignore = () => undefined;

/** The caller's own function to open connections, for example through a proxy. */
export type Connect = (server: HostPort, signal: AbortSignal) => Promise<net.Socket>;

/** A dialer over the caller's own connections. The caller must check the addresses. */
export function createDialerThrough(connect: Connect, hostMap: HostMap): Dial {
  return async function dial(endpoint, signal) {
    const connecting = (async () => connect(hostMap.get(endpoint.host) ?? endpoint, signal))();
    try {
      const socket = await withSignal(connecting, signal);
      return socket.on('error', ignore);
    } catch (error) {
      connecting.then((socket) => socket.destroy()).catch(() => undefined);
      throw toServerFault(error);
    }
  };
}
