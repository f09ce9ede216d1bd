/** One invented registration. Nobody owns these names outside this sample. */
export interface SampleDomain {
  /** A-labels, lower case. */
  name: string;
  registrar: string;
  /** The registrar's WHOIS server, if any. */
  registrarServer?: string;
  /** UTC instants. */
  created: string;
  expires: string;
  updated: string;
  nameServers: string[];
  /** EPP codes. */
  status: string[];
  /** Reserved by the registry, without a registrant. */
  reserved?: true;
}

const NAME_SERVERS = ['ns1.hosting.example', 'ns2.hosting.example'];

function invented(name: string, year: number, more: Partial<SampleDomain> = {}): SampleDomain {
  return {
    name,
    registrar: 'Kamome Names (sample)',
    created: `${year}-04-09T01:30:00Z`,
    expires: '2031-04-09T01:30:00Z',
    updated: '2026-03-02T08:15:42Z',
    nameServers: NAME_SERVERS,
    status: ['clientTransferProhibited'],
    ...more,
  };
}

export const SAMPLE_DOMAINS: readonly SampleDomain[] = [
  invented('example.com', 1999, { registrarServer: 'whois.registrar.example' }),
  invented('mokuroku-sample.com', 2021, {
    registrarServer: 'whois.registrar.example',
    status: ['clientDeleteProhibited', 'clientTransferProhibited', 'serverHold'],
    nameServers: ['ns.mokuroku-sample.com', ...NAME_SERVERS],
  }),
  invented('dead-registrar-sample.com', 2015, { registrarServer: 'whois.gone.example' }),
  invented('example.net', 2001),
  invented('example.org', 2003, { status: ['ok'], registrar: 'Shirasagi Registrar (sample)' }),
  invented('reserved-sample.org', 2003, { reserved: true }),
  invented('example.jp', 2005, { status: ['Active'] }),
  // 見本.jp, "sample"
  invented('xn--8pvz87e.jp', 2012, { status: ['Active'] }),
  invented('example.de', 2008, { status: ['connect'] }),
  // straßenbeispiel.de
  invented('xn--straenbeispiel-3fb.de', 2014, { status: ['connect'] }),
  invented('example.app', 2019, { registrar: 'Tsubame Domains (sample)' }),
  invented('example.co.uk', 2000, { registrar: 'Lapwing Names (sample)', status: ['ok'] }),
  invented('example.closed', 2017),
];

/** A zone of the sample: its registry, and its entry at the root. */
export interface SampleZone {
  tld: string;
  organisation: string;
  /** Host name of the registry's WHOIS server; absent if the root's line is blank. */
  whois?: string;
  hasRdap?: true;
  website?: string;
}

export const SAMPLE_ZONES: readonly SampleZone[] = [
  { tld: 'com', organisation: 'Thin Registry (sample)', whois: 'whois.verisign-grs.com' },
  { tld: 'net', organisation: 'Thin Registry (sample)', whois: 'whois.verisign-grs.com' },
  { tld: 'org', organisation: 'Thick Registry (sample)', whois: 'whois.publicinterestregistry.org' },
  { tld: 'jp', organisation: 'Registry with Japanese text (sample)', whois: 'whois.jprs.jp' },
  { tld: 'de', organisation: 'Registry with options (sample)', whois: 'whois.denic.de' },
  { tld: 'app', organisation: 'Registry with RDAP only (sample)', hasRdap: true },
  { tld: 'uk', organisation: 'Registry with RDAP only (sample)', hasRdap: true },
  {
    tld: 'closed',
    organisation: 'Registry that refuses WHOIS (sample)',
    whois: 'whois.nic.closed',
    hasRdap: true,
  },
  { tld: 'busy', organisation: 'Registry that throttles (sample)', whois: 'whois.nic.busy' },
  { tld: 'slow', organisation: 'Registry that drips (sample)', whois: 'whois.nic.slow' },
  { tld: 'broken', organisation: 'Registry that breaks off (sample)', whois: 'whois.nic.broken' },
  {
    tld: 'silent',
    organisation: 'Registry without services (sample)',
    website: 'https://registry.example/silent',
  },
];
