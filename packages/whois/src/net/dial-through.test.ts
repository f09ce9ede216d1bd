import net from 'node:net';
import { expect, it } from 'vitest';
import { createDialerThrough } from './dial.ts';
import type { HostPort } from './host-map.ts';

const WHOIS = { host: 'whois.nic.example', port: 43 };

it("the caller's own connections go to the address that HOST_MAP has for a host", async () => {
  const mapped = { host: '192.0.2.7', port: 4343 };
  const wanted: HostPort[] = [];
  const connect = (server: HostPort) => {
    wanted.push(server);
    return Promise.resolve(new net.Socket());
  };
  const dial = createDialerThrough(connect, new Map([[WHOIS.host, mapped]]));
  await dial(WHOIS, new AbortController().signal);
  await dial({ host: 'whois.other.example', port: 43 }, new AbortController().signal);
  expect(wanted).toEqual([mapped, { host: 'whois.other.example', port: 43 }]);
});

it('a connection of the caller that opens after the deadline is closed', async () => {
  let open: (socket: net.Socket) => void = () => undefined;
  const opened = new Promise<net.Socket>((resolve) => (open = resolve));
  const dial = createDialerThrough(() => opened, new Map());
  const controller = new AbortController();
  const dialed = dial(WHOIS, controller.signal);
  controller.abort();
  await expect(dialed).rejects.toMatchObject({ reason: 'timeout' });
  const socket = new net.Socket();
  open(socket);
  await expect.poll(() => socket.destroyed).toBe(true);
});

it('an error of such a connection before anyone reads it does not end the process', async () => {
  const socket = new net.Socket();
  const dial = createDialerThrough(() => Promise.resolve(socket), new Map());
  await dial(WHOIS, new AbortController().signal);
  expect(() => socket.emit('error', new Error('reset'))).not.toThrow();
});
