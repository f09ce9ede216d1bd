import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { ConfigError, readConfig } from '@mokuroku/kit/process';
import { temporaryFolder } from '../../../../test/temporary-folder.ts';
import { REGISTRATION_CONFIG, lookUpSettings } from './config.ts';

const folder = temporaryFolder();

const settings = (environment: Record<string, string>) =>
  lookUpSettings(readConfig(REGISTRATION_CONFIG, environment));

function faultsOf(environment: Record<string, string>): readonly string[] {
  try {
    settings(environment);
  } catch (error) {
    if (error instanceof ConfigError) return error.faults;
    throw error;
  }
  return [];
}

describe('the settings of look-ups', () => {
  it('are the sample on loopback by default, with a timeout of ten seconds', () => {
    expect(readConfig(REGISTRATION_CONFIG, {})).toMatchObject({
      HOST: '127.0.0.1',
      REGISTRATION_PORT: 3_001,
      REGISTRATION_SOURCE: 'sample',
      RATE_LIMIT: 60,
    });
    expect(settings({})).toMatchObject({
      whoisRoot: { host: 'whois.iana.org', port: 43 },
      rdapBootstrap: {},
      timeoutMs: 10_000,
      concurrentPerRegistry: 2,
      allowedCidrs: [],
    });
  });

  it.each([
    ['me@example.org', / \(domain registration lookup; contact: me@example\.org\)$/],
    ['https://example.org/me', /; contact: https:\/\/example\.org\/me\)$/],
    ['私@example.org', / \(domain registration lookup\)$/],
  ])('tell RDAP servers the contact %s, if a header can have it', (OPERATOR_CONTACT, expected) => {
    expect(settings({ OPERATOR_CONTACT }).userAgent).toMatch(expected);
  });

  it('map server names and allow address ranges', () => {
    const { hostMap, allowedCidrs, whoisRoot } = settings({
      WHOIS_ROOT: '127.0.0.1:4343',
      HOST_MAP: 'whois.nic.test=127.0.0.1:5000, RDAP.nic.test=[::1]:6000',
      ALLOWED_CIDRS: '127.0.0.0/8,::1',
    });
    expect(whoisRoot).toEqual({ host: '127.0.0.1', port: 4_343 });
    expect([...hostMap]).toEqual([
      ['whois.nic.test', { host: '127.0.0.1', port: 5_000 }],
      ['rdap.nic.test', { host: '::1', port: 6_000 }],
    ]);
    expect(allowedCidrs).toEqual(['127.0.0.0/8', '::1']);
  });

  it('show no password of RDAP_BOOTSTRAP in a fault', () => {
    for (const given of ['http://user:s3cret@a b/', 'ftp://user:s3cret@host/dns.json']) {
      const faults = faultsOf({ REGISTRATION_SOURCE: 'live', RDAP_BOOTSTRAP: given }).join();
      expect(faults).toContain('RDAP_BOOTSTRAP=');
      expect(faults).not.toContain('s3cret');
    }
  });

  it('read the RDAP bootstrap from a URL or a file', () => {
    const file = path.join(folder, 'dns.json');
    const json = { publication: '2026-11-01T00:00:00Z', services: [[['test'], ['https://rdap.example/']]] };
    writeFileSync(file, JSON.stringify(json));
    expect(settings({ REGISTRATION_SOURCE: 'live', RDAP_BOOTSTRAP: file }).rdapBootstrap).toEqual({
      json,
    });
    expect(
      settings({ REGISTRATION_SOURCE: 'live', RDAP_BOOTSTRAP: 'http://127.0.0.1:1/d.json' }).rdapBootstrap,
    ).toEqual({
      url: 'http://127.0.0.1:1/d.json',
    });
  });

  it('that are invalid are all named at once', () => {
    const faults = faultsOf({
      REGISTRATION_PORT: '70000',
      REGISTRATION_SOURCE: 'alive',
      WHOIS_ROOT: 'whois.iana.org',
      HOST_MAP: 'a=b,whois.nic.test=127.0.0.1:5000',
      ALLOWED_CIDRS: '127.0.0.1/33',
      TRUSTED_PROXIES: '1',
      RATE_LIMIT: '-1',
    });
    expect(faults.map((fault) => fault.slice(0, fault.indexOf('=')))).toEqual([
      'REGISTRATION_PORT',
      'REGISTRATION_SOURCE',
      'WHOIS_ROOT',
      'HOST_MAP',
      'ALLOWED_CIDRS',
      'TRUSTED_PROXIES',
      'RATE_LIMIT',
    ]);
  });

  it('name a range that the guard of addresses cannot read', () => {
    expect(faultsOf({ ALLOWED_CIDRS: 'fe80::1%eth0' })).toEqual([
      expect.stringContaining('such as 10.0.0.0/8'),
    ]);
  });

  it.each(['missing.json', 'broken.json', 'empty.json'])('name an unusable bootstrap file: %s', (name) => {
    writeFileSync(path.join(folder, 'broken.json'), '{');
    writeFileSync(path.join(folder, 'empty.json'), '{"publication":"","services":[]}');
    const faults = faultsOf({ REGISTRATION_SOURCE: 'live', RDAP_BOOTSTRAP: path.join(folder, name) });
    expect(faults).toHaveLength(1);
    expect(faults[0]).toContain('RDAP_BOOTSTRAP');
  });

  it.each([
    ['https://[bad/dns.json', 'is not a URL that can be read'],
    ['mirror-of-http://[bad/dns.json', 'must be a URL or a file'],
  ])('name a bootstrap that is neither a URL nor a file: %s', (urlOrFile, reason) => {
    const faults = faultsOf({ REGISTRATION_SOURCE: 'live', RDAP_BOOTSTRAP: urlOrFile });
    expect(faults).toEqual([expect.stringMatching(`^RDAP_BOOTSTRAP="[^"]+": ${reason}`)]);
  });
});
