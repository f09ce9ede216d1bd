import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/**
 * A stand-in for the live upstream until the test ends: knows every novel, records its clients, and is as slow or
 * broken as the test says.
 */
export interface CountingUpstream {
  url: string;
  /** The User-Agent of each request, in order. */
  userAgents: string[];
  delayMs: number;
  /** Refuses all connections. */
  goDown: () => Promise<void>;
  comeBack: () => Promise<void>;
}

export async function startCountingUpstream(): Promise<CountingUpstream> {
  const server = http.createServer((request, response) => {
    upstream.userAgents.push(request.headers['user-agent'] ?? '');
    const ncode = new URL(request.url ?? '/', 'http://upstream').searchParams.get('ncode') ?? 'N0001A';
    const body = JSON.stringify([{ allcount: 1 }, { ncode: ncode.toUpperCase(), title: 'invented' }]);
    setTimeout(() => response.end(body), upstream.delayMs);
  });
  const listen = (port: number) =>
    new Promise<void>((resolve) => {
      server.listen(port, '127.0.0.1', resolve);
    });
  const goDown = () =>
    new Promise<void>((resolve) => {
      server.close(() => {
        resolve();
      });
      server.closeAllConnections();
    });
  await listen(0);
  onTestFinished(goDown);
  const { port } = server.address() as AddressInfo;
  const upstream: CountingUpstream = {
    url: `http://127.0.0.1:${port}`,
    userAgents: [],
    delayMs: 0,
    goDown,
    comeBack: () => listen(port),
  };
  return upstream;
}
