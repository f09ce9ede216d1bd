import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:http2';
import { get } from 'node:http';
import { connect as connectTo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startServe } from './running-service.ts';
import type { RunningCommand } from './running-service.ts';
import { freePort } from '../free-port.ts';

// Uses deploy/nginx.conf with other ports, certificates and log path.

let folder: string;
let service: RunningCommand;
let nginx: ReturnType<typeof spawn>;
let [plain, secure] = [0, 0];

const isListening = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connectTo(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    }).on('error', () => {
      resolve(false);
    });
  });

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'mokuroku-nginx-'));
  service = await startServe({ TRUSTED_PROXIES: '127.0.0.1', LOG_LEVEL: 'silent' });
  [plain, secure] = [await freePort(), await freePort()];
  const certificate = ['-keyout', `${folder}/key.pem`, '-out', `${folder}/certificate.pem`];
  execFileSync(
    'openssl',
    ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=localhost', ...certificate],
    { stdio: 'ignore' },
  );
  const site = readFileSync(path.join(import.meta.dirname, '../../deploy/nginx.conf'), 'utf8')
    .replaceAll('127.0.0.1:3000', new URL(service.catalogue).host)
    .replaceAll('127.0.0.1:3001', new URL(service.registration).host)
    .replaceAll('listen 80;', `listen 127.0.0.1:${plain};`)
    .replaceAll('listen 443 ssl', `listen 127.0.0.1:${secure} ssl`)
    .replaceAll(/\/etc\/letsencrypt\S+fullchain\.pem/g, `${folder}/certificate.pem`)
    .replaceAll(/\/etc\/letsencrypt\S+privkey\.pem/g, `${folder}/key.pem`)
    .replaceAll('/var/log/nginx', folder);
  const scratch = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  const paths = scratch.map((each) => `${each}_temp_path ${folder}/${each};`).join(' ');
  writeFileSync(
    `${folder}/nginx.conf`,
    `daemon off; pid ${folder}/nginx.pid; error_log ${folder}/error.log; events {}\nhttp { ${paths}\n${site} }`,
  );
  nginx = spawn('nginx', ['-e', `${folder}/early.log`, '-c', `${folder}/nginx.conf`], { stdio: 'ignore' });
  for (let tries = 0; tries < 100; tries += 1) {
    if (await isListening(secure)) return;
    await wait(100);
  }
  throw new Error(`nginx does not listen: ${readFileSync(`${folder}/early.log`, 'utf8')}`);
}, 60_000);

afterAll(async () => {
  const ended = new Promise((resolve) => nginx.once('exit', resolve));
  nginx.kill('SIGTERM');
  await ended;
  await service.end('SIGINT');
  rmSync(folder, { recursive: true, force: true });
});

/** Requests a host of the configuration over HTTP/2. */
function send(host: string, at: string): Promise<{ status: number; hsts: unknown; body: string }> {
  return new Promise((resolve, reject) => {
    const session = connect(`https://127.0.0.1:${secure}`, { rejectUnauthorized: false });
    session.on('error', reject);
    const request = session.request({ ':path': at, ':authority': host });
    let [status, hsts, body]: [number, unknown, string] = [0, undefined, ''];
    request.on('response', (headers) => {
      status = headers[':status'] ?? 0;
      hsts = headers['strict-transport-security'];
    });
    request.setEncoding('utf8').on('data', (chunk: string) => {
      body += chunk;
    });
    request.on('end', () => {
      session.close();
      resolve({ status, hsts, body });
    });
    request.end();
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
  const headers = { host: 'novels.example.org' };
  const [status, location] = await new Promise<unknown[]>((resolve, reject) => {
    get(`http://127.0.0.1:${plain}/docs?a=1`, { headers }, (response) => {
      response.resume();
      resolve([response.statusCode, response.headers.location]);
    }).on('error', reject);
  });
  expect([status, location]).toEqual([301, 'https://novels.example.org/docs?a=1']);
});

it('nginx logs only the networks of clients', async () => {
  await send('novels.example.org', '/v1/meta/nocgenres');
  const lines = () => readFileSync(`${folder}/mokuroku.log`, 'utf8');
  await expect.poll(lines).toMatch(/^127\.0\.0\.0 \[[^\]]+\] "GET \/v1\/meta\/nocgenres HTTP\/2\.0" 200 /m);
  expect(lines()).not.toContain('127.0.0.1');
});
