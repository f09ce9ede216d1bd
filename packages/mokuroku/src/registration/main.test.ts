import { fileURLToPath } from 'node:url';
import { request } from 'undici';
import { describe, expect, it, onTestFinished } from 'vitest';
import { serveHttp, untilTestEnds } from '../../../../test/http/serve-http.ts';
import { startRespServer, storingReplies } from '../../../../test/store/resp-server.ts';
import { record, rootObject } from '../../../whois/test/loopback-world.ts';
import { startRegistration } from './main.ts';
import { startWhoisServer } from './sample/loopback-server.ts';
import type { Registry } from './sample/start-sample-registries.ts';

async function start(environment: Record<string, string>) {
  const settings = { REGISTRATION_PORT: '0', LOG_LEVEL: 'silent', ...environment };
  const service = untilTestEnds(await startRegistration(settings));
  return {
    ...service,
    get: async (path: string) => {
      const { statusCode, headers, body } = await request(service.address + path);
      return { status: statusCode, headers, body: (await body.json()) as Record<string, unknown> };
    },
  };
}

async function listen(registry: Registry): Promise<string> {
  const server = await startWhoisServer(registry);
  onTestFinished(server.close);
  return `127.0.0.1:${server.port}`;
}

describe('the service as it is started', () => {
  it('says in /readyz and to clients that no server can be reached, and stays ready', async () => {
    const closed = '127.0.0.1:1';
    const servers = ['whois.verisign-grs.com', 'rdap.verisign.com'].map((name) => `${name}=${closed}`);
    const { get } = await start({
      REGISTRATION_SOURCE: 'live',
      WHOIS_ROOT: closed,
      HOST_MAP: servers.join(','),
      ALLOWED_CIDRS: '127.0.0.1/32',
      RDAP_BOOTSTRAP: fileURLToPath(import.meta.resolve('mokuroku-whois/source')).replace(
        'index.ts',
        'look-up/data/rdap-bootstrap.json',
      ),
    });
    expect((await get('/readyz')).body).toEqual({ status: 'ready' });
    const message = 'No server could be reached, not even 127.0.0.1: is this machine online?';
    expect((await get('/a.com')).body).toMatchObject({ error: { code: 'registry_unavailable', message } });
    const { status, body } = await get('/readyz');
    expect([status, body]).toEqual([200, { status: 'ready', registries: message }]);
  });

  it('serves the sample by default, and says so', async () => {
    const { get, isSample, address, metrics } = await start({});
    expect(isSample).toBe(true);
    expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    const { status, headers, body } = await get('/www.example.co.uk');
    expect(status).toBe(200);
    expect(headers['x-data']).toBe('sample');
    expect(body).toMatchObject({ domain: 'www.example.co.uk', protocol: 'rdap' });
    expect((await get('/readyz')).status).toBe(200);
    expect(await metrics.metrics()).toContain(
      'registry_hops_total{hop="registry registered",service="registration"} 1',
    );
  });

  it('closes the servers of the sample with itself', async () => {
    const servers = () => process.getActiveResourcesInfo().filter((each) => each === 'TCPServerWrap').length;
    const before = servers();
    const { close } = await start({});
    expect(servers()).toBeGreaterThan(before + 5);
    await close();
    expect(servers()).toBe(before);
  });

  it('queries the root, the registries and the bootstrap of the environment', async () => {
    const nic = await listen((name, socket) => socket.end(record(name)));
    const root = await listen((tld, socket) =>
      socket.end(rootObject(tld, tld === 'test' ? 'whois.nic.test' : '')),
    );
    const rdap = await serveHttp((requested, response) => {
      const bootstrap = {
        publication: '2026',
        services: [[['modern'], [`http://${requested.headers.host ?? ''}/rdap/`]]],
      };
      const record = { objectClassName: 'domain', ldhName: 'example.modern', status: ['active'] };
      response.end(JSON.stringify(requested.url === '/dns.json' ? bootstrap : record));
    });
    const { get, isSample } = await start({
      REGISTRATION_SOURCE: 'live',
      WHOIS_ROOT: root,
      HOST_MAP: `whois.nic.test=${nic}`,
      ALLOWED_CIDRS: '127.0.0.0/8',
      RDAP_BOOTSTRAP: `${rdap}/dns.json`,
    });
    expect(isSample).toBe(false);
    const whois = await get('/example.test');
    expect(whois.headers['x-data']).toBeUndefined();
    expect(whois.body).toMatchObject({ whoisServer: 'whois.nic.test', protocol: 'whois' });
    expect((await get('/example.modern')).body).toMatchObject({ whoisServer: '127.0.0.1', protocol: 'rdap' });
  });

  it('connects to nothing on this machine unless the operator allows it', async () => {
    let arrived = 0;
    const root = await listen((_, socket) => {
      arrived++;
      socket.end();
    });
    const { get } = await start({
      REGISTRATION_SOURCE: 'live',
      WHOIS_ROOT: root,
      RDAP_BOOTSTRAP: 'http://127.0.0.1:1/',
    });
    expect((await get('/example.test')).status).toBe(502);
    expect(arrived).toBe(0);
  });

  it('serves no contacts from a cache that was filled before they were redacted', async () => {
    const { port } = await startRespServer(storingReplies());
    let queries = 0;
    const nic = await listen((name, socket) => {
      queries++;
      socket.end(`${record(name)}Registrant Name: Umi Kamome\r\n`);
    });
    const root = await listen((_, socket) => socket.end(rootObject('test', 'whois.nic.test')));
    const settings = {
      STORE_URL: `redis://127.0.0.1:${port}`,
      STORE_TIMEOUT_MS: '5000',
      RATE_LIMIT: '0',
      REGISTRATION_SOURCE: 'live',
      WHOIS_ROOT: root,
      HOST_MAP: `whois.nic.test=${nic}`,
      ALLOWED_CIDRS: '127.0.0.0/8',
      RDAP_BOOTSTRAP: 'http://127.0.0.1:1/',
    };
    const holders: unknown[] = [];
    for (const RAW_CONTACTS of ['whole', 'whole', 'redact']) {
      const { get, close } = await start({ ...settings, RAW_CONTACTS });
      const { raw } = (await get('/example.test')).body;
      holders.push(String(raw).includes('Kamome'));
      await close();
    }
    expect(holders).toEqual([true, true, false]);
    expect(queries).toBe(2);
  });
});
