import type { Socket } from 'node:net';
import type { FastifyReply } from 'fastify';
import type { Clock } from '../process/clock.ts';
import { part } from './part.ts';

declare module 'fastify' {
  interface FastifyReply {
    /** Limits the time to send the response. `bytes` is undefined for a stream. */
    limitWriteTime: (bytes: number | undefined) => void;
  }
}

export interface WriteTimeoutOptions {
  clock: Clock;
  /** A connection is closed if its client reads nothing for this long. */
  connectionTimeoutMs?: number | undefined;
}

/** A slower client loses its connection, after `connectionTimeoutMs`. */
const MIN_BYTES_PER_SECOND = 8_000;
/** For streams: at 30,000 lines a minute a client gets a million in half of this. */
const MAX_STREAM_MS = 3_600_000;
const SWEEP_EVERY_MS = 5_000;

/**
 * Closes the connection of a client that does not read its response, or reads it too slowly. Covers every response
 * that Fastify sends, and those that call `limitWriteTime`.
 */
export const writeTimeout = ({ clock, connectionTimeoutMs = 60_000 }: WriteTimeoutOptions) =>
  part((app) => {
    const deadlines = new Map<Socket, number>();

    function limitWriteTime(this: FastifyReply, bytes: number | undefined): void {
      const response = this.raw;
      const { socket } = response;
      if (!socket || response.destroyed) return;
      // Node checks twice: at the first check, an unfinished write counts as progress. So the time is halved. After the
      // response, Node replaces this timeout by its own for idle connections.
      socket.setTimeout(connectionTimeoutMs / 2);
      // With nothing to write, the client waits for us, not we for the client.
      response.on('timeout', () => {
        if (socket.writableLength > 0) socket.destroy();
        else socket.setTimeout(connectionTimeoutMs / 2);
      });
      const longestMs =
        bytes === undefined ? MAX_STREAM_MS : connectionTimeoutMs + (bytes / MIN_BYTES_PER_SECOND) * 1_000;
      deadlines.set(socket, clock.monotonic() + longestMs);
      response.once('close', () => deadlines.delete(socket));
    }

    app.decorateReply('limitWriteTime', limitWriteTime);
    const sweep = setInterval(() => {
      const now = clock.monotonic();
      for (const [socket, deadline] of deadlines) if (now > deadline) socket.destroy();
    }, SWEEP_EVERY_MS).unref();
    // After the last connection.
    app.server.once('close', () => clearInterval(sweep));
    app.addHook('onSend', function armWriteTimeout(_request, reply, payload, done) {
      const isStream = typeof payload !== 'string' && !Buffer.isBuffer(payload);
      const length = isStream ? reply.getHeader('content-length') : Buffer.byteLength(payload);
      reply.limitWriteTime(length === undefined ? undefined : Number(length));
      done();
    });
  });
