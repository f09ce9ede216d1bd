import type { Socket } from 'node:net';
import type { Dial } from '../net/dial.ts';
import type { HostPort } from '../net/host-map.ts';
import { ServerFault } from '../net/server-fault.ts';
import type { FaultReason } from '../net/server-fault.ts';

/** The largest valid answer of 2,400 collected ones has 14 kB. */
export const MAX_WHOIS_BYTES = 262_144;

/**
 * Sends a query line and resolves to all bytes until the server closes its side (RFC 3912). Rejects with a ServerFault
 * that contains the received part. The signal limits the whole call, so that a slow server cannot prolong it.
 */
export type QueryWhois = (endpoint: HostPort, query: string, signal: AbortSignal) => Promise<Buffer>;

export function createWhoisClient(dial: Dial): QueryWhois {
  return async function queryWhois(endpoint, query, signal) {
    if (/[\r\n]/.test(query)) throw new ServerFault('bad_answer', { detail: 'a query is one line' });
    const socket = await dial(endpoint, signal);
    socket.write(`${query}\r\n`);
    return readToEnd(socket, signal);
  };
}

function readToEnd(socket: Socket, signal: AbortSignal): Promise<Buffer> {
  return new Promise((done, fail) => {
    const chunks: Buffer[] = [];
    let size = 0;
    let isOver = false;
    const giveUp = (reason: FaultReason, detail: string) => {
      if (isOver) return;
      isOver = true;
      const part = Buffer.concat(chunks);
      fail(new ServerFault(reason, { detail: `${detail} after ${size} bytes`, part }));
      socket.destroy();
    };
    const breakOff = (detail: string) => giveUp(size === 0 ? 'unreachable' : 'cut_off', detail);
    const abort = () => giveUp('timeout', 'timed out');
    signal.addEventListener('abort', abort, { once: true });
    // It may have aborted while the connection was returned.
    if (signal.aborted) abort();
    socket.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > MAX_WHOIS_BYTES) giveUp('too_large', 'cut off');
      else chunks.push(chunk);
    });
    socket.on('end', () => {
      // libuv reports a reset right after the data as an end too, but then there is no peer. A Unix socket, to a caller's
      // proxy, has no addresses at all.
      if (socket.localAddress !== undefined && socket.remoteAddress === undefined) {
        breakOff('reset');
        return;
      }
      isOver = true;
      done(Buffer.concat(chunks));
      socket.destroy();
    });
    socket.on('error', (error: NodeJS.ErrnoException) => breakOff(error.code ?? error.message));
    socket.on('close', () => {
      signal.removeEventListener('abort', abort);
      giveUp('cut_off', 'closed');
    });
  });
}
