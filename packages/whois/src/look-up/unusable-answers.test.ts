import { afterEach, describe, expect, it } from 'vitest';
import { rootObject } from '../../test/loopback-world.ts';
import { NIC, closeWorld, errorOf, listenHttp, open } from '../../test/opened-world.ts';

afterEach(closeWorld);

describe('a name that one service of the registry calls invalid', () => {
  const root = { test: { refer: NIC } };
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
    const port = await listenHttp((_, response) =>
      response.end(
        JSON.stringify({ objectClassName: 'domain', ldhName: 'example.test', status: ['active'] }),
      ),
    );
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
  const root = { test: { refer: NIC } };

  it('is shown up to 64 KiB', async () => {
    const page = `<html>${'x'.repeat(100_000)}`;
    const { lookUp } = await open({ root, whois: { [NIC]: page } });
    const { details } = await errorOf(lookUp('example.test'));
    expect((details as { raw: string }).raw).toBe(page.slice(0, 65_536));
  });

  it("that is a refusal has the registry's web page if the root or the built-in table names one", async () => {
    const text = rootObject('test', NIC) + 'remarks:      Registration information: https://nic.example/\n';
    const refusal = 'Requests of this client are not permitted.\r\n';
    const { lookUp } = await open({
      root: { test: text, ph: { refer: NIC } },
      whois: { [NIC]: refusal },
    });
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
