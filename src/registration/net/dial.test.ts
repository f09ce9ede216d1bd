import net from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../process/clock.ts';
import { createAddressGuard } from './address-guard.ts';
import { connected, createDialer } from './dial.ts';
import type { ResolveHost } from './dial.ts';
import type { HostMap } from './host-map.ts';
import { toRegistryFault } from '../look-up/registry-fault.ts';

/** Listens on every address of the machine: what gets past the guard arrives here. */
let canary: net.Server;
let port = 0;
let arrived: string[] = [];

beforeEach(async () => {
  arrived = [];
  canary = net.createServer((socket) => {
    arrived.push(socket.localAddress ?? '');
    socket.on('error', () => undefined);
    socket.end();
  });
  await new Promise<void>((done) => canary.listen({ host: '::', port: 0 }, done));
  port = (canary.address() as net.AddressInfo).port;
});

afterEach(async () => {
  await new Promise((done) => canary.close(done));
});

function dialer(options: { allowed?: string[]; resolve?: ResolveHost; hostMap?: HostMap }) {
  const dial = createDialer({
    clock: systemClock,
    guard: createAddressGuard(options.allowed ?? []),
    hostMap: options.hostMap ?? new Map(),
    resolve: options.resolve ?? (() => Promise.resolve([])),
  });
  return async (host: string) =>
    connected(await dial({ host, port }, systemClock.monotonic() + 2_000), 2_000);
}

const reasonOf = (error: unknown) => toRegistryFault(error).reason;

/** Addresses that reach this machine when nobody stops them. */
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
  it.each(LOCAL)('never go to %s, whether resolved, mapped or given', async (address) => {
    const resolved = dialer({ resolve: () => Promise.resolve([address]) })('whois.evil.example');
    const mapped = dialer({ hostMap: new Map([['whois.evil.example', { host: address, port }]]) })(
      'whois.evil.example',
    );
    const given = dialer({})(address);
    expect(await Promise.all([resolved, mapped, given].map((dialled) => dialled.catch(reasonOf)))).toEqual([
      'forbidden_address',
      'forbidden_address',
      'forbidden_address',
    ]);
    expect(arrived).toEqual([]);
  });

  it('go there when the operator allows the range', async () => {
    const socket = await dialer({ allowed: ['127.0.0.0/8'], resolve: () => Promise.resolve(['127.0.0.2']) })(
      'a.example',
    );
    socket.destroy();
    await new Promise(setImmediate);
    expect(arrived).toEqual(['::ffff:127.0.0.2']);
  });

  it('go to the address that was judged: a name that changes its answer gains nothing', async () => {
    const answers = [['127.0.0.1'], ['127.0.0.2'], ['127.0.0.2']];
    const resolve = () => Promise.resolve(answers.shift() ?? []);
    const dial = dialer({ allowed: ['127.0.0.1/32'], resolve });
    (await dial('rebinding.example')).destroy();
    await expect(dial('rebinding.example').catch(reasonOf)).resolves.toBe('forbidden_address');
    expect(answers).toHaveLength(1);
    expect(arrived).toEqual(['::ffff:127.0.0.1']);
  });

  it('skip the special addresses of a host that has good ones too', async () => {
    const resolve = () => Promise.resolve(['10.0.0.1', '::1', '127.0.0.1']);
    (await dialer({ allowed: ['127.0.0.1/32'], resolve })('mixed.example')).destroy();
    await new Promise(setImmediate);
    expect(arrived).toEqual(['::ffff:127.0.0.1']);
  });

  it('try the next address when one does not accept', async () => {
    await new Promise((done) => canary.close(done));
    await new Promise<void>((done) => canary.listen({ host: '127.0.0.1', port }, done));
    const resolve = () => Promise.resolve(['::1', '127.0.0.3', '127.0.0.1']);
    (await dialer({ allowed: ['127.0.0.0/8', '::1/128'], resolve })('some-dead.example')).destroy();
    await new Promise(setImmediate);
    expect(arrived).toEqual(['127.0.0.1']);
  });

  it('fail by name: no address, no such host, nobody listening, no time', async () => {
    const noSuchHost = () => Promise.reject(Object.assign(new Error('ENOTFOUND'), { code: 'ENOTFOUND' }));
    await expect(dialer({})('empty.example').catch(reasonOf)).resolves.toBe('unreachable');
    await expect(dialer({ resolve: noSuchHost })('none.example').catch(reasonOf)).resolves.toBe(
      'unreachable',
    );
    await new Promise((done) => canary.close(done));
    await expect(dialer({ allowed: ['127.0.0.1/32'] })('127.0.0.1').catch(reasonOf)).resolves.toBe(
      'unreachable',
    );
    await new Promise<void>((done) => canary.listen({ host: '::', port }, done));
    const never = createDialer({
      clock: systemClock,
      guard: createAddressGuard([]),
      hostMap: new Map(),
      resolve: () => new Promise(() => undefined),
    });
    const slow = never({ host: 'slow.example', port }, systemClock.monotonic() + 20);
    await expect(slow.catch(reasonOf)).resolves.toBe('timeout');
  });
});
