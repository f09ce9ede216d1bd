import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { printBootstrap, printRootZone, recogniseRegistryFile } from '../../../scripts/registry-data.ts';
import { builtInTable } from '../src/look-up/services.ts';

const data = (name: string) =>
  readFileSync(path.join(import.meta.dirname, '../src/look-up/data', name), 'utf8');

describe('the built-in facts about registries', () => {
  it('are written back unchanged, so that a refresh changes only what differs', () => {
    const zone = recogniseRegistryFile(JSON.parse(data('root-zone.json')));
    const bootstrap = recogniseRegistryFile(JSON.parse(data('rdap-bootstrap.json')));
    if (zone.kind !== 'root-zone' || bootstrap.kind !== 'bootstrap') throw new Error('not recognised');
    expect(printRootZone(zone.whois, '2026-08-08')).toBe(data('root-zone.json'));
    expect(printBootstrap(bootstrap.json)).toBe(data('rdap-bootstrap.json'));
  });

  it('can be read from a plain table of servers', () => {
    const given = {
      com: 'whois.nic.example',
      services: '',
      LIVE: '',
      de: { host: 'Whois.DENIC.example', query: '-T dn %s' },
      uk: null,
    };
    expect(recogniseRegistryFile(given)).toEqual({
      kind: 'root-zone',
      whois: new Map([
        ['com', 'whois.nic.example'],
        ['services', null],
        ['live', null],
        ['de', 'whois.denic.example'],
        ['uk', null],
      ]),
    });
  });

  it.each([
    [null],
    [[]],
    [{}],
    [{ services: [] }],
    [{ 'a b': 'whois.nic.example', com: '' }],
    [{ com: 'not a host', net: '' }],
    [{ com: 7, net: '' }],
  ])('reject %j', (json) => {
    expect(() => recogniseRegistryFile(json)).toThrow();
  });

  it('contain servers, zones with their own registry, and zones without any', () => {
    expect(builtInTable.rootWhois.get('com')).toBe('whois.verisign-grs.com');
    expect(builtInTable.rootWhois.get('live')).toBeNull();
    expect(builtInTable.rootWhois.get('nowhere')).toBeUndefined();
    expect(builtInTable.hasOwnRegistry('uk.com')).toBe(true);
    expect(builtInTable.hasOwnRegistry('com')).toBe(false);
    expect(builtInTable.hasOwnRegistry('co.uk')).toBe(false);
    expect(builtInTable.facts.get('de')).toEqual({ rdap: 'https://rdap.denic.de/' });
    expect(builtInTable.facts.get('va')).toBeUndefined();
    expect(builtInTable.facts.get('ph')?.web).toBe('https://whois.dot.ph/');
  });

  it('state their source and date', () => {
    for (const { source, date } of (
      JSON.parse(data('registry-facts.json')) as { sources: Record<string, string>[] }
    ).sources) {
      expect(source).not.toBe('');
      expect(date).toMatch(/^\d{4}-\d\d-\d\d$/);
    }
  });
});
