import type { Server, ServerResponse } from 'node:http';
import { connect } from 'node:net';
import type { Socket } from 'node:net';

export interface Stalled {
  /** The maximum that the service had buffered at a time. */
  mostBytesWaiting: number;
  /** Bytes produced by the service. */
  bytesMade: number;
}

/**
 * Sends a request many times on one connection, each after the response to the last, and reads nothing. Resolves when
 * the service has closed the connection.
 */
export async function stallClient(server: Server, path: string, times: number): Promise<Stalled> {
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  const accepted = new Promise<Socket>((resolve) => server.once('connection', resolve));
  const client = connect(port, '127.0.0.1').pause();
  client.on('error', () => undefined);
  let sent = 0;
  const sendNext = () => {
    if (sent++ < times) client.write(`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`);
  };
  const onRequest = (_: unknown, response: ServerResponse) => void response.once('finish', sendNext);
  server.on('request', onRequest);
  sendNext();
  const socket = await accepted;
  let mostBytesWaiting = 0;
  const watch = setInterval(() => {
    mostBytesWaiting = Math.max(mostBytesWaiting, socket.writableLength);
  }, 10);
  await new Promise((resolve) => socket.once('close', resolve));
  clearInterval(watch);
  server.off('request', onRequest);
  client.destroy();
  return { mostBytesWaiting, bytesMade: socket.bytesWritten };
}
