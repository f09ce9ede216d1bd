import fs from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { bulk, startRespServer } from '../../../test/store/resp-server.ts';
import { checkOf, reportOf, runDoctor, troublesOf } from '../../../test/doctor/doctor-under-test.ts';
import { startRegistration } from '../../registration/main.ts';
import packageJson from '../../../package.json' with { type: 'json' };
import { REPORT } from '../report.ts';
import { MIN_NODE, nodeCheck } from './checks.ts';

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'mokuroku-doctor-'));
afterAll(() => {
  fs.rmSync(folder, { recursive: true });
});

async function listen(answer: http.RequestListener, host = '127.0.0.1'): Promise<number> {
  const server = http.createServer(answer);
  await new Promise<void>((done) => server.listen(0, host, done));
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

describe('a first start', () => {
  it('of the sample requires nothing: all checks are ok, and no request is sent', async () => {
    const { code, report } = await reportOf('doctor');
    expect(troublesOf(report)).toEqual({});
    expect(code).toBe(0);
    expect(report).toMatchObject({ live: false, complete: true, requests: 0, state: 'ok' });
    expect(report.skipped.map(({ id }) => id)).toEqual(['store']);
  });

  it('reports each invalid setting, by name only', async () => {
    const secret = 'redis://user:secret@::bad';
    const { code, report, text } = await reportOf('doctor', { STORE_URL: secret, METRICS_PORT: 'many' });
    expect(code).toBe(7);
    expect(checkOf(report, 'settings').finding).toBe('cannot be read: STORE_URL, METRICS_PORT');
    expect(text).not.toContain('secret');
  });

  it.each<[Record<string, string>, string]>([
    [{ TRUSTED_PROXY: '10.0.0.1' }, 'without effect: TRUSTED_PROXY (MOKUROKU_TRUSTED_PROXIES?)'],
    [{ HOST: 'x86_64-conda-linux-gnu' }, 'HOST is not an address of this machine'],
  ])('names settings that nearly match: %j', async (environment, finding) => {
    const { code, report } = await reportOf('doctor', environment);
    expect([code, checkOf(report, 'settings').finding]).toEqual([6, finding]);
  });

  it('distinguishes a port in use, even one that redirects to us, from one with our own service', async () => {
    const usedAddress = await listen((_, response) => response.end('hello'));
    const own = await startRegistration({ REGISTRATION_PORT: '0', LOG_LEVEL: 'silent' });
    onTestFinished(() => own.close());
    const redirecting = await listen((request, response) =>
      response.writeHead(302, { location: `${own.address}${request.url ?? ''}` }).end(),
    );
    const ports = {
      CATALOGUE_PORT: String(usedAddress),
      REGISTRATION_PORT: new URL(own.address).port,
      METRICS_PORT: String(redirecting),
    };
    const { report } = await reportOf('doctor', ports);
    expect(checkOf(report, 'port-catalogue')).toMatchObject({
      state: 'broken',
      finding: 'in use by another program',
    });
    expect(checkOf(report, 'port-registration').state).toBe('ok');
    expect(checkOf(report, 'port-metrics').finding).toBe('in use by another program');
  });

  it('says that a port in use does not respond, not that it is another program', async () => {
    const port = String(await listen(() => undefined));
    const { report } = await reportOf('doctor', { METRICS_PORT: port });
    const finding = 'in use, and does not respond';
    expect(checkOf(report, 'port-metrics')).toMatchObject({ state: 'broken', finding });
  });

  it('recognises our metrics, which have a port of their own, on an IPv6 address too', async () => {
    const metrics = (request: http.IncomingMessage, response: http.ServerResponse) =>
      response.end(request.url === '/metrics' ? '# HELP mokuroku_up Whether it runs\n' : '');
    const port = String(await listen(metrics, '::1'));
    const { report } = await reportOf('doctor', { METRICS_PORT: port, METRICS_HOST: '::1' });
    expect(checkOf(report, 'port-metrics')).toMatchObject({
      state: 'ok',
      finding: 'in use by mokuroku',
    });
  });

  it('checks the address of the metrics as well', async () => {
    // An address of documentation (RFC 5737).
    const { report } = await reportOf('doctor', { METRICS_PORT: '9999', METRICS_HOST: '192.0.2.1' });
    expect(checkOf(report, 'port-metrics').finding).toBe('it cannot be listened on (EADDRNOTAVAIL)');
  });

  it('requires its folders with free space', async () => {
    const file = path.join(folder, 'file');
    fs.writeFileSync(file, '');
    const { report } = await reportOf('doctor', {
      CATALOGUE_DIR: path.join(folder, 'nowhere'),
      CACHE_DIR: path.join(file, 'cache'),
    });
    expect(checkOf(report, 'folder-catalogue').finding).toBe('it cannot be used (ENOENT)');
    expect(checkOf(report, 'folder-cache').finding).toBe('it cannot be used (ENOTDIR)');
    const cache = { CACHE_DIR: path.join(folder, 'not', 'yet'), CACHE_DISK_MAX_BYTES: '999999999999' };
    const full = await reportOf('doctor', cache);
    expect(checkOf(full.report, 'folder-cache')).toMatchObject({
      state: 'warning',
      advice: 'Free disk space: up to 1000.0 GB may be needed.',
    });
  });
});

it('without a network, --live skips the checks of the upstreams with one reason, and sends nothing', async () => {
  // No name below .invalid has an address (RFC 2606).
  const hosts = {
    NAROU_BASE_URL: 'http://site.invalid',
    WHOIS_ROOT: 'root.invalid:43',
    RDAP_BOOTSTRAP: 'http://rdap.invalid/',
  };
  const { code, report, text } = await reportOf('doctor --live', hosts);
  expect(code).toBe(7);
  expect(report.checks.filter(({ group }) => group !== 'here')).toEqual([]);
  const reasons = report.skipped.filter(({ group }) => group !== 'here').map(({ reason }) => reason);
  expect([...new Set(reasons)]).toEqual(['no network: no address of a server was found']);
  expect(report.requests).toBe(0);
  expect(text).not.toContain('Report it');
  const { err } = await runDoctor('doctor --live', hosts);
  expect(err.match(/skipped: no network/g)).toHaveLength(1);
});

describe('the shared store', () => {
  const SCRIPT_REPLY = ':7\r\n';
  const checkStore = async (script = SCRIPT_REPLY) => {
    const reply = ([name]: readonly string[]) => (name === 'eval' ? script : '+OK\r\n');
    const { port } = await startRespServer(reply);
    const { report } = await reportOf('doctor', {
      STORE_URL: `redis://127.0.0.1:${port}`,
      STORE_TIMEOUT_MS: '5000',
    });
    return checkOf(report, 'store');
  };

  it('is ok if it runs the scripts', async () => {
    expect((await checkStore()).state).toBe('ok');
  });

  it('has no connection of the check afterwards', async () => {
    const reply = ([name]: readonly string[]) => (name === 'eval' ? SCRIPT_REPLY : '+OK\r\n');
    const server = await startRespServer(reply);
    await reportOf('doctor', { STORE_URL: `redis://127.0.0.1:${server.port}`, STORE_TIMEOUT_MS: '5000' });
    expect(server.connections).toBe(1);
    await expect.poll(() => server.sockets.size).toBe(0);
  });

  it.each([
    '-NOPERM this user has no permissions\r\n',
    '-ERR Write commands not allowed after non deterministic commands\r\n',
    bulk('7'),
  ])('must run scripts that write after TIME, as Redis 5 does: %s', async (reply) => {
    const finding = 'it does not run the scripts of the services';
    expect(await checkStore(reply)).toMatchObject({ state: 'broken', finding });
  });

  it('that is unreachable is reported', async () => {
    const { report } = await reportOf('doctor', { STORE_URL: 'redis://127.0.0.1:9' });
    expect(checkOf(report, 'store')).toMatchObject({ state: 'broken', finding: 'it cannot be reached' });
  });
});

describe('the version of Node', () => {
  it.each([
    ['18.20.4', 'broken'],
    ['20.9.1', 'broken'],
    ['20.18.9', 'broken'],
    ['20.19.0', 'ok'],
    ['23.1.0', 'warning'],
    ['24.0.0', 'ok'],
  ])('%s is %s', async (nodeVersion, state) => {
    expect((await nodeCheck(nodeVersion).run(new AbortController().signal)).state).toBe(state);
  });

  it('is at least that of the package', () => {
    expect(packageJson.engines.node).toBe(`>=${MIN_NODE}`);
  });
});

describe('the report', () => {
  it('has the published form', () => {
    const published = new URL('../../../docs/doctor-report.schema.json', import.meta.url);
    expect(JSON.parse(fs.readFileSync(published, 'utf8'))).toEqual(z.toJSONSchema(REPORT));
  });

  it('contains no person, address, folder or machine', async () => {
    const cache = path.join(folder, 'private');
    const { text } = await reportOf('doctor', { CACHE_DIR: cache, CATALOGUE_DIR: folder, HOME: folder });
    const addresses = Object.values(os.networkInterfaces()).flatMap((each) => each ?? []);
    const secrets = [
      'somebody',
      folder,
      os.hostname(),
      os.homedir(),
      ...addresses.map(({ address }) => address),
    ];
    expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
  });

  it('is printed in Japanese too', async () => {
    const { out } = await runDoctor('doctor', { TRUSTED_PROXY: '1' }, { language: 'ja' });
    expect(out).toMatch(/^警告 +設定: 効かないもの: TRUSTED_PROXY/m);
    expect(out).toMatch(/^良好 +Node\.js: /m);
    expect(out).not.toMatch(/[a-z]+ [a-z]+ [a-z]+/i);
  });
});
