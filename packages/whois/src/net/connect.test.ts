import net from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { connect } from './dial.ts';

it('an attempt to connect that is aborted leaves no connection', async () => {
  const open = new Set<net.Socket>();
  const server = net.createServer((socket) => {
    open.add(socket);
    socket.on('error', () => undefined).on('close', () => open.delete(socket));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => {
    for (const socket of open) socket.destroy();
    server.close();
  });
  const { port } = server.address() as net.AddressInfo;
  const controller = new AbortController();
  const attempt = connect('127.0.0.1', port, controller.signal);
  controller.abort();
  await expect(attempt).rejects.toMatchObject({ reason: 'timeout' });
  // Connections arrive in their order.
  const next = await connect('127.0.0.1', port, new AbortController().signal);
  await expect.poll(() => [...open].map(({ remotePort }) => remotePort)).toEqual([next.localPort]);
});
