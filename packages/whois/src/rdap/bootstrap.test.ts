import { describe, expect, it } from 'vitest';
import bundled from '../look-up/data/rdap-bootstrap.json' with { type: 'json' };
import { readBootstrap } from './bootstrap.ts';

const file = (...services: unknown[]) => ({ publication: '2026-11-01T00:00:00Z', version: '1.0', services });

describe('the RDAP bootstrap', () => {
  it('finds the server of the longest zone that ends the name, label by label', () => {
    const { basesFor } = readBootstrap(
      file([['test'], ['https://tld.example/']], [['co.test', 'org.test'], ['https://second.example/rdap']]),
    );
    expect(basesFor('a.test')).toEqual(['https://tld.example/']);
    expect(basesFor('a.b.co.test')).toEqual(['https://second.example/rdap/']);
    expect(basesFor('a.notco.test')).toEqual(['https://tld.example/']);
    expect(basesFor('co.test')).toEqual(['https://second.example/rdap/']);
    expect(basesFor('a.other')).toEqual([]);
  });

  it('finds a zone in any case', () => {
    const { basesFor } = readBootstrap(file([['TEST', 'XN--P1AI'], ['https://tld.example/']]));
    expect([basesFor('a.test'), basesFor('a.xn--p1ai')]).toEqual(Array(2).fill(['https://tld.example/']));
  });

  it('prefers https', () => {
    const { basesFor } = readBootstrap(file([['test'], ['http://a.example/', 'https://b.example/']]));
    expect(basesFor('a.test')).toEqual(['https://b.example/', 'http://a.example/']);
  });

  it('drops invalid base URLs', () => {
    const urls = [
      'ftp://a.example/',
      'nonsense',
      'https://user@b.example/',
      'https://c.example/?q',
      'https://d.example/',
    ];
    expect(readBootstrap(file([['test'], urls])).basesFor('a.test')).toEqual(['https://d.example/']);
  });

  it.each([
    [null],
    [{}],
    [{ publication: '', services: [] }],
    [file([['test'], ['nonsense']])],
    [{ services: [['a']] }],
  ])('is rejected if it is not a bootstrap: %j', (json) => {
    expect(() => readBootstrap(json)).toThrow();
  });

  it('that is bundled has 1,200 TLDs and its date of publication', () => {
    const { publication, basesFor } = readBootstrap(bundled);
    expect(publication).toBe('2026-07-23T02:00:03Z');
    expect(basesFor('example.app')).toEqual(['https://pubapi.registry.google/rdap/']);
    expect(basesFor('example.kg')).toEqual(['http://rdap.cctld.kg/']);
    expect(basesFor('example.de')).toEqual([]);
  });
});
