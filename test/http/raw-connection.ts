import { connect } from 'node:net';
import type { Server, Socket } from 'node:net';
import { Duplex } from 'node:stream';
import type { Load } from './things-service.ts';

/** The statuses of all responses of a connection. */
export const statusesOf = (answer: string): string[] =>
  Array.from(answer.matchAll(/HTTP\/1\.1 (\d{3})/g), ([, status = '']) => status);

/** The code of the first error. */
export const codeOf = (answer: string): string | undefined => /"code":"(\w+)"/.exec(answer)?.[1];

export const getThing = (name: string): string => `GET /things/${name} HTTP/1.1\r\nHost: a\r\n\r\n`;

export const connected = (base: string, localAddress = '127.0.0.1'): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const port = Number(new URL(base).port);
    const socket = connect({ port, host: '127.0.0.1', localAddress }, () => resolve(socket));
    socket.on('error', reject);
  });

/** A connection from both sides: the test's, and the service's. */
export async function bothSides({ base, server }: { base: string; server: Server }) {
  const accepted = new Promise<Socket>((resolve) => server.once('connection', resolve));
  const client = await connected(base);
  return { client, socket: await accepted };
}

/** A connection without a network: the test sees each write of the service, and calls `done` when it is sent. */
export function watchedConnection(server: Server) {
  const writes: { chunk: Buffer; done: () => void }[] = [];
  const stream = new Duplex({
    read: () => undefined,
    write: (chunk: Buffer, _encoding, done) => void writes.push({ chunk, done }),
  });
  const connection = Object.assign(stream, { setTimeout: () => stream });
  server.emit('connection', connection);
  return { connection, writes };
}

export const closed = (socket: Socket): Promise<void> =>
  new Promise((resolve) => socket.on('error', () => undefined).once('close', () => resolve()));

/** A source whose loads wait until the test releases them, the oldest first. */
export function pendingLoads() {
  const names: string[] = [];
  const waiting: ((data: unknown) => void)[] = [];
  const load: Load = (name) => {
    names.push(name);
    return new Promise((resolve) => waiting.push((data) => resolve({ data })));
  };
  const release = (data: unknown = 1) => waiting.shift()?.(data);
  const releaseAll = () => {
    while (waiting.length > 0) release();
  };
  return { load, names, release, releaseAll };
}

/** A promise that the test fulfils or rejects. */
export function latch() {
  let open: () => void = () => undefined;
  let fail: (error: Error) => void = () => undefined;
  const opened = new Promise<void>((resolve, reject) => ([open, fail] = [resolve, reject]));
  // It may fail before the stream that waits for it comes there.
  opened.catch(() => undefined);
  return { opened, open, fail };
}
