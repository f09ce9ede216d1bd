import net from 'node:net';
import { Worker } from 'node:worker_threads';
import { onTestFinished } from 'vitest';

/** Listens and never accepts: its thread blocks at once. */
const LISTEN_AND_SLEEP = `
  const { createServer } = require('node:net');
  const { parentPort, workerData } = require('node:worker_threads');
  const server = createServer();
  server.on('error', (error) => parentPort.postMessage(error.code));
  server.listen({ ...workerData, backlog: 1 }, () => {
    parentPort.postMessage('listening');
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  });
`;
/** Connections that the Linux kernel accepts for a listener with a backlog of 1. */
const QUEUE = 2;

/**
 * An address of this machine that never responds, as behind a broken IPv6 tunnel: Linux drops packets to a listener
 * whose queue is full. Until the test ends.
 */
export async function silence(host: string, port: number): Promise<void> {
  const worker = new Worker(LISTEN_AND_SLEEP, { eval: true, workerData: { host, port } });
  const said = await new Promise((done) => worker.once('message', done));
  if (said !== 'listening') throw new Error(`${host} port ${port}: ${String(said)}`);
  const queued: net.Socket[] = [];
  for (let i = 0; i < QUEUE; i++) {
    const socket = net.connect({ host, port });
    queued.push(socket);
    socket.on('error', () => undefined);
    await new Promise<void>((done) => socket.once('connect', done));
  }
  onTestFinished(async () => {
    for (const socket of queued) socket.destroy();
    await worker.terminate();
  });
}
