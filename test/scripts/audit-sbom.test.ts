import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { json } from 'node:stream/consumers';
import { createGunzip } from 'node:zlib';
import { expect, it } from 'vitest';
import { serveHttp } from '../http/serve-http.ts';

const SCRIPT = path.resolve(import.meta.dirname, '../../scripts/audit-sbom.mjs');

/** Audits two versions of a package against a registry that knows these advisories; what it was asked for. */
async function audit(advisories: object) {
  let asked: unknown;
  const registry = await serveHttp((request, response) => {
    const isAudit = request.url === '/-/npm/v1/security/advisories/bulk';
    void json(isAudit ? request.pipe(createGunzip()) : request).then(
      (body) => {
        asked = body;
        response.end(JSON.stringify(advisories));
      },
      () => response.end(JSON.stringify({ name: 'part', versions: {}, 'dist-tags': {} })),
    );
  });
  const sbom = path.join(tmpdir(), 'sbom.json');
  const components = ['1.0.0', '2.0.0'].map((version) => ({ name: '@scope/part', version }));
  writeFileSync(sbom, JSON.stringify({ components }));
  const code = await new Promise<number | null>((done) => {
    const env = { ...process.env, npm_config_registry: registry, npm_config_loglevel: 'silent' };
    execFile(process.execPath, [SCRIPT, sbom], { env }).once('exit', done);
  });
  return { asked, code };
}

it('an SBOM without advisories passes; every version of a package is asked for', async () => {
  expect(await audit({})).toEqual({ asked: { '@scope/part': ['1.0.0', '2.0.0'] }, code: 0 });
});

it('an advisory for one of two versions fails', async () => {
  const advisory = { id: 1, url: 'https://example.org', title: 'fault', severity: 'low' };
  const { code } = await audit({ '@scope/part': [{ ...advisory, vulnerable_versions: '<2.0.0' }] });
  expect(code).toBe(1);
});
