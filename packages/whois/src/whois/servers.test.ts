import { describe, expect, it } from 'vitest';
import { queryFor, spacingOf } from './servers.ts';

describe('the query form of a server', () => {
  it.each([
    ['whois.verisign-grs.com', 'domain example.com'],
    ['ccwhois.verisign-grs.com', 'domain example.com'],
    ['whois.denic.de', '-T dn,ace example.com'],
    ['whois.punktum.dk', '--show-handles --charset=utf-8 example.com'],
    ['whois.jprs.jp', 'example.com/e'],
    ['whois.nic.name', 'domain=example.com'],
    ['whois.norid.no', '-c utf-8 example.com'],
    ['whois.museum', '-C UTF-8 example.com'],
    ['whois.nic.example', 'example.com'],
  ])('%s: %s', (server, query) => {
    expect(queryFor(server, 'example.com')).toBe(query);
  });

  it('a registry with a stated limit is queried no faster', () => {
    expect(spacingOf('whois.domain-registry.nl')).toBe(1_000);
    expect(spacingOf('whois.hkirc.hk')).toBe(10_000);
    expect(spacingOf('whois.nic.example')).toBeUndefined();
  });
});
