import { describe, expect, it } from 'vitest';
import { DOMAIN, card, named, property, read } from '../../test/rdap-record.ts';

describe('an RDAP record', () => {
  it('is read to the same fields as a WHOIS text', () => {
    expect(read(DOMAIN)).toMatchObject({
      state: 'registered',
      parsed: {
        domainName: 'example.test',
        registrar: 'Sample Registrar',
        creationDate: '2001-02-02T19:05:06Z',
        expirationDate: '2031-02-03',
        updatedDate: '2026-01-02T03:04:05Z',
        registrarExpirationDate: '2030-01-01T00:00:00Z',
        nameServers: ['ns1.hosting.example', 'ns.xn--8pvz87e.example'],
        status: ['clientTransferProhibited', 'ok', 'locked'],
      },
    });
  });

  it.each([
    ['fn', [property('fn', 'By Name'), property('org', 'By Organisation')], 'By Name'],
    ['org where fn is blank', [property('fn', ''), property('org', ['By Org', 'Unit'])], 'By Org'],
    ['handle where there is no card', [], 'HANDLE-1'],
  ])('names its registrar by %s', (_, properties, name) => {
    const entities = [{ roles: ['registrar'], handle: 'HANDLE-1', vcardArray: card(...properties) }];
    expect(read({ ...DOMAIN, entities }).parsed.registrar).toBe(name);
  });

  it('finds a registrar inside another entity', () => {
    const inner = { roles: ['registrar'], vcardArray: named('Inner Registrar') };
    expect(
      read({ ...DOMAIN, entities: [{ roles: ['registrant'], entities: [inner] }] }).parsed.registrar,
    ).toBe('Inner Registrar');
  });

  it('links to the record of its registrar', () => {
    const href = 'https://rdap.registrar.example/domain/EXAMPLE.TEST';
    const type = 'application/rdap+json';
    const links = [
      { rel: 'self', href: 'https://rdap.registry.example/domain/EXAMPLE.TEST', type },
      { rel: 'related', href, type },
    ];
    expect(read({ ...DOMAIN, links }).registrarUrl).toBe(href);
    expect(read(DOMAIN).registrarUrl).toBeNull();
    const related = (href: string, type?: string) =>
      read({ ...DOMAIN, links: [{ rel: 'related', href, type }] }).registrarUrl;
    // Some servers omit the type, others have another path.
    expect(related('https://rdap.registrar.example/domain/a.test')).not.toBeNull();
    for (const type of ['application/rdap+json', 'Application/rdap+json; charset=utf-8'])
      expect(related('https://rdap.registrar.example/?a.test', type)).not.toBeNull();
    expect(related('https://www.registrar.example/terms')).toBeNull();
  });
});

describe('deviations of servers', () => {
  const registration = (...dates: string[]) => ({
    ...DOMAIN,
    events: dates.map((eventDate) => ({ eventAction: 'registration', eventDate })),
  });

  it.each([
    ['2026-01-02T04:05:06+0100', '2026-01-02T03:05:06Z'],
    // As in WHOIS.
    ['02-Jan-2030', '2030-01-02'],
    ['20300102T030405Z', '2030-01-02T03:04:05Z'],
    // Never a guess.
    ['2026-01-02T03:04:05', '2026-01-02'],
    ['01/02/2030', null],
    ['soon', null],
  ])('a time of %j is %j', (stated, expected) => {
    expect(read(registration(stated)).parsed.creationDate).toBe(expected);
  });

  it('an unreadable first event does not hide a good second', () => {
    expect(read(registration('soon', '2026-01-02T03:04:05Z')).parsed.creationDate).toBe(
      '2026-01-02T03:04:05Z',
    );
  });

  it('name servers as plain strings are read, among objects too', () => {
    const nameservers = ['NS1.hosting.example.', { ldhName: 'ns2.hosting.example' }, 'no host'];
    expect(read({ ...DOMAIN, nameservers }).parsed.nameServers).toEqual([
      'ns1.hosting.example',
      'ns2.hosting.example',
    ]);
  });

  it('a byte order mark is accepted', () => {
    expect(read(`\ufeff${JSON.stringify(DOMAIN)}`).state).toBe('registered');
  });

  it('a blank status is dropped', () => {
    expect(read({ ...DOMAIN, status: ['', ' ', 'active'] }).parsed.status).toEqual(['ok']);
  });

  it('a blank form of a name in Unicode is ignored', () => {
    const host = { ldhName: 'ns1.hosting.example', unicodeName: '' };
    const { state, parsed } = read({ ...DOMAIN, unicodeName: '', nameservers: [host] });
    expect([state, parsed.nameServers]).toEqual(['registered', ['ns1.hosting.example']]);
  });

  it('name servers that are not host names are dropped, with their addresses', () => {
    const names = ['none', '', 'ns1.hosting.example 192.0.2.1', 'http://ns2.hosting.example/', 'not.defined'];
    const nameservers = names.map((ldhName) => ({ ldhName }));
    expect(read({ ...DOMAIN, nameservers }).parsed.nameServers).toEqual(['ns1.hosting.example']);
  });

  it('a placeholder registrar is dropped', () => {
    const vcardArray = named('N/A');
    const entities = [{ roles: ['registrar'], vcardArray, handle: 'KAMOME-1' }];
    expect(read({ ...DOMAIN, entities }).parsed.registrar).toBe('KAMOME-1');
  });

  it('a sponsor is the registrar if there is none', () => {
    const company = (role: string, name: string) => ({
      roles: [role],
      vcardArray: named(name),
    });
    const sponsor = company('sponsor', 'By Sponsor');
    expect(read({ ...DOMAIN, entities: [sponsor] }).parsed.registrar).toBe('By Sponsor');
    const entities = [sponsor, company('registrar', 'By Registrar')];
    expect(read({ ...DOMAIN, entities }).parsed.registrar).toBe('By Registrar');
  });

  it('JSContact is read beside jCard, and before it', () => {
    const jsContact = { '@type': 'Card', name: { full: 'By JSContact' } };
    const vcardArray = named('By jCard');
    for (const member of ['jscard', 'jsContactCard', 'jscontact_card']) {
      const entities = [{ roles: ['registrar'], [member]: jsContact, vcardArray }];
      expect(read({ ...DOMAIN, entities }).parsed.registrar).toBe('By JSContact');
    }
  });

  it('control characters and terminal sequences are not published', () => {
    const entities = [
      { roles: ['registrar'], vcardArray: ['vcard', [['fn', {}, 'text', 'Ka\x1b[31mmo\x07me']]] },
    ];
    const { parsed } = read({ ...DOMAIN, entities, status: ['lo\x9bmcked'] });
    expect(parsed).toMatchObject({ registrar: 'Kamome', status: ['locked'] });
  });
});
