import net from 'node:net';
import type { Socket } from 'node:net';

export interface LoopbackServer {
  port: number;
  close: () => Promise<void>;
}

const MAX_QUERY_LENGTH = 1_024;

/** A WHOIS server on loopback: reads one line and passes it to `answer` with the socket. */
export function startWhoisServer(answer: (query: string, socket: Socket) => void): Promise<LoopbackServer> {
  const open = new Set<Socket>();
  const server = net.createServer((socket) => {
    open.add(socket);
    let received = '';
    socket.on('error', () => socket.destroy());
    socket.on('close', () => open.delete(socket));
    socket.on('data', function read(chunk: Buffer) {
      received += chunk.toString('latin1');
      const end = received.indexOf('\n');
      if (end < 0 && received.length < MAX_QUERY_LENGTH) return;
      socket.removeListener('data', read);
      if (end < 0) socket.destroy();
      else answer(received.slice(0, end).trim(), socket);
    });
  });
  return listening(server, () => {
    for (const socket of open) socket.destroy();
  });
}

/** Starts a server on a free loopback port; `close` stops it and its connections. */
export function listening(server: net.Server, endConnections: () => void): Promise<LoopbackServer> {
  return new Promise((done, fail) => {
    server.once('error', fail);
    server.listen(0, '127.0.0.1', () => {
      const close = () =>
        new Promise<void>((closed) => {
          server.close(() => closed());
          endConnections();
        });
      done({ port: (server.address() as net.AddressInfo).port, close });
    });
  });
}
