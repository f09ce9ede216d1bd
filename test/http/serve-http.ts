import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** An HTTP server on a free port of this machine, until the test ends. Resolves to its address. */
export async function serveHttp(listener: http.RequestListener): Promise<string> {
  const server = http.createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Turns off the timeouts that run by Node's own clock: a busy machine would drop requests. Returns what they were. */
export function stopRequestTimeouts(server: http.Server) {
  const { headersTimeout, requestTimeout } = server;
  Object.assign(server, { headersTimeout: 0, requestTimeout: 0 });
  return { headersTimeout, requestTimeout };
}
