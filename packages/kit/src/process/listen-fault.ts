import net from 'node:net';

/** Why a server cannot listen at an address (`EADDRINUSE`); undefined if it can. */
export function listenFault({ host, port }: { host: string; port: number }): Promise<string | undefined> {
  const server = net.createServer();
  return new Promise((resolve) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      resolve(error.code ?? error.name);
    });
    server.listen({ host, port, exclusive: true }, () => {
      server.close(() => {
        resolve(undefined);
      });
    });
  });
}
