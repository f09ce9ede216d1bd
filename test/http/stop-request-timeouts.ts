import type { Server } from 'node:http';

/** Turns off the timeouts that run by Node's own clock: a busy machine would drop requests. Returns what they were. */
export function stopRequestTimeouts(server: Server) {
  const { headersTimeout, requestTimeout } = server;
  Object.assign(server, { headersTimeout: 0, requestTimeout: 0 });
  return { headersTimeout, requestTimeout };
}
