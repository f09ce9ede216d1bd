import type { Socket } from 'node:net';
import type { Clock } from '../../kit/clock.ts';
import type { Dial } from '../dial.ts';
import type { Endpoint } from '../host-map.ts';
import { RegistryFault } from '../registry-fault.ts';
import type { FaultReason } from '../registry-fault.ts';

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
    return exchange(await dial(endpoint, deadline), query, deadline - clock.monotonic());
  };
}

function exchange(socket: Socket, query: string, timeMs: number): Promise<Buffer> {
  return new Promise((done, fail) => {
    const chunks: Buffer[] = [];
    let size = 0;
    let isOver = false;

    function end(reason?: FaultReason, detail?: string): void {
      if (isOver) return;
      isOver = true;
      clearTimeout(timer);
      socket.destroy();
      const bytes = chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks);
      if (reason === undefined) done(bytes);
      else
        fail(new RegistryFault(reason, { detail: `${detail ?? reason} after ${size} bytes`, part: bytes }));
    }

    const timer = setTimeout(end, Math.max(0, timeMs), 'timeout', 'time was over');
    socket.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= MAX_WHOIS_BYTES) chunks.push(chunk);
      else end('too_large', 'cut off');
    });
    socket.once('end', () => {
      end();
    });
    socket.once('error', (error: NodeJS.ErrnoException) => {
      end(size === 0 ? 'unreachable' : 'cut_off', error.code ?? error.message);
    });
    socket.once('close', () => {
      end('cut_off', 'closed');
    });
    socket.write(`${query}\r\n`);
  });
}
