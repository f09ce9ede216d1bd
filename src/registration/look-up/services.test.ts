import { describe, expect, it } from 'vitest';
import { ServerFault } from '../net/server-fault.ts';
import type { RootAnswer } from './root.ts';
import { createRegistryTable, registryServices, websiteOf } from './services.ts';

const table = createRegistryTable({
  date: '2026-08-08',
  whois: { test: 'whois.then.test' },
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
const whois = (host: string) => ({ protocol: 'whois', endpoint: { host, port: 43 } });
const rdap = (base: string, isListed: boolean) => ({ protocol: 'rdap', url: `${base}domain/`, isListed });
const LISTED = 'https://rdap.listed.test/';

/** The services, the RDAP URL without the name. */
const services = (...given: Parameters<typeof registryServices>) =>
  registryServices(...given).map((service) =>
    service.protocol === 'rdap' ? { ...service, url: service.url.replace(given[0].name, '') } : service,
  );

describe('the services of a registry', () => {
  it.each([
    [
      'the WHOIS server of the root, then RDAP of the bootstrap',
      'test',
      root('whois.nic.test'),
      [LISTED],
      [whois('whois.nic.test'), rdap(LISTED, true)],
    ],
    ['RDAP alone where the root names no server', 'test', root(), [LISTED], [rdap(LISTED, true)]],
    [
      'RDAP of the bootstrap before the WHOIS server of the table',
      'own',
      root(),
      [LISTED],
      [rdap(LISTED, true), whois('whois.table.own')],
    ],
    [
      'those of the table, whose RDAP server IANA does not list',
      'own',
      root(),
      [],
      [whois('whois.table.own'), rdap('https://rdap.table.own/', false)],
    ],
    ['the WHOIS server that a silent root named before', 'test', silent, [], [whois('whois.then.test')]],
    ['none', 'test', root(), [], []],
  ])('are %s', (_, tld, answer, bases, expected) => {
    expect(services(name(tld), answer, table, bases)).toEqual(expected);
  });

  it('of a zone with its own registry are that registry only', () => {
    expect(services(name('test', 'second.test'), undefined, table, [])).toEqual([
      whois('whois.second.test'),
      rdap('https://rdap.second.test/', false),
    ]);
  });

  it('include the web page that the root or the table names', () => {
    expect(websiteOf(name('own'), root('whois.nic.own', 'https://root.example/'), table)).toBe(
      'https://root.example/',
    );
    expect(websiteOf(name('own'), root(), table)).toBe('https://table.example/');
    expect(websiteOf(name('own'), silent, table)).toBe('https://table.example/');
    expect(websiteOf(name('own'), undefined, table)).toBe('https://table.example/');
    expect(websiteOf(name('test'), root(), table)).toBeUndefined();
    const web = (address: string) => ({ web: address });
    const both = createRegistryTable({
      date: '2026-08-08',
      whois: {},
      zones: { test: web('https://tld.example/'), 'second.test': web('https://second.example/') },
    });
    expect(websiteOf(name('test', 'second.test'), undefined, both)).toBe('https://second.example/');
    expect(websiteOf(name('test', 'third.test'), undefined, both)).toBe('https://tld.example/');
  });
});
