import { getEventListeners } from 'node:events';
import net from 'node:net';
import { expect, it } from 'vitest';
import { listen } from '../../test/opened-world.ts';
import { createWhoisClient } from './client.ts';

const server = { host: 'whois.nic.example', port: 43 };

it.each(['a.example\nb.example', 'a.example\rb.example'])(
  'the query %j, of two lines, is not sent',
  async (query) => {
    let dialed = 0;
    const queryWhois = createWhoisClient(() => Promise.reject(new Error(`dialed ${++dialed}`)));
    await expect(queryWhois(server, query, new AbortController().signal)).rejects.toMatchObject({
      reason: 'bad_answer',
    });
    expect(dialed).toBe(0);
  },
);

it('a query whose signal aborts while it connects ends, and closes its connection', async () => {
  const socket = net.connect(await listen(net.createServer()), '127.0.0.1');
  const controller = new AbortController();
  const queryWhois = createWhoisClient(() => {
    controller.abort();
    return Promise.resolve(socket);
  });
  await expect(queryWhois(server, 'a.example', controller.signal)).rejects.toMatchObject({
    reason: 'timeout',
  });
  expect(socket.destroyed).toBe(true);
});

it('a query leaves neither a connection nor a listener on its signal', async () => {
  const listener = net.createServer({ allowHalfOpen: true }, (socket) => {
    socket.once('data', () => socket.end('No match\r\n'));
  });
  const socket = net.connect(await listen(listener), '127.0.0.1');
  const { signal } = new AbortController();
  const answer = await createWhoisClient(() => Promise.resolve(socket))(server, 'a.example', signal);
  expect(answer.toString()).toBe('No match\r\n');
  await expect.poll(() => getEventListeners(signal, 'abort')).toEqual([]);
  expect(socket.destroyed).toBe(true);
});
