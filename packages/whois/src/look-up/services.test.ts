import { describe, expect, it } from 'vitest';
import { ServerFault } from '../net/server-fault.ts';
import type { RootAnswer } from './root.ts';
import { createRegistryTable, registryOf } from './services.ts';

const table = createRegistryTable({
  date: '2026-08-08',
  listDates: { whois: '2026-02-16', rdap: '2026-08-08' },
  whois: { test: 'whois.then.test' },
  controls: {},
  zones: {
    own: { whois: 'whois.table.own', rdap: 'https://rdap.table.own/', web: 'https://table.example/' },
    'second.test': { whois: 'whois.second.test', rdap: 'https://rdap.second.test/' },
  },
});
const name = (tld: string, zone = tld) => ({ spelling: '', name: `example.${zone}`, tld, zone });
const root = (host?: string, website?: string): RootAnswer => ({
  outcome: host === undefined ? 'no_referral' : 'referral',
  endpoint: host === undefined ? undefined : { host, port: 43 },
  website,
});
const silent = new ServerFault('timeout');
const whois = (host: string, source: string) => ({ protocol: 'whois', source, endpoint: { host, port: 43 } });
const rdap = (base: string, source: string) => ({ protocol: 'rdap', source, base });
const LISTED = 'https://rdap.listed.test/';

describe('the services of a registry', () => {
  it.each([
    [
      'the WHOIS server of the root, then RDAP of the bootstrap',
      'test',
      root('whois.nic.test'),
      [LISTED],
      [whois('whois.nic.test', 'root'), rdap(LISTED, 'bootstrap')],
    ],
    ['RDAP alone where the root names no server', 'test', root(), [LISTED], [rdap(LISTED, 'bootstrap')]],
    [
      'RDAP of the bootstrap before the WHOIS server of the table',
      'own',
      root(),
      [LISTED],
      [rdap(LISTED, 'bootstrap'), whois('whois.table.own', 'list')],
    ],
    [
      'those of the built-in list, which IANA does not name',
      'own',
      root(),
      [],
      [whois('whois.table.own', 'list'), rdap('https://rdap.table.own/', 'list')],
    ],
    [
      'the WHOIS server that a silent root named before',
      'test',
      silent,
      [],
      [whois('whois.then.test', 'root')],
    ],
    ['none', 'test', root(), [], []],
  ])('are %s', (_, tld, answer, bases, expected) => {
    expect(registryOf(name(tld), answer, table, bases).services).toEqual(expected);
  });

  it('of a zone with its own registry are that registry only', () => {
    expect(registryOf(name('test', 'second.test'), root(), table, []).services).toEqual([
      whois('whois.second.test', 'list'),
      rdap('https://rdap.second.test/', 'list'),
    ]);
  });

  it('include the web page that the root or the table names', () => {
    const websiteOf = (
      ...[of, answer, from]: [Parameters<typeof registryOf>[0], RootAnswer | ServerFault, typeof table]
    ) => registryOf(of, answer, from, []).website;
    expect(websiteOf(name('own'), root('whois.nic.own', 'https://root.example/'), table)).toBe(
      'https://root.example/',
    );
    expect(websiteOf(name('own'), root(), table)).toBe('https://table.example/');
    expect(websiteOf(name('own'), silent, table)).toBe('https://table.example/');
    expect(websiteOf(name('test'), root(), table)).toBeUndefined();
    const web = (address: string) => ({ web: address });
    const both = createRegistryTable({
      date: '2026-08-08',
      listDates: { whois: '2026-02-16', rdap: '2026-08-08' },
      whois: {},
      controls: {},
      zones: { test: web('https://tld.example/'), 'second.test': web('https://second.example/') },
    });
    expect(websiteOf(name('test', 'second.test'), root(), both)).toBe('https://second.example/');
    expect(websiteOf(name('test', 'third.test'), root(), both)).toBe('https://tld.example/');
  });
});
