import net from 'node:net';
import type { AddressInfo, Socket } from 'node:net';

export interface WhoisServer {
  port: number;
  close: () => Promise<void>;
}

/** A WHOIS server on loopback: reads one line and passes it to `answer` with the socket. */
export async function startWhoisServer(
  answer: (query: string, socket: Socket) => void,
): Promise<WhoisServer> {
  const open = new Set<Socket>();
  const server = net.createServer((socket) => {
    open.add(socket);
    let received = '';
    socket.on('error', () => socket.destroy());
    socket.on('close', () => open.delete(socket));
    socket.on('data', (chunk: Buffer) => {
      const isAnswered = received.includes('\n');
      received += chunk.toString('latin1');
      const end = received.indexOf('\n');
      if (!isAnswered && end >= 0) answer(received.slice(0, end).trim(), socket);
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    port: (server.address() as AddressInfo).port,
    close: () => {
      for (const socket of open) socket.destroy();
      return new Promise((done) => server.close(() => done()));
    },
  };
}
