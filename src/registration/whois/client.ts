import type { Socket } from 'node:net';
import type { Clock } from '../../kit/clock.ts';
import type { Dial } from '../dial.ts';
import type { Endpoint } from '../host-map.ts';
import { RegistryFault } from '../registry-fault.ts';

/** The largest good answer among some 2,400 collected ones has 14 kB. */
export const MAX_WHOIS_BYTES = 262_144;

/**
 * Sends one query line and resolves to all bytes until the server closes its side (RFC 3912). Rejects with a
 * RegistryFault: `timeout` and `cut_off` carry the part that came. `deadline` is in monotonic milliseconds and
 * covers everything, so that a server that drips gains nothing.
 */
export type AskWhois = (endpoint: Endpoint, query: string, deadline: number) => Promise<Buffer>;

export function createWhoisClient(clock: Clock, dial: Dial): AskWhois {
  return async function askWhois(endpoint, query, deadline) {
    if (/[\r\n]/.test(query)) throw new RegistryFault('bad_answer', { detail: 'a query is one line' });
    const socket = await dial(endpoint, deadline);
    try {
      return await exchange(socket, query, deadline - clock.monotonic());
    } finally {
      socket.destroy();
    }
  };
}

function exchange(socket: Socket, query: string, timeMs: number): Promise<Buffer> {
  return new Promise((done, fail) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const timer = setTimeout(
      () => {
        const detail = `the answer was not over after ${size} bytes`;
        fail(new RegistryFault('timeout', { detail, part: Buffer.concat(chunks) }));
      },
      Math.max(0, timeMs),
    );
    socket.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= MAX_WHOIS_BYTES) {
        chunks.push(chunk);
        return;
      }
      socket.destroy();
      fail(new RegistryFault('too_large', { detail: `more than ${MAX_WHOIS_BYTES} bytes` }));
    });
    socket.once('end', () => {
      done(Buffer.concat(chunks));
    });
    socket.once('error', (error: NodeJS.ErrnoException) => {
      const detail = `${error.code ?? error.message} after ${size} bytes`;
      const reason = size === 0 ? 'unreachable' : 'cut_off';
      fail(new RegistryFault(reason, { detail, part: Buffer.concat(chunks), cause: error }));
    });
    socket.once('close', () => {
      clearTimeout(timer);
      fail(
        new RegistryFault('cut_off', { detail: 'the connection was closed', part: Buffer.concat(chunks) }),
      );
    });
    socket.write(`${query}\r\n`);
  });
}
