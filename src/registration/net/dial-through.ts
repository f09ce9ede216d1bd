import type net from 'node:net';
import { withSignal } from '../../process/with-signal.ts';
import type { Dial } from './dial.ts';
import type { HostMap, HostPort } from './host-map.ts';
import { toServerFault } from './server-fault.ts';

/** The caller's own function to open connections, for example through a proxy. */
export type Connect = (server: HostPort, signal: AbortSignal) => Promise<net.Socket>;

/** A dialer over the caller's own connections. The caller must check the addresses. */
export function createDialerThrough(connect: Connect, hostMap: HostMap): Dial {
  return async function dial(endpoint, signal) {
    const connecting = (async () => connect(hostMap.get(endpoint.host) ?? endpoint, signal))();
    try {
      const socket = await withSignal(connecting, signal);
      // An error without a listener would end the process.
      return socket.on('error', () => undefined);
    } catch (error) {
      connecting.then((socket) => socket.destroy()).catch(() => undefined);
      throw toServerFault(error);
    }
  };
}
