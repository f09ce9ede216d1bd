import dns from 'node:dns';
import net from 'node:net';
import type { AddressGuard } from './address-guard.ts';
import type { Clock } from '../../process/clock.ts';
import type { Endpoint, HostMap } from './host-map.ts';
import { RegistryFault, toRegistryFault } from '../look-up/registry-fault.ts';

/** Every address of a host, in any order. */
export type ResolveHost = (host: string) => Promise<string[]>;

/**
 * Opens a TCP connection, or rejects with a RegistryFault; `deadline` is in monotonic milliseconds. The name is
 * resolved once, every address is judged by the guard, and the connection goes to an address so judged. Where no
 * other address is left to try, the socket is handed over while it is still connecting: waiting is then the
 * caller's, who watches the deadline anyway.
 */
export type Dial = (endpoint: Endpoint, deadline: number, onread?: OnRead) => Promise<net.Socket>;

/** Given every piece that comes, in place of `data` events. */
export type OnRead = NonNullable<net.TcpSocketConnectOpts['onread']>;

export interface DialerOptions {
  clock: Clock;
  guard: AddressGuard;
  hostMap: HostMap;
  resolve: ResolveHost;
}

/** More addresses than this are not tried; no registry needs more. */
const MAX_ADDRESSES = 6;
/** A live server accepts within this; what is left of the deadline serves the next address. */
const CONNECT_TIMEOUT_MS = 3_000;

export function createDialer(options: DialerOptions): Dial {
  const { clock, guard, hostMap, resolve } = options;

  /** The addresses that may be connected to, in the order to try. */
  function judge(host: string, all: readonly string[]): readonly string[] {
    const good = all.filter((address) => guard(address) === undefined);
    if (good.length > 0) return good.length === 1 ? good : alternateFamilies(good).slice(0, MAX_ADDRESSES);
    if (all.length === 0) throw new RegistryFault('unreachable', { detail: `${host} has no address` });
    const reasons = all.map((address) => `${address} is ${guard(address) ?? ''}`).join(', ');
    throw new RegistryFault('forbidden_address', { detail: `${host}: ${reasons}` });
  }

  async function addressesOf(host: string, deadline: number): Promise<readonly string[]> {
    try {
      return judge(host, await before(deadline, resolve(host), `resolving ${host}`));
    } catch (error) {
      throw toRegistryFault(error);
    }
  }

  function before<T>(deadline: number, promise: Promise<T>, doing: string): Promise<T> {
    return new Promise((done, fail) => {
      const timer = setTimeout(
        () => {
          fail(new RegistryFault('timeout', { detail: `time was over while ${doing}` }));
        },
        Math.max(0, deadline - clock.monotonic()),
      );
      promise.then(done, fail).finally(() => {
        clearTimeout(timer);
      });
    });
  }

  return async function dial(endpoint, deadline, onread) {
    const { host, port } = hostMap.get(endpoint.host) ?? endpoint;
    const addresses = net.isIP(host) ? judge(host, [host]) : await addressesOf(host, deadline);
    const last = addresses.length - 1;
    for (const address of addresses.slice(0, last)) {
      const time = Math.min(CONNECT_TIMEOUT_MS, deadline - clock.monotonic());
      if (time <= 0) break;
      const socket = await connected(open(address, port, onread), time).catch(() => undefined);
      if (socket) return socket;
    }
    return open(addresses[last] ?? '', port, onread);
  };
}

/** Whoever is done with a socket destroys it: answering the other side's end with one of our own costs a call. */
function open(address: string, port: number, onread: OnRead | undefined): net.Socket {
  return net.connect({ host: address, port, allowHalfOpen: true, ...(onread && { onread }) });
}

/** Resolves once the socket is connected. */
export function connected(socket: net.Socket, timeoutMs: number): Promise<net.Socket> {
  return new Promise((done, fail) => {
    if (!socket.connecting) {
      done(socket);
      return;
    }
    const timer = setTimeout(() => {
      socket.destroy();
      fail(new RegistryFault('timeout', { detail: `nobody accepted within ${timeoutMs} ms` }));
    }, timeoutMs);
    socket.once('connect', () => {
      clearTimeout(timer);
      socket.removeListener('error', fail);
      done(socket);
    });
    socket.once('error', fail);
    socket.once('error', () => {
      clearTimeout(timer);
    });
  });
}

/** IPv6, IPv4, IPv6 ...: a machine without one of them loses one quick failure and no more. */
function alternateFamilies(addresses: readonly string[]): string[] {
  const six = addresses.filter((address) => address.includes(':'));
  const four = addresses.filter((address) => !address.includes(':'));
  const mixed: string[] = [];
  for (let i = 0; i < Math.max(six.length, four.length); i++) {
    mixed.push(...six.slice(i, i + 1), ...four.slice(i, i + 1));
  }
  return mixed;
}

/**
 * Names with a dot go to the servers of resolv.conf directly: getaddrinfo would hold a thread of the process for each
 * slow name, and such names come from strangers. A name without one (localhost, a container's) is the machine's own.
 */
export function systemResolver(): ResolveHost {
  const resolver = new dns.promises.Resolver({ timeout: 1_500, tries: 2 });
  return async (host) => {
    if (!host.includes('.')) {
      const found = await dns.promises.lookup(host, { all: true });
      return found.map(({ address }) => address);
    }
    const [six, four] = await Promise.allSettled([resolver.resolve6(host), resolver.resolve4(host)]);
    const addresses = [six, four].flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    if (addresses.length === 0 && four.status === 'rejected') throw four.reason;
    return addresses;
  };
}
