import { describe, expect, it } from 'vitest';
import { record } from '../../test/loopback-world.ts';
import { NIC, listenHttp, open, openRegistry, outcomes } from '../../test/opened-world.ts';

const EXPIRY = { eventAction: 'expiration', eventDate: '2031-02-03T04:05:06Z' };
const domain = (more: object) =>
  JSON.stringify({ objectClassName: 'domain', ldhName: 'example.test', ...more });
const withoutExpiry = record('example.test').replace(/Registry Expiry.*\r\n/, '');

describe('an expiry that WHOIS does not state', () => {
  async function world(status: number, body: string, whois = withoutExpiry, settings = {}) {
    const port = await listenHttp((_, response) => response.writeHead(status).end(body));
    return openRegistry(whois, {
      settings,
      rdap: { test: 'http://rdap.nic.test/' },
      ports: { 'rdap.nic.test': port },
    });
  }

  it('is taken from RDAP, with its hop; nothing else is', async () => {
    const { lookUp } = await world(200, domain({ events: [EXPIRY], status: ['client hold'] }));
    const { parsed, protocol, whoisServer, hops, daysLeft } = await lookUp('example.test');
    expect([parsed.expirationDate, protocol, whoisServer]).toEqual(['2031-02-03T04:05:06Z', 'whois', NIC]);
    expect(parsed.status).not.toContain('clientHold');
    expect(daysLeft).toBeGreaterThan(0);
    expect(outcomes(hops).slice(1)).toEqual([`${NIC} registered`, 'rdap.nic.test registered']);
  });

  it.each([
    ['a failure', 500, '', 'rdap.nic.test HTTP 500', ['expirationDate']],
    [
      'another name',
      200,
      domain({ ldhName: 'other.test', events: [EXPIRY] }),
      'rdap.nic.test broken',
      ['expirationDate'],
    ],
    [
      'a denial',
      404,
      '{"errorCode":404,"title":"not found"}',
      'rdap.nic.test not_registered',
      ['expirationDate'],
    ],
    [
      'an unreadable one',
      200,
      domain({ status: ['active'], events: [{ ...EXPIRY, eventDate: 1_927_857_906 }] }),
      'rdap.nic.test registered',
      ['expirationDate'],
    ],
    ['a record without one', 200, domain({ status: ['active'] }), 'rdap.nic.test registered', undefined],
  ])('is null after %s, and unknown only without a readable record', async (...row) => {
    const [, status, body, hop, unknown] = row;
    const { lookUp } = await world(status, body);
    const { state, parsed, hops, incomplete } = await lookUp('example.test');
    expect([state, parsed.expirationDate, outcomes(hops).at(-1)]).toEqual(['registered', null, hop]);
    expect(incomplete).toEqual(unknown);
  });

  it('is taken from RDAP if WHOIS states one that cannot be read', async () => {
    const whois = record('example.test').replace(
      /Registry Expiry Date: .*\r/,
      'Registry Expiry Date: 2030-13-45\r',
    );
    const { lookUp } = await world(200, domain({ events: [EXPIRY] }), whois);
    const { parsed, incomplete } = await lookUp('example.test');
    expect([parsed.expirationDate, incomplete]).toEqual(['2031-02-03T04:05:06Z', undefined]);
    const { lookUp: again } = await world(200, domain({ status: ['active'] }), whois);
    expect((await again('example.test')).incomplete).toEqual(['expirationDate']);
  });

  it('is taken from RDAP before the registrar is queried, and RDAP is queried once', async () => {
    const whois = `${withoutExpiry}Registrar WHOIS Server: whois.registrar.test\r\n`;
    const { lookUp } = await world(200, domain({ events: [EXPIRY] }), whois);
    const { parsed, hops, incomplete } = await lookUp('example.test', 'registrar');
    expect(parsed.expirationDate).toBe('2031-02-03T04:05:06Z');
    expect(incomplete).not.toContain('expirationDate');
    expect(outcomes(hops).slice(2)).toEqual(['rdap.nic.test registered', 'whois.registrar.test unreachable']);
  });

  it('is not asked for if WHOIS states one, or only WHOIS may be used', async () => {
    const { lookUp } = await world(200, domain({ events: [EXPIRY] }), record('example.test'));
    expect((await lookUp('example.test')).hops).toHaveLength(2);
    const settings = { protocols: 'whois' };
    const { lookUp: again } = await world(200, domain({ events: [EXPIRY] }), withoutExpiry, settings);
    expect((await again('example.test')).hops).toHaveLength(2);
  });
});

it('is unpublished where the registry never states it, but not if it states an unreadable one', async () => {
  const text = (more: string) => `Domain: a.de\nNserver: ns1.a.example\nStatus: connect\n${more}`;
  for (const [more, expected] of [
    ['', ['expirationDate', 'registrar']],
    ['Expires: in the spring of 2031\n', ['registrar']],
  ] as const) {
    const { lookUp } = await open({ root: { de: { refer: NIC } }, whois: { [NIC]: text(more) } });
    expect((await lookUp('a.de')).unpublished).toEqual(expected);
  }
});
