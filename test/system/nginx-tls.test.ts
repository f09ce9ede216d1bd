import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { connect } from 'node:http2';
import { request } from 'undici';
import { beforeAll, expect, it } from 'vitest';
import { readDeployed, startNginx } from './nginx.ts';
import { startServe, until } from './running-service.ts';
import { freePort } from '../free-port.ts';
import { temporaryFolder } from '../temporary-folder.ts';

// Uses deploy/nginx.conf with other ports, certificates and log path.

const folder = temporaryFolder();
let [plain, secure] = [0, 0];

beforeAll(async () => {
  const service = await startServe({ TRUSTED_PROXIES: '127.0.0.1', LOG_LEVEL: 'silent' });
  [plain, secure] = [await freePort(), await freePort()];
  const certificate = ['-keyout', `${folder}/key.pem`, '-out', `${folder}/certificate.pem`];
  execFileSync(
    'openssl',
    ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=localhost', ...certificate],
    { stdio: 'ignore' },
  );
  const site = readDeployed('nginx.conf')
    .replaceAll('127.0.0.1:3000', new URL(service.catalogue).host)
    .replaceAll('127.0.0.1:3001', new URL(service.registration).host)
    .replaceAll('listen 80;', `listen 127.0.0.1:${plain};`)
    .replaceAll('listen 443 ssl', `listen 127.0.0.1:${secure} ssl`)
    .replaceAll(/\/etc\/letsencrypt\S+fullchain\.pem/g, `${folder}/certificate.pem`)
    .replaceAll(/\/etc\/letsencrypt\S+privkey\.pem/g, `${folder}/key.pem`)
    .replaceAll('/var/log/nginx', folder);
  const nginx = startNginx(folder, site);
  const isUp = () =>
    send('novels.example.org', '/readyz').then(
      () => true,
      () => false,
    );
  await until(isUp, 100);
  return async () => {
    await nginx.end('SIGTERM');
    await service.end('SIGINT');
  };
});

/** Requests a host of the configuration over HTTP/2. */
function send(host: string, at: string): Promise<{ status: number; hsts: unknown; body: string }> {
  return new Promise((resolve, reject) => {
    const session = connect(`https://127.0.0.1:${secure}`, { rejectUnauthorized: false });
    session.on('error', reject);
    const stream = session.request({ ':path': at, ':authority': host });
    let [status, hsts, body]: [number, unknown, string] = [0, undefined, ''];
    stream.on('error', reject).on('response', (headers) => {
      status = headers[':status'] ?? 0;
      hsts = headers['strict-transport-security'];
    });
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      body += chunk;
    });
    stream.on('end', () => {
      session.close();
      resolve({ status, hsts, body });
    });
    stream.end();
  });
}

it('nginx serves both names over HTTP/2 and TLS', async () => {
  const novels = await send('novels.example.org', '/v1/meta/genres');
  expect([novels.status, novels.hsts, novels.body.slice(0, 8)]).toEqual([
    200,
    'max-age=31536000',
    '{"data":',
  ]);
  expect((await send('domains.example.org', '/example.com')).body).toContain('"domain":"example.com"');
});

it('nginx redirects from http to https', async () => {
  const url = `http://127.0.0.1:${plain}/docs?a=1`;
  const { statusCode, headers, body } = await request(url, { headers: { host: 'novels.example.org' } });
  await body.dump();
  expect([statusCode, headers['location']]).toEqual([301, 'https://novels.example.org/docs?a=1']);
});

it('nginx logs only the networks of clients', async () => {
  await send('novels.example.org', '/v1/meta/nocgenres');
  const lines = () => readFileSync(`${folder}/mokuroku.log`, 'utf8');
  await expect.poll(lines).toMatch(/^127\.0\.0\.0 \[[^\]]+\] "GET \/v1\/meta\/nocgenres HTTP\/2\.0" 200 /m);
  expect(lines()).not.toContain('127.0.0.1');
});
