import { execFile } from 'node:child_process';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { serveHttp } from '../http/serve-http.ts';
import { ROOT, found, read } from './documents.ts';

/** The port of a service that lives, with the given status of /readyz. */
async function serviceWith(readyStatus: number): Promise<string> {
  const address = await serveHttp(({ url }, response) => {
    response.writeHead(url === '/readyz' ? readyStatus : 200).end();
  });
  return new URL(address).port;
}

const exitCodeWith = (environment: Record<string, string>) =>
  new Promise<number | null>((done) => {
    const child = execFile(process.execPath, [path.join(ROOT, 'deploy/health-check.mjs')], {
      env: environment,
    });
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
        CATALOGUE_PORT: await serviceWith(catalogue),
        MOKUROKU_REGISTRATION_PORT: await serviceWith(registration),
        SERVE_ONLY: only,
      };
      expect(await exitCodeWith(environment)).toBe(code);
    },
  );
});

it('the Caddyfile asks whether a service is ready, not whether it lives: a draining replica lives', () => {
  expect(found(read('deploy/Caddyfile'), /health_uri (\S+)/g)).toEqual(['/readyz']);
});
