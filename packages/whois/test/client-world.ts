import { EventEmitter, on } from 'node:events';
import type { Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { createLookUpClient } from '../src/index.ts';
import type { LookUpClientOptions, LookUpOutcome } from '../src/index.ts';
import { startWhoisServer } from '../../mokuroku/src/registration/sample/loopback-server.ts';
import { record, rootObject } from './loopback-world.ts';
import { NIC } from './opened-world.ts';

export type Answer = (query: string, socket: Socket) => void;

export const answers: Answer = (name, socket) => socket.end(record(name));

async function serve(answer: Answer): Promise<number> {
  const server = await startWhoisServer(answer);
  onTestFinished(server.close);
  return server.port;
}

/** A root and one registry on loopback, with the received queries. */
export async function serveRegistry(answer: Answer) {
  const queries: string[] = [];
  const ports = {
    root: await serve((tld, socket) => {
      queries.push(`root ${tld}`);
      socket.end(rootObject(tld, NIC));
    }),
    registry: await serve((name, socket) => {
      queries.push(name);
      answer(name, socket);
    }),
  };
  return { queries, ports };
}

/** A client over such a registry. */
export async function clientOver(answer: Answer, { hostMap, ...more }: LookUpClientOptions = {}) {
  const { queries, ports } = await serveRegistry(answer);
  const client = createLookUpClient({
    whoisRoot: `127.0.0.1:${ports.root}`,
    hostMap: { [NIC]: `127.0.0.1:${ports.registry}`, ...hostMap },
    allowedCidrs: ['127.0.0.1/32'],
    timeoutMs: 30_000,
    perSecondPerRegistry: 0,
    rdapBootstrap: 'bundled',
    ...more,
  });
  onTestFinished(client.close);
  return { ...client, queries };
}

export async function readAll(outcomes: AsyncIterable<LookUpOutcome>): Promise<LookUpOutcome[]> {
  const all: LookUpOutcome[] = [];
  for await (const outcome of outcomes) all.push(outcome);
  return all;
}

/** A client whose registry answers when the test says so. */
export async function silentClient() {
  const arrivals = new EventEmitter();
  const sockets = on(arrivals, 'socket');
  const client = await clientOver((_, socket) => arrivals.emit('socket', socket), { timeoutMs: 3_600_000 });
  /** The connection of the next query. */
  const nextSocket = async () => ((await sockets.next()).value as [Socket])[0];
  return { ...client, nextSocket };
}

export const closed = (socket: Socket) => new Promise<void>((done) => socket.once('close', () => done()));
