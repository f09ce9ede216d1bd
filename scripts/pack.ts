// npm run pack [-- URL]: the tarballs of the published packages, as they are released, into dist/ of the repository. Packs
// the present files: the build runs before. URL: the address of the repository, for a release.
//
// npm runs it around a plain `npm pack` of a package: `--prepack` rewrites its package.json, `--postpack` restores it.
import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

interface Manifest {
  exports: Record<string, unknown>;
  scripts?: unknown;
  devDependencies?: unknown;
}

const root = path.dirname(import.meta.dirname);

/** npm rejects provenance of a package without the address of its repository. */
const origin = (url: string, directory: string) => ({
  repository: { type: 'git', url: `git+${url}.git`, directory },
  homepage: `${url}/tree/HEAD/${directory}#readme`,
  bugs: { url: `${url}/issues` },
});

/** Without what is for the repository alone: subpaths of sources, which are not packed, scripts and tools. */
function publishedManifest({ scripts: _scripts, devDependencies: _tools, exports, ...rest }: Manifest) {
  const packed = Object.entries(exports).filter(([, target]) => !String(target).startsWith('./src/'));
  return { ...rest, exports: Object.fromEntries(packed) };
}

function publishManifest(file: string, from: object = {}): void {
  const manifest = publishedManifest(JSON.parse(readFileSync(file, 'utf8')) as Manifest);
  writeFileSync(file, JSON.stringify({ ...manifest, ...from }, null, 2));
}

/** Around `npm pack` of the package in the working directory. */
function packManifest(step: '--prepack' | '--postpack'): void {
  const folder = path.join(root, 'node_modules/.cache/mokuroku/manifests');
  const original = path.join(folder, `${path.basename(process.cwd())}.json`);
  if (step === '--postpack') {
    renameSync(original, 'package.json');
    return;
  }
  mkdirSync(folder, { recursive: true });
  copyFileSync('package.json', original);
  publishManifest('package.json');
}

function pack(destination: string, folder: string): string {
  const options = ['--ignore-scripts', '--loglevel=error', '--pack-destination', destination];
  const printed = execFileSync('npm', ['pack', ...options], { cwd: folder, encoding: 'utf8' });
  return path.join(destination, printed.trim().split('\n').at(-1) ?? '');
}

/** Packs a folder as it is released, from the repository at an address, and returns the file. */
export function packInto(destination: string, folder: string, url?: string): string {
  const scratch = mkdtempSync(path.join(destination, 'packed-'));
  try {
    execFileSync('tar', ['-xzf', pack(scratch, folder), '-C', scratch]);
    const released = path.join(scratch, 'package');
    const file = path.join(released, 'package.json');
    publishManifest(file, url === undefined ? {} : origin(url, path.relative(root, folder)));
    return pack(destination, released);
  } finally {
    rmSync(scratch, { recursive: true });
  }
}

const [script, url] = process.argv.slice(1);
const isRun = path.resolve(script ?? '') === fileURLToPath(import.meta.url);
if (isRun && (url === '--prepack' || url === '--postpack')) packManifest(url);
else if (isRun) {
  if (url !== undefined && !URL.canParse(url))
    throw new Error('usage: npm run pack -- https://host/owner/name');
  const destination = path.join(root, 'dist');
  rmSync(destination, { recursive: true, force: true });
  mkdirSync(destination);
  for (const name of ['mokuroku', 'client', 'whois']) {
    const tarball = packInto(destination, path.join(root, 'packages', name), url);
    process.stdout.write(`${path.relative(root, tarball)}\n`);
  }
}
