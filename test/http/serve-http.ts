import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** An HTTP server on a free port of this machine, until it is closed: for the tests of a file. */
export async function startHttp(listener: http.RequestListener) {
  const server = http.createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close };
}

/** The same until the test ends. Resolves to its address. */
export async function serveHttp(listener: http.RequestListener): Promise<string> {
  const { url, close } = await startHttp(listener);
  onTestFinished(close);
  return url;
}

/** The service, which stops with the test unless the test stops it before. */
export function untilTestEnds<Service extends { close: () => Promise<void> }>(service: Service): Service {
  let closed: Promise<void> | undefined;
  const close = () => (closed ??= service.close());
  onTestFinished(close);
  return { ...service, close };
}

/** Turns off the timeouts that run by Node's own clock: a busy machine would drop requests. Returns what they were. */
export function stopRequestTimeouts(server: http.Server) {
  const { headersTimeout, requestTimeout } = server;
  Object.assign(server, { headersTimeout: 0, requestTimeout: 0 });
  return { headersTimeout, requestTimeout };
}
