import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { Clock } from '../process/clock.ts';

/** Bounds how long a response may take to leave. `bytes` is undefined where nobody knows yet. */
export type ArmWriteTimeout = (response: ServerResponse, bytes: number | undefined) => void;

interface WriteWatchOptions {
  clock: Clock;
  /** Without a byte taken. */
  connectionTimeoutMs?: number | undefined;
}

/** A reader that takes less, after `connectionTimeoutMs`, holds its response for longer than it is worth. */
const LEAST_BYTES_PER_SECOND = 8_000;
/** For lines sent as they are found: a client may get 30,000 novels a minute, a million in half of it. */
const LONGEST_STREAM_MS = 3_600_000;
const SWEEP_EVERY_MS = 5_000;

/** Of what leaves through Fastify. */
function lengthOf(payload: unknown, header: unknown): number | undefined {
  if (payload === null || payload === undefined) return 0;
  if (typeof payload === 'string' || Buffer.isBuffer(payload)) return payload.length;
  return header === undefined ? undefined : Number(header);
}

/**
 * Ends the connection of a client that takes nothing of its response, or too little to be done in time. It watches
 * every response that passes through Fastify, and those that it is called with.
 */
export function addWriteTimeout(app: FastifyInstance, options: WriteWatchOptions): ArmWriteTimeout {
  const { clock, connectionTimeoutMs = 60_000 } = options;
  const deadlines = new Map<Socket, number>();

  const watch: ArmWriteTimeout = (response, bytes) => {
    const { socket } = response;
    if (!socket) return;
    // Node looks twice: a write that is not done at the first look counts as one that has just moved, so the time is
    // halved. When a response is out, Node puts its own time for idle connections in place of this one.
    socket.setTimeout(connectionTimeoutMs / 2);
    // Nothing waits for the reader: the reader waits, for its rate limit or an upstream.
    response.on('timeout', () => {
      if (socket.writableLength > 0) socket.destroy();
      else socket.setTimeout(connectionTimeoutMs / 2);
    });
    const longestMs =
      bytes === undefined
        ? LONGEST_STREAM_MS
        : connectionTimeoutMs + (bytes / LEAST_BYTES_PER_SECOND) * 1_000;
    deadlines.set(socket, clock.monotonic() + longestMs);
    response.once('close', () => deadlines.delete(socket));
  };

  const timer = setInterval(() => {
    const now = clock.monotonic();
    for (const [socket, deadline] of deadlines) if (now > deadline) socket.destroy();
  }, SWEEP_EVERY_MS);
  timer.unref();
  app.addHook('onClose', (_app, done) => {
    clearInterval(timer);
    done();
  });
  app.addHook('onSend', function armWriteTimeout(_request, reply, payload, done) {
    watch(reply.raw, lengthOf(payload, reply.getHeader('content-length')));
    done();
  });
  return watch;
}
