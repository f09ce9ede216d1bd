import type { SampleDomain } from './sample-domains.ts';

/** The form of a registry's records and denials, as lines. */
export interface WhoisForm {
  record(domain: SampleDomain): string[];
  notFound(name: string): string[];
}

const EPP = 'https://icann.org/epp#';
const SAMPLE_TERMS = [
  '>>> Last update of WHOIS database: 2026-11-01T00:00:00Z <<<',
  '',
  'TERMS OF USE: this is an invented registry. Its records are for tests alone.',
];

function eppLines(domain: SampleDomain): string[] {
  return [
    ...domain.status.map((status) => `Domain Status: ${status} ${EPP}${status}`),
    ...domain.nameServers.map((host) => `Name Server: ${host.toUpperCase()}`),
    'DNSSEC: unsigned',
  ];
}

/** The form of a thin registry, without contacts: indented lines, and the WHOIS server of the registrar. */
export const thinForm: WhoisForm = {
  record: (domain) => [
    ...[
      `Domain Name: ${domain.name.toUpperCase()}`,
      'Registry Domain ID: 0000000_DOMAIN_SAMPLE',
      `Registrar WHOIS Server: ${domain.registrarServer ?? ''}`,
      'Registrar URL: http://registrar.example',
      `Updated Date: ${domain.updated}`,
      `Creation Date: ${domain.created}`,
      `Registry Expiry Date: ${domain.expires}`,
      `Registrar: ${domain.registrar}`,
      'Registrar IANA ID: 9999',
      ...eppLines(domain),
    ].map((line) => `   ${line}`),
    ...SAMPLE_TERMS,
  ],
  notFound: (name) => [`No match for "${name.toUpperCase()}".`, ...SAMPLE_TERMS],
};

/** The form of a thick registry: with contacts, between the registrar and the name servers. */
export const thickForm: WhoisForm = {
  record: (domain) => [
    `Domain Name: ${domain.name}`,
    'Registry Domain ID: REDACTED',
    `Updated Date: ${domain.updated}`,
    `Creation Date: ${domain.created}`,
    `Registry Expiry Date: ${domain.expires}`,
    `Registrar: ${domain.registrar}`,
    `Registrar WHOIS Server: ${domain.registrarServer ?? ''}`,
    'Registrant Organization: Sample Organisation',
    'Registrant Country: JP',
    'Registrant Email: REDACTED',
    ...eppLines(domain),
    ...SAMPLE_TERMS,
  ],
  notFound: () => ['Domain not found.', ...SAMPLE_TERMS],
};

/** The registrar of the thin registry: the same registration in another form, with one more contact. */
export const registrarForm: WhoisForm = {
  record: (domain) => [
    `Domain Name: ${domain.name}`,
    `Registrar WHOIS Server: ${domain.registrarServer ?? ''}`,
    `Updated Date: ${domain.updated}`,
    `Creation Date: ${domain.created}`,
    `Registrar Registration Expiration Date: ${domain.expires}`,
    `Registrar: ${domain.registrar}`,
    'Reseller: Sample Reseller',
    'Registrant Organization: Sample Organisation',
    'Registrant Country: JP',
    ...eppLines(domain),
  ],
  notFound: (name) => [`No match for ${name}.`],
};

/** Tokyo time in this registry's form. */
function inJapan(instant: string): { day: string; time: string } {
  const [day = '', time = ''] = new Date(Date.parse(instant) + 9 * 3_600_000).toISOString().split('T');
  return { day: day.replaceAll('-', '/'), time: time.slice(0, 8) };
}

/** Banners became longer and stand right above the answer, as JPRS sends them since 2026. */
const JAPANESE_BANNER = [
  '[ This is an invented registry. What it knows of names is for trying things out only.   ]',
  '[ It answers in Japanese and English; to suppress the Japanese, add /e at the end of    ]',
  '[ the command. No name, no date and no holder in it belongs to anybody.                 ]',
  '[                                                                                       ]',
  '[ Notice: the element [Lock Status] may be added to the form of its answers.            ]',
];

/** Bracketed labels; days and times are in Tokyo time. */
export const japaneseForm: WhoisForm = {
  record: (domain) => [
    ...JAPANESE_BANNER,
    'Domain Information: [ドメイン情報]',
    `[Domain Name]                   ${domain.name.toUpperCase()}`,
    '[登録者名]                      株式会社見本',
    '[Registrant]                    Sample Organisation',
    ...domain.nameServers.map((host) => `[Name Server]                   ${host}`),
    '[Signing Key]                   ',
    `[Created on]                    ${inJapan(domain.created).day}`,
    `[Expires on]                    ${inJapan(domain.expires).day}`,
    ...domain.status.map((status) => `[Status]                        ${status}`),
    `[Last Updated]                  ${inJapan(domain.updated).day} ${inJapan(domain.updated).time} (JST)`,
  ],
  notFound: () => [...JAPANESE_BANNER, 'No match!!'],
};

/** Short: no registrar and a single date; without the option `-T dn`, only the status. */
export const germanForm: WhoisForm = {
  record: (domain) => [
    '% This is an invented registry.',
    '',
    `Domain: ${domain.name}`,
    ...domain.nameServers.map((host) => `Nserver: ${host}`),
    ...domain.status.map((status) => `Status: ${status}`),
    `Changed: ${domain.updated.replace('Z', '+00:00')}`,
  ],
  notFound: (name) => [`Domain: ${name}`, 'Status: free'],
};

/** EPP codes as RDAP statuses (RFC 8056). */
function rdapWords(status: string): string {
  return status === 'ok' ? 'active' : status.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

/** One invented registration as RDAP JSON (RFC 9083). */
export function rdapRecord(domain: SampleDomain): string {
  return JSON.stringify({
    rdapConformance: ['rdap_level_0'],
    objectClassName: 'domain',
    ldhName: domain.name.toUpperCase(),
    status: domain.status.map(rdapWords),
    events: [
      { eventAction: 'registration', eventDate: domain.created },
      { eventAction: 'expiration', eventDate: domain.expires },
      { eventAction: 'last changed', eventDate: domain.updated },
      { eventAction: 'last update of RDAP database', eventDate: '2026-11-01T00:00:00Z' },
    ],
    entities: [
      {
        objectClassName: 'entity',
        roles: ['registrar'],
        handle: '9999',
        vcardArray: [
          'vcard',
          [
            ['version', {}, 'text', '4.0'],
            ['fn', {}, 'text', domain.registrar],
          ],
        ],
      },
    ],
    nameservers: domain.nameServers.map((host) => ({
      objectClassName: 'nameserver',
      ldhName: host.toUpperCase(),
    })),
    notices: [{ title: 'Sample', description: ['This is an invented registry.'] }],
  });
}

export function rdapNotFound(name: string): string {
  return JSON.stringify({
    rdapConformance: ['rdap_level_0'],
    errorCode: 404,
    title: 'Not Found',
    description: [`${name} is not in this invented registry.`],
  });
}
