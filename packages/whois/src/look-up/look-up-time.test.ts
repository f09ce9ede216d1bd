import net from 'node:net';
import { describe, expect, it, vi } from 'vitest';
import { record, rootObject } from '../../test/loopback-world.ts';
import { ServerHealth } from '@mokuroku/kit/server-health';
import { NIC, errorOf, listen, listenHttp, open, openRegistry, outcomes } from '../../test/opened-world.ts';
import { stopTimers } from '../../../../test/stop-timers.ts';
import { recordOf } from '../../test/rdap-world.ts';
import { ServerFault } from '../net/server-fault.ts';
import { Reach } from './hops.ts';
import { createLookUp } from './look-up.ts';
import { createRoot } from './root.ts';
import { createRegistryTable } from './services.ts';

/** A clock that only advances when a test says so, in addition to the real time. */
function skippingClock() {
  let skipped = 0;
  return {
    now: () => Date.now() + skipped,
    monotonic: () => performance.now() + skipped,
    skip: (seconds: number) => void (skipped += seconds * 1_000),
  };
}

describe('the time of a look-up', () => {
  const com = {
    'whois.verisign-grs.com': (query: string, socket: net.Socket) =>
      socket.end(record(query.replace('domain ', ''))),
  };

  it('is not used up by a bootstrap that does not respond', async () => {
    const pass = stopTimers();
    const port = await listen(
      net.createServer((socket) => socket.on('error', () => undefined).once('data', () => pass(10_000))),
    );
    const { lookUp } = await openRegistry(record('example.test'), {
      settings: { rdapBootstrap: { url: `http://127.0.0.1:${port}/dns.json` } },
    });
    expect((await lookUp('example.test')).whoisServer).toBe(NIC);
  });

  it('is not used up by a root that times out, which is not queried again for ten seconds', async () => {
    const clock = skippingClock();
    const pass = stopTimers();
    const { lookUp, queries } = await open({ root: () => pass(12_000), whois: com, clock });
    expect(outcomes((await lookUp('a.com')).hops)).toEqual([
      'root timeout',
      'whois.verisign-grs.com registered',
    ]);
    expect(outcomes((await lookUp('b.com')).hops)).toEqual(['whois.verisign-grs.com registered']);
    expect(await errorOf(lookUp('com'))).toMatchObject({ code: 'registry_unavailable' });
    clock.skip(8);
    await lookUp('c.com');
    expect(queries.filter((query) => query.startsWith('root'))).toHaveLength(1);
    clock.skip(2);
    await lookUp('d.com');
    expect(queries.filter((query) => query.startsWith('root'))).toHaveLength(2);
  });

  it.each([
    ['timeout', 'referral', 2, () => vi.advanceTimersByTime(12_000)],
    ['bad_answer', 'bad_answer', 3, (socket: net.Socket) => socket.destroy()],
  ])(
    'an expired cached answer of the root is used while it fails (%s, then %s)',
    async (first, then, count, fail) => {
      const clock = skippingClock();
      stopTimers();
      let isFailing = false;
      const { lookUp, queries } = await openRegistry((query, socket) => socket.end(record(query)), {
        root: (tld, socket) => (isFailing ? fail(socket) : socket.end(rootObject(tld, NIC))),
        clock,
      });
      await lookUp('a.test');
      isFailing = true;
      clock.skip(86_400);
      expect(outcomes((await lookUp('b.test')).hops)).toEqual([`root ${first}`, `${NIC} registered`]);
      expect(outcomes((await lookUp('c.test')).hops)).toEqual([`root ${then}`, `${NIC} registered`]);
      expect(queries.filter((query) => query === 'root test')).toHaveLength(count);
    },
  );

  it('an expired absence of the root is not used while it fails', async () => {
    const clock = skippingClock();
    let isFailing = false;
    const unknown = '% This query returned 0 objects.\n';
    const { lookUp } = await open({
      root: (tld, socket) =>
        isFailing ? socket.destroy() : socket.end(tld === 'aa' ? unknown : rootObject(tld, '')),
      clock,
    });
    const codes = async () => [(await errorOf(lookUp('b.aa'))).code, (await errorOf(lookUp('a.bb'))).code];
    expect(await codes()).toEqual(['unknown_tld', 'no_registry_service']);
    isFailing = true;
    expect(await codes()).toEqual(['unknown_tld', 'no_registry_service']);
    clock.skip(86_400);
    expect(await codes()).toEqual(['registry_unavailable', 'registry_unavailable']);
  });

  it('a server that timed out goes last for a minute, and first again as soon as it responds', async () => {
    const pass = stopTimers();
    let isSilent = true;
    let rdapStatus = 200;
    const port = await listenHttp((request, response) =>
      response.writeHead(rdapStatus).end(recordOf(request)),
    );
    const { lookUp } = await openRegistry(
      (query, socket) => (isSilent ? pass(18_000) : socket.end(record(query))),
      { rdap: { test: 'http://rdap.nic.test/' }, ports: { 'rdap.nic.test': port } },
    );
    const servers = async (name: string) => outcomes((await lookUp(name)).hops).slice(1);
    expect(await servers('a.test')).toEqual([`${NIC} timeout`, 'rdap.nic.test registered']);
    expect(await servers('b.test')).toEqual(['rdap.nic.test registered']);
    isSilent = false;
    rdapStatus = 500;
    expect(await servers('c.test')).toEqual(['rdap.nic.test HTTP 500', `${NIC} registered`]);
    expect(await servers('d.test')).toEqual([`${NIC} registered`]);
  });
});

it('the first server leaves time for the next ones', async () => {
  // It stands still, so that a deadline is a share of the whole.
  const clock = { now: () => 0, monotonic: () => 0 };
  const deadlines: [string, number][] = [];
  const root = createRoot({
    clock,
    gate: {
      run: ({ deadline }, call) => {
        deadlines.push(['root', deadline]);
        return call(new AbortController().signal);
      },
      healthOf: () => new ServerHealth(clock),
    },
    queryWhois: (_endpoint, tld) => Promise.resolve(Buffer.from(rootObject(tld, 'whois.nic.test'))),
    endpoint: { host: 'whois.iana.org', port: 43 },
  });
  const lookUp = createLookUp({
    clock,
    log: () => undefined,
    root,
    table: createRegistryTable({
      date: '2026-08-08',
      listDates: { whois: '2026-02-16', rdap: '2026-08-08' },
      whois: {},
      zones: {},
      controls: {},
    }),
    bootstrap: {
      currentBasesFor: (_name, deadline) => {
        deadlines.push(['bootstrap', deadline]);
        return Promise.resolve(['https://rdap.nic.test/']);
      },
      current: () => ({ bootstrap: { publication: '', zones: [], basesFor: () => [] }, isOwn: false }),
      about: () => ({ source: 'bundled', publication: '' }),
      stop: () => undefined,
    },
    servers: {
      query: (_context, _role, { protocol }, deadline) => {
        deadlines.push([protocol, deadline]);
        return Promise.reject(new ServerFault('unreachable'));
      },
      queryAlone: () => Promise.reject(new ServerFault('unreachable')),
      deprioritizeTimedOut: (services) => services,
    },
    timeoutMs: 1_000,
    protocols: 'both',
    verifyDenial: (answer) => Promise.resolve(answer),
    observeHop: () => undefined,
    reach: new Reach(() => undefined),
    unknownTldHint: '',
  });
  const name = { spelling: 'example.test', name: 'example.test', tld: 'test', zone: 'test' };
  await expect(lookUp(name, 'registry')).rejects.toMatchObject({ code: 'registry_unavailable' });
  expect(deadlines).toEqual([
    ['root', 400],
    ['bootstrap', 300],
    ['whois', 600],
    ['rdap', 1_000],
  ]);
});
