import { describe, expect, it } from 'vitest';
import { answers, clientOver } from '../../test/client-world.ts';
import { createLookUpClient, zoneOf } from '../index.ts';

/** A client that can reach nothing. */
const offline = (options: object = {}) =>
  createLookUpClient({
    connect: () => Promise.reject(new Error('offline')),
    rdapBootstrap: 'bundled',
    ...options,
  });

describe('what is known of a name without a query', () => {
  it.each([
    ['https://www.example.com/a', 'example.com', 'com', ['whois root', 'rdap bootstrap']],
    ['WWW.Example.co.uk.', 'example.co.uk', 'uk', ['rdap bootstrap', 'whois list']],
    ['a.b.uk.com', 'b.uk.com', 'uk.com', ['whois list', 'rdap list']],
    ['例え.みんな', 'xn--r8jz45g.xn--q9jyb4c', 'xn--q9jyb4c', ['rdap bootstrap']],
    ['com', 'com', 'com', ['whois root', 'rdap bootstrap']],
    ['a.nosuchtld', 'a.nosuchtld', 'nosuchtld', []],
  ])('%s', (given, name, zone, services) => {
    const known = zoneOf(given);
    expect(known).toMatchObject({ name, zone });
    expect(known.services.map(({ protocol, source }) => `${protocol} ${source}`)).toEqual(services);
  });

  it.each([
    // WHOIS never states one, and no RDAP server is asked for it.
    ['a.de', 'no'],
    ['a.com', 'yes'],
    // The WHOIS text never states one, but the RDAP server that IANA lists may.
    ['a.nl', 'unknown'],
    ['a.nosuchtld', 'unknown'],
  ])('whether an expiry is published: %s %s', (name, expected) => {
    expect(offline().zoneOf(name).publishes.expirationDate).toBe(expected);
  });

  it('says that a server of the settings answers for an expiry over RDAP', () => {
    const servers = { de: { whois: 'whois.denic.de', rdap: 'https://rdap.nic.example/' } };
    expect(offline({ servers }).zoneOf('a.de').publishes.expirationDate).toBe('unknown');
  });

  it('makes no query, and throws as a look-up rejects', async () => {
    const { zoneOf: ofClient, queries } = await clientOver(answers);
    expect(ofClient('a.test').name).toBe('a.test');
    expect(queries).toEqual([]);
    expect(() => zoneOf('a b.com')).toThrow(expect.objectContaining({ code: 'invalid_domain' }));
    expect(() => zoneOf(7 as never)).toThrow(TypeError);
  });
});
