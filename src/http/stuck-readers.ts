import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/** Lets a connection go whose client takes nothing of what is being written to it. */
export type WatchWrite = (socket: Socket) => void;

/**
 * Watches every answer that passes through Fastify, and what it returns any other. Node looks twice: a write that is
 * not done at the first look counts as one that has just moved, so the time is halved. When an answer is out, Node puts
 * its own time for idle connections in place of this one.
 */
export function addWriteWatch(app: FastifyInstance, letGoAfterMs = 60_000): WatchWrite {
  const watch: WatchWrite = (socket) => socket.setTimeout(letGoAfterMs / 2);
  app.addHook('onSend', function watchWrite(request, _reply, _payload, done) {
    watch(request.raw.socket);
    done();
  });
  return watch;
}
