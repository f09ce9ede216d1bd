import { readFileSync, readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { VERSION } from './release.ts';

it('the version sent to clients and the upstream is that of each package', () => {
  const packages = new URL('../../../', import.meta.url);
  const versions = readdirSync(packages).map((folder) => {
    const manifest = readFileSync(new URL(`${folder}/package.json`, packages), 'utf8');
    return (JSON.parse(manifest) as { version: string }).version;
  });
  expect(versions.length).toBeGreaterThan(3);
  expect([...new Set(versions)]).toEqual([VERSION]);
});
