import { expect, it } from 'vitest';
import { rootObject } from '../../test/loopback-world.ts';
import { ServerFault } from '../net/server-fault.ts';
import { createRoot } from './root.ts';
import { createRegistryTable } from './services.ts';
import { createLookUp } from './look-up.ts';

/** The clock stands still, so that a deadline is a share of the whole. */
const clock = { now: () => 0, monotonic: () => 0 };

it('the first server leaves time for the next ones', async () => {
  const deadlines: [string, number][] = [];
  const root = createRoot({
    clock,
    gate: {
      run: ({ deadline }, call) => {
        deadlines.push(['root', deadline]);
        return call(new AbortController().signal);
      },
      pauseServer: () => undefined,
      resume: () => undefined,
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
