import net from 'node:net';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { silence } from '../../test/silent-address.ts';
import { createAddressGuard } from './address-guard.ts';
import { systemClock } from '@mokuroku/kit/clock';
import type { Sleep } from '@mokuroku/kit/clock';
import { createDialer, createDialerThrough, connect } from './dial.ts';
import type { HostMap, HostPort } from './host-map.ts';
import type { ResolveHost } from './resolve.ts';
import { toServerFault } from './server-fault.ts';

let arrived: string[] = [];

/** Notes the address of this machine that each connection arrives at, and ends the connection. */
async function listen(host: string, port = 0, serve = (socket: net.Socket) => void socket.end()) {
  const server = net.createServer((socket) => {
    arrived.push(socket.localAddress ?? '');
    serve(socket.on('error', () => undefined));
  });
  const close = () => new Promise<void>((done) => server.close(() => done()));
  onTestFinished(close);
  await new Promise<void>((done) => server.listen({ host, port }, done));
  return { port: (server.address() as net.AddressInfo).port, close };
}

interface Options {
  port: number;
  allowed?: string[];
  resolve?: ResolveHost;
  hostMap?: HostMap;
  sleep?: Sleep;
  now?: () => number;
}

function dialer({ port, allowed = ['127.0.0.0/8', '::1/128'], resolve, hostMap, sleep, now }: Options) {
  const dial = createDialer({
    clock: now === undefined ? systemClock : { now, monotonic: now },
    guard: createAddressGuard(allowed),
    hostMap: hostMap ?? new Map(),
    resolve: resolve ?? (() => Promise.resolve([])),
    ...(sleep && { sleep }),
  });
  return async (host: string, signal = AbortSignal.timeout(30_000)) => {
    const socket = await dial({ host, port }, signal);
    const at = socket.remoteAddress;
    socket.destroy();
    return at;
  };
}

const reasonOf = (error: unknown) => toServerFault(error).reason;

/** Addresses that lead to this machine if they are not blocked. */
const LOCAL = [
  '127.0.0.1',
  '127.0.0.2',
  '127.255.255.254',
  '0.0.0.0',
  '::',
  '::1',
  '::ffff:127.0.0.1',
  '::ffff:7f00:1',
];

describe('connections', () => {
  let port = 0;
  beforeEach(async () => {
    arrived = [];
    ({ port } = await listen('::'));
  });

  it.each(LOCAL)('never go to %s, whether resolved, mapped or given', async (address) => {
    const host = 'whois.evil.example';
    const resolve = () => Promise.resolve([address]);
    const hostMap = new Map([[host, { host: address, port }]]);
    const resolved = dialer({ port, allowed: [], resolve })(host);
    const mapped = dialer({ port, allowed: [], hostMap })(host);
    const given = dialer({ port, allowed: [] })(address);
    const reasons = await Promise.all([resolved, mapped, given].map((dialled) => dialled.catch(reasonOf)));
    expect(reasons).toEqual(['forbidden_address', 'forbidden_address', 'forbidden_address']);
    expect(arrived).toEqual([]);
  });

  it('are made there if the operator allows the range', async () => {
    const dial = dialer({ port, allowed: ['127.0.0.0/8'], resolve: () => Promise.resolve(['127.0.0.2']) });
    expect(await dial('a.example')).toBe('127.0.0.2');
  });

  it('use the checked address: a name that changes its addresses afterwards has no effect', async () => {
    const answers = [['127.0.0.1'], ['127.0.0.2'], ['127.0.0.2']];
    const resolve = () => Promise.resolve(answers.shift() ?? []);
    const dial = dialer({ port, allowed: ['127.0.0.1/32'], resolve });
    expect(await dial('rebinding.example')).toBe('127.0.0.1');
    expect(await dial('rebinding.example').catch(reasonOf)).toBe('forbidden_address');
    expect(answers).toHaveLength(1);
    expect(arrived).toEqual(['::ffff:127.0.0.1']);
  });

  it('skip the special addresses of a host that also has public ones', async () => {
    const resolve = () => Promise.resolve(['10.0.0.1', '::1', '127.0.0.1']);
    const dial = dialer({ port, allowed: ['127.0.0.1/32'], resolve });
    expect(await dial('mixed.example')).toBe('127.0.0.1');
  });

  it('fail by kind: no address, no such host, timeout', async () => {
    const noSuchHost = () => Promise.reject(Object.assign(new Error('ENOTFOUND'), { code: 'ENOTFOUND' }));
    expect(await dialer({ port })('empty.example').catch(reasonOf)).toBe('unreachable');
    expect(await dialer({ port, resolve: noSuchHost })('none.example').catch(reasonOf)).toBe('unreachable');
    const never = dialer({ port, resolve: () => new Promise(() => undefined) });
    expect(await never('slow.example', AbortSignal.timeout(10)).catch(reasonOf)).toBe('timeout');
    expect(await never('slow.example', AbortSignal.abort()).catch(reasonOf)).toBe('timeout');
    expect(await dialer({ port })('127.0.0.1', AbortSignal.abort()).catch(reasonOf)).toBe('timeout');
  });
});

describe('the addresses of a host', () => {
  let port = 0;
  /** Every requested wait; those while `isWaiting` last until the end of the test. */
  let waits: number[] = [];
  let isWaiting = false;
  const sleep: Sleep = (milliseconds, signal) => {
    waits.push(milliseconds);
    if (!isWaiting) return Promise.resolve();
    return new Promise((_, fail) => {
      signal.addEventListener('abort', () => {
        fail(new Error('aborted'));
      });
    });
  };

  beforeEach(async () => {
    arrived = [];
    waits = [];
    isWaiting = false;
    ({ port } = await listen('127.0.0.1'));
  });

  it('are tried one after the other, families in turn, six at most', async () => {
    isWaiting = true;
    const all = ['127.0.0.3', '127.0.0.4', '127.0.0.5', '127.0.0.6', '127.0.0.7', '127.0.0.1'];
    const dial = (addresses: string[]) => dialer({ port, resolve: () => Promise.resolve(addresses), sleep });
    expect(await dial(all)('six.example')).toBe('127.0.0.1');
    const seven = ['127.0.0.8', ...all];
    expect(await dial(seven)('seven.example').catch(reasonOf)).toBe('unreachable');
  });

  it('of both families take turns, so that a dead family costs one failure', async () => {
    await listen('::1', port);
    const { close } = await listen('127.0.0.9', port);
    isWaiting = true;
    let addresses = ['127.0.0.1', '::1'];
    const dial = dialer({ port, resolve: () => Promise.resolve(addresses), sleep });
    expect(await dial('ipv6-first.example')).toBe('::1');
    addresses = ['127.0.0.9'];
    expect(await dial('host.example')).toBe('127.0.0.9');
    // IPv4 has worked and is tried first. Its first address is dead, and the other family is tried second, not last.
    await close();
    addresses = ['127.0.0.1', '127.0.0.9', '::1'];
    expect(await dial('host.example')).toBe('::1');
  });

  it('are tried in parallel: the next one starts after 250 ms without a reply, and the first that accepts is used', async () => {
    await silence('127.0.0.2', port);
    await silence('::1', port);
    const resolve = () => Promise.resolve(['127.0.0.2', '::1', '127.0.0.1']);
    const sockets = () => process.getActiveResourcesInfo().filter((kind) => kind === 'TCPSocketWrap').length;
    const before = sockets();
    expect(await dialer({ port, resolve, sleep })('silent.example')).toBe('127.0.0.1');
    expect(waits).toEqual([250, 250]);
    // The attempts at the silent addresses are over too.
    await expect.poll(sockets).toBe(before);
  });

  it('that are slow still win when those tried after them fail', async () => {
    await silence('127.0.0.2', port);
    const resolve = () => Promise.resolve(['127.0.0.2', '127.0.0.9']);
    const dialled = dialer({ port, resolve, sleep })('slow.example', AbortSignal.timeout(100));
    expect(await dialled.catch(reasonOf)).toBe('timeout');
  });

  it('that accepted goes first for ten minutes, its family before the other, without waiting for unresponsive ones', async () => {
    let now = 0;
    await silence('::1', port);
    const addresses = ['::1', '127.0.0.9', '127.0.0.1'];
    const dial = dialer({ port, resolve: () => Promise.resolve(addresses), sleep, now: () => now });
    expect(await dial('host.example')).toBe('127.0.0.1');
    expect(waits).toEqual([250, 250]);
    isWaiting = true;
    now = 599_999;
    expect(await dial('host.example')).toBe('127.0.0.1');
    expect(waits).toEqual([250, 250, 250]);
    // The address is gone, but its family is still known to work, so the silent address is not tried again.
    addresses.splice(0, 3, '::1', '127.0.0.2');
    await listen('127.0.0.2', port);
    expect(await dial('host.example')).toBe('127.0.0.2');
    isWaiting = false;
    now += 600_000;
    await dial('host.example');
    expect(waits).toHaveLength(5);
  });

  it('are tried in the original order when the ten minutes are over', async () => {
    let now = 0;
    let addresses = ['127.0.0.1'];
    const dial = dialer({ port, resolve: () => Promise.resolve(addresses), sleep, now: () => now });
    await listen('::1', port);
    isWaiting = true;
    await dial('host.example');
    addresses = ['::1', '127.0.0.1'];
    now = 600_000;
    expect(await dial('host.example')).toBe('::1');
  });

  it('are remembered per host', async () => {
    await listen('::1', port);
    isWaiting = true;
    const resolve = (host: string) =>
      Promise.resolve(host === 'four.example' ? ['127.0.0.1'] : ['127.0.0.1', '::1']);
    const dial = dialer({ port, resolve, sleep });
    expect([await dial('four.example'), await dial('both.example')]).toEqual(['127.0.0.1', '::1']);
  });

  it('leave no connection open: losing ones are closed', async () => {
    await listen('::1', port);
    const { port: other, close } = await listen('::', 0, (socket) => void socket.resume());
    const resolve = () => Promise.resolve(['::1', '127.0.0.1', '127.0.0.2', '127.0.0.3']);
    await dialer({ port: other, resolve, sleep })('many.example');
    // An open connection would keep the server from closing, and the test from ending.
    await expect(close()).resolves.toBeUndefined();
  });

  it('that all fail are one failure', async () => {
    const resolve = () => Promise.resolve(['127.0.0.8', '127.0.0.9']);
    expect(await dialer({ port, resolve, sleep })('dead.example').catch(reasonOf)).toBe('unreachable');
  });
});

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

it('an attempt to connect that is aborted leaves no connection', async () => {
  const open = new Set<net.Socket>();
  const { port } = await listen('127.0.0.1', 0, (socket) => {
    open.add(socket);
    socket.on('close', () => open.delete(socket));
  });
  onTestFinished(() => {
    for (const socket of open) socket.destroy();
  });
  const controller = new AbortController();
  const attempt = connect('127.0.0.1', port, controller.signal);
  controller.abort();
  await expect(attempt).rejects.toMatchObject({ reason: 'timeout' });
  // Connections arrive in their order.
  const next = await connect('127.0.0.1', port, new AbortController().signal);
  await expect.poll(() => [...open].map(({ remotePort }) => remotePort)).toEqual([next.localPort]);
});
