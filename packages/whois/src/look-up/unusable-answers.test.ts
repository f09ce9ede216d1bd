import { describe, expect, it } from 'vitest';
import { record, rootObject } from '../../test/loopback-world.ts';
import { NIC, errorOf, listenHttp, open, openRegistry } from '../../test/opened-world.ts';
import { openRdap, recordOf } from '../../test/rdap-world.ts';

const root = { test: { refer: NIC } };

describe('a name that one service of the registry calls invalid', () => {
  const rdap = { test: 'http://rdap.nic.test/' };

  it.each([400, 422])('by RDAP (%i) is invalid if no other service states otherwise', async (status) => {
    const raw = '{"errorCode":400,"title":"Invalid domain name"}';
    const port = await listenHttp((_, response) => response.writeHead(status).end(raw));
    const { lookUp } = await open({ root: { test: { refer: '' } }, rdap, ports: { 'rdap.nic.test': port } });
    const error = await errorOf(lookUp('example.test'));
    expect(error).toMatchObject({ code: 'invalid_domain' });
    expect(error.details).toMatchObject([
      { parameter: 'domain', given: 'example.test', whoisServer: 'rdap.nic.test', raw },
    ]);
  });

  it.each([
    ['is unreachable', {}],
    ['sends what cannot be read', { [NIC]: '<html>Maintenance</html>' }],
    ['refuses', { [NIC]: 'Requests of this client are not permitted.\r\n' }],
  ])('is not invalid while the other one %s', async (_, whois) => {
    const raw = '{"errorCode":400,"title":"Invalid domain name"}';
    const port = await listenHttp((_, response) => response.writeHead(400).end(raw));
    const { lookUp } = await open({ root, rdap, whois, ports: { 'rdap.nic.test': port } });
    expect(await errorOf(lookUp('example.test'))).toMatchObject({ code: 'registry_unavailable' });
  });

  it.each<[string, Record<string, string>]>([
    ['itself', { [NIC]: `Invalid domain name\r\n\r\nrefer: ${NIC}\r\n` }],
    [
      'a server that refers back',
      { [NIC]: 'Invalid domain name\r\n\r\nrefer: whois.b.test\r\n', 'whois.b.test': `refer: ${NIC}\r\n` },
    ],
    [
      'the server that has referred to it',
      { [NIC]: 'refer: whois.b.test\r\n', 'whois.b.test': `Invalid domain name\r\n\r\nrefer: ${NIC}\r\n` },
    ],
    [
      'a chain of five servers',
      Object.fromEntries(
        [NIC, 'whois.b.test', 'whois.c.test', 'whois.d.test', 'whois.e.test'].map((host, at, all) => [
          host,
          `${at === 0 ? 'Invalid domain name\r\n\r\n' : ''}refer: ${all[at + 1] ?? NIC}\r\n`,
        ]),
      ),
    ],
  ])('stays invalid if the answer refers to %s', async (_, whois) => {
    const { lookUp } = await open({ root, whois });
    expect(await errorOf(lookUp('example.test'))).toMatchObject({ code: 'invalid_domain' });
  });

  it('has the state that the other one reports', async () => {
    const port = await listenHttp((request, response) => response.end(recordOf(request)));
    const { lookUp } = await open({
      root,
      rdap,
      whois: { [NIC]: 'Invalid domain name\r\n' },
      ports: { 'rdap.nic.test': port },
    });
    expect(await lookUp('example.test')).toMatchObject({ state: 'registered', protocol: 'rdap' });
  });
});

describe('an answer that cannot be used', () => {
  it('is shown up to 64 KiB', async () => {
    const page = `<html>${'x'.repeat(100_000)}`;
    const { lookUp } = await openRegistry(page);
    const { details } = await errorOf(lookUp('example.test'));
    expect((details as { raw: string }).raw).toBe(page.slice(0, 65_536));
  });

  it("that is a refusal has the registry's web page if the root or the built-in table names one", async () => {
    const text = rootObject('test', NIC) + 'remarks:      Registration information: https://nic.example/\n';
    const refusal = 'Requests of this client are not permitted.\r\n';
    const { lookUp } = await openRegistry(refusal, { root: { test: text, ph: { refer: NIC } } });
    const error = await errorOf(lookUp('example.test'));
    expect(error.message).toContain('https://nic.example/');
    expect(error.details).toMatchObject({
      registryWebsite: 'https://nic.example/',
      raw: refusal,
      hops: [{}, { outcome: 'refused' }],
    });
    expect((await errorOf(lookUp('example.ph'))).message).toContain('https://whois.dot.ph/');
  });
});

async function failureOf(text: string) {
  const { lookUp } = await openRegistry(text);
  return errorOf(lookUp('example.test'));
}

describe('a failing server is reported with its text', () => {
  it.each([
    'This WHOIS server does not exist any longer. See https://rdap.nic.test/\r\n',
    'Your IP address was not found in the list of authorised clients.\r\n',
    '<!DOCTYPE html>\n<html><head><title>404 Not Found</title></head><body><h1>Not Found</h1></body></html>\n',
    'HTTP/1.1 404 Not Found\r\nContent-Length: 9\r\n\r\nNot found',
    '{"error":"not found"}\n',
    'TLD not found\r\n',
    'Domain not found on this server. Try whois.other.example\r\n',
    'Registrar of example.test not found\r\n',
    'No match for "203.0.113.9".\r\n',
    'Le serveur n’existe pas.\r\n',
    'Dieser Rechner ist nicht registriert.\r\n',
    'サーバーが見つかりません。\r\n',
    '用户未注册\r\n',
    'Domain Name: example.test\r\nMessage: Please try later\r\n',
    '',
  ])('%j', async (text) => {
    expect(await failureOf(text)).toMatchObject({
      code: 'registry_unavailable',
      details: { raw: text, whoisServer: NIC },
    });
  });
});

describe('a record of another name', () => {
  it.each([
    ['is no registration of the one asked for', record('other.test')],
    ['is none when the name asked for is a part of it', record('www.example.test')],
    ['of the zone is none', record('test')],
    ['is no "no" either', 'Domain: other.test\r\nStatus: free\r\n'],
  ])('%s', async (_, text) => {
    const error = await failureOf(text);
    expect(error).toMatchObject({ code: 'registry_unavailable', details: { raw: text } });
    expect(error).toHaveProperty('details.hops.1.outcome', 'broken');
  });

  it('is followed to its referral', async () => {
    const { lookUp } = await openRegistry(
      `${record('other.test')}ReferralServer: whois://whois.second.test\r\n`,
      { whois: { 'whois.second.test': record('example.test') } },
    );
    expect(await lookUp('example.test')).toMatchObject({ whoisServer: 'whois.second.test' });
  });
});

/** A registry with both services, whose WHOIS server says this. */
const registryWith = (text: string) =>
  openRdap((request, response) => response.end(recordOf(request)), {
    root,
    whois: { [NIC]: text },
  });

describe('a registry that throttles our queries', () => {
  it('is not queried by its other service, neither at once nor during the pause', async () => {
    const { lookUp, requests } = await registryWith('You have exceeded your quota of queries.\r\n');
    for (const name of ['a.test', 'b.test']) {
      await expect(lookUp(name)).rejects.toMatchObject({ code: 'registry_rate_limited' });
    }
    expect(requests).toEqual([]);
  });

  it('differs from one with an unreadable answer: that is queried by its other service', async () => {
    const { lookUp, requests } = await registryWith('<html>Maintenance</html>');
    expect(await lookUp('a.test')).toMatchObject({ protocol: 'rdap', state: 'registered' });
    expect(requests).toHaveLength(1);
  });

  it('differs from one that responds: that is queried by one service only', async () => {
    const { lookUp, requests } = await registryWith(record('a.test'));
    expect(await lookUp('a.test')).toMatchObject({ protocol: 'whois' });
    expect(requests).toEqual([]);
  });
});
