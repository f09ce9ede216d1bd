import type { SampleDomain } from './sample-domains.ts';

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
