// node audit-sbom.mjs FILE: audits every package of an SBOM (CycloneDX), as `npm audit` does an installation. The exit
// code is that of npm: 1 if there is an advisory.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const { components } = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const folder = mkdtempSync(path.join(tmpdir(), 'mokuroku-audit-'));
// Aliases, since a name may occur in several versions.
const parts = components.map(({ name, version }, index) => ({ alias: `part-${index}`, name, version }));
const head = {
  name: 'shipped',
  version: '1.0.0',
  dependencies: Object.fromEntries(
    parts.map(({ alias, name, version }) => [alias, `npm:${name}@${version}`]),
  ),
};
const packages = Object.fromEntries(
  parts.map(({ alias, name, version }) => [`node_modules/${alias}`, { name, version }]),
);
const lock = { ...head, lockfileVersion: 3, requires: true, packages: { '': head, ...packages } };
writeFileSync(path.join(folder, 'package.json'), JSON.stringify(head));
writeFileSync(path.join(folder, 'package-lock.json'), JSON.stringify(lock));
const { status } = spawnSync('npm', ['audit', '--package-lock-only'], { cwd: folder, stdio: 'inherit' });
rmSync(folder, { recursive: true });
process.exitCode = status ?? 1;
