import net from 'node:net';
import type { Sleep } from '../../process/clock.ts';
import { ServerFault, toServerFault } from './server-fault.ts';

/** RFC 8305, section 8: the recommended Connection Attempt Delay. */
const ATTEMPT_DELAY_MS = 250;

/**
 * Connects to the first address that accepts (Happy Eyeballs, RFC 8305, section 5). The next attempt starts when the
 * previous one fails, or after a quarter of a second beside it. Rejects with a ServerFault if none accepts or the
 * signal aborts.
 */
export async function connectFirst(
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
export function connect(address: string, port: number, signal: AbortSignal): Promise<net.Socket> {
  return new Promise((done, fail) => {
    if (signal.aborted) {
      fail(toServerFault(signal.reason));
      return;
    }
    const socket = net.connect({ host: address, port });
    const abort = () => {
      fail(new ServerFault('timeout', { detail: `timed out while connecting to ${address}` }));
      socket.destroy();
    };
    signal.addEventListener('abort', abort, { once: true });
    socket.once('connect', () => {
      signal.removeEventListener('abort', abort);
      done(socket);
    });
    // For the socket's lifetime: an error without a listener would end the process.
    socket.on('error', (error) => {
      signal.removeEventListener('abort', abort);
      fail(toServerFault(error));
    });
  });
}

const ignore = () => undefined;
