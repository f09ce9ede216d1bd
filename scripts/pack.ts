// npm run pack: the tarballs of the published packages, as they are released, into dist/ of the repository. Packs the
// present files: the build runs before.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { publishedManifest } from './published-manifest.ts';
import type { Manifest } from './published-manifest.ts';

const root = path.dirname(import.meta.dirname);

function pack(destination: string, folder: string): string {
  const options = ['--ignore-scripts', '--loglevel=error', '--pack-destination', destination];
  const printed = execFileSync('npm', ['pack', ...options], { cwd: folder, encoding: 'utf8' });
  return path.join(destination, printed.trim().split('\n').at(-1) ?? '');
}

/** Packs a folder of packages/ as it is released and returns the file. */
export function packInto(destination: string, folder: string): string {
  const scratch = mkdtempSync(path.join(destination, 'packed-'));
  try {
    execFileSync('tar', ['-xzf', pack(scratch, folder), '-C', scratch]);
    const released = path.join(scratch, 'package');
    const file = path.join(released, 'package.json');
    const manifest = JSON.parse(readFileSync(file, 'utf8')) as Manifest;
    writeFileSync(file, JSON.stringify(publishedManifest(manifest), null, 2));
    return pack(destination, released);
  } finally {
    rmSync(scratch, { recursive: true });
  }
}

if (path.resolve(process.argv[1] ?? '') === fileURLToPath(import.meta.url)) {
  const destination = path.join(root, 'dist');
  rmSync(destination, { recursive: true, force: true });
  mkdirSync(destination);
  for (const name of ['mokuroku', 'client', 'whois']) {
    const tarball = packInto(destination, path.join(root, 'packages', name));
    process.stdout.write(`${path.relative(root, tarball)}\n`);
  }
}
