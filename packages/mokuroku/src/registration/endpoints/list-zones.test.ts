import { describe, expect, it } from 'vitest';
import { NIC, serve } from '../../../test/registration/loopback-service.ts';
import { record } from '../../../../whois/test/loopback-world.ts';
import type { ZonesAnswer } from './list-zones.ts';

const zonesIn = (text: string) => (JSON.parse(text) as ZonesAnswer).zones;

describe('GET /-/zones', () => {
  it('lists each zone with its services, who names them and when, and what they publish', async () => {
    const { get } = await serve({ rdap: { fr: 'https://rdap.operator.test/' } });
    const [de, fr, io, ukCom] = zonesIn((await get('/-/zones?zones=de,.FR,io,uk.com')).text);
    const unknown = { expirationDate: 'unknown', registrar: 'unknown', status: 'unknown' };
    expect(de).toEqual({
      zone: 'de',
      registryWebsite: null,
      services: [
        {
          protocol: 'whois',
          server: 'whois.denic.de',
          source: 'root',
          date: '2026-08-08',
          publishes: { expirationDate: 'no', registrar: 'no', status: 'yes' },
        },
        {
          protocol: 'rdap',
          server: 'https://rdap.denic.de/',
          source: 'list',
          date: '2026-08-08',
          publishes: unknown,
        },
      ],
    });
    expect(fr?.services[1]).toMatchObject({
      server: 'https://rdap.operator.test/',
      source: 'operator',
      date: '2026-11-01',
    });
    expect(io?.services[0]?.publishes.expirationDate).toBe('yes');
    // The TLD's registry would deny every name of a zone with its own.
    expect(ukCom?.services.map(({ server, source }) => [server, source])).toEqual([
      ['whois.centralnic.com', 'list'],
      ['https://rdap.centralnic.com/uk.com/', 'list'],
    ]);
  });

  it('lists all zones without a parameter, those without any service too', async () => {
    const { get } = await serve();
    const zones = zonesIn((await get('/-/zones')).text);
    expect(zones.length).toBeGreaterThan(1_500);
    expect(zones.map(({ zone }) => zone)).toEqual(zones.map(({ zone }) => zone).sort());
    expect(zones.find(({ zone }) => zone === 'va')?.services).toEqual([]);
  });

  it('rejects an empty list, and more than a hundred zones', async () => {
    const { get } = await serve();
    for (const zones of ['', 'de,,fr', Array(101).fill('de').join(',')]) {
      const { status, json } = await get(`/-/zones?zones=${zones}`);
      expect([status, json().error.code]).toEqual([400, 'invalid_parameter']);
    }
  });
});

describe('a look-up names the fields that its registry never publishes', () => {
  const DENIC = 'Domain: example.de\r\nNserver: ns1.hosting.example\r\nStatus: connect\r\n';
  const unpublishedOf = async (text: string, path = '/example.de') => {
    const { get } = await serve({
      root: { de: { refer: NIC }, test: { refer: NIC } },
      whois: { [NIC]: text },
      settings: { protocols: 'whois' },
    });
    return (JSON.parse((await get(path)).text) as { unpublished?: string[] }).unpublished;
  };

  it('if they have no value', async () => {
    expect(await unpublishedOf(DENIC)).toEqual(['expirationDate', 'registrar']);
    expect(await unpublishedOf(`${DENIC}Registrar: Kamome Names\r\n`)).toEqual(['expirationDate']);
  });

  it('not one that is stated and cannot be read', async () => {
    expect(await unpublishedOf(`${DENIC}Expires: soon\r\n`)).toEqual(['registrar']);
  });

  it('and none where that is unknown, or the name is reserved', async () => {
    expect(await unpublishedOf(record('example.test'), '/example.test')).toBeUndefined();
    expect(await unpublishedOf('Domain: example.test\r\nStatus: ok\r\n', '/example.test')).toBeUndefined();
    expect(await unpublishedOf('Domain: example.de\r\nStatus: reserved\r\n')).toBeUndefined();
  });

  it('of the zone itself, if it has a registry of its own', async () => {
    const { get } = await serve({
      whois: { 'whois.centralnic.com': 'Domain Name: example.com.de\r\nStatus: ok\r\n' },
      settings: { protocols: 'whois' },
    });
    const answer = JSON.parse((await get('/example.com.de')).text) as {
      state: string;
      unpublished?: string[];
    };
    expect([answer.state, answer.unpublished]).toEqual(['registered', undefined]);
  });
});
