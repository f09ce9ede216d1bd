import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';

const deploy = path.resolve(import.meta.dirname, '../../deploy');

/** A service that lives, with the given status of /readyz. */
async function serviceWith(readyStatus: number): Promise<number> {
  const server = http.createServer(({ url }, response) => {
    response.writeHead(url === '/readyz' ? readyStatus : 200).end();
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

const exitCodeWith = (environment: Record<string, string>) =>
  new Promise<number | null>((done) => {
    const child = execFile(process.execPath, [path.join(deploy, 'health-check.mjs')], { env: environment });
    child.once('exit', done);
  });

describe('the health check of a container', () => {
  it.each([
    [200, 200, '', 0],
    [200, 503, '', 1],
    [503, 200, '', 1],
    [200, 503, 'catalogue', 0],
    [503, 200, 'registration', 0],
    [503, 200, 'catalogue', 1],
  ])(
    'with a catalogue of %i and a registration of %i, SERVE_ONLY=%s, exits with %i',
    async (catalogue, registration, only, code) => {
      const environment = {
        CATALOGUE_PORT: String(await serviceWith(catalogue)),
        MOKUROKU_REGISTRATION_PORT: String(await serviceWith(registration)),
        SERVE_ONLY: only,
      };
      expect(await exitCodeWith(environment)).toBe(code);
    },
  );
});

it('the Caddyfile asks whether a service is ready, not whether it lives: a draining replica lives', () => {
  const text = readFileSync(path.join(deploy, 'Caddyfile'), 'utf8');
  expect([...text.matchAll(/health_uri (\S+)/g)].map(([, given]) => given)).toEqual(['/readyz']);
});
