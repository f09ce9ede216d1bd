import http from 'node:http';
import type net from 'node:net';
import { onTestFinished } from 'vitest';
import { LookUpError } from '../src/look-up/look-up-error.ts';
import { startWorld } from './loopback-world.ts';
import type { WhoisReply, World, WorldOptions } from './loopback-world.ts';

export const NIC = 'whois.nic.test';

/** A loopback world until the test ends. Timeouts are long unless a test sets them. */
export async function open(options: WorldOptions): Promise<World> {
  const world = await startWorld({ ...options, settings: { timeoutMs: 30_000, ...options.settings } });
  onTestFinished(world.close);
  return world;
}

/** The zone `test` with one registry that answers so. */
export const openRegistry = (answer: WhoisReply, more: WorldOptions = {}): Promise<World> =>
  open({ root: { test: { refer: NIC } }, ...more, whois: { [NIC]: answer, ...more.whois } });

/** Listens until the test ends. */
export async function listen(server: net.Server, host = '127.0.0.1'): Promise<number> {
  await new Promise<void>((done) => server.listen({ host, port: 0 }, done));
  onTestFinished(async () => {
    if (server instanceof http.Server) server.closeAllConnections();
    await new Promise((done) => server.close(done));
  });
  return (server.address() as net.AddressInfo).port;
}

/** An RDAP server. */
export const listenHttp = (answer: http.RequestListener) => listen(http.createServer(answer));

export async function errorOf(looked: Promise<unknown>): Promise<LookUpError> {
  const error: unknown = await looked.then(
    () => 'no error',
    (reason: unknown) => reason,
  );
  if (!(error instanceof LookUpError)) throw error;
  return error;
}

export const outcomes = (hops: readonly { server: string; outcome: string }[]) =>
  hops.map(({ server, outcome }) => `${server} ${outcome}`);

export const codeOf = async (looked: Promise<unknown>) => (await errorOf(looked)).code;
