// tsx scripts/published-manifest.ts URL: rewrites package.json of each published package for its release from the
// repository at this address. Run it after the build, in a checkout that is used for nothing else.
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export interface Manifest {
  private?: boolean;
  exports: Record<string, unknown>;
  scripts?: unknown;
  devDependencies?: unknown;
}

/** Without what is for the repository alone: subpaths of sources, which are not packed, scripts and tools. */
export function publishedManifest({
  scripts: _scripts,
  devDependencies: _tools,
  exports,
  ...rest
}: Manifest) {
  const packed = Object.entries(exports).filter(([, target]) => !String(target).startsWith('./src/'));
  return { ...rest, exports: Object.fromEntries(packed) };
}

/** npm rejects provenance of a package without the address of its repository. */
const origin = (url: string, directory: string) => ({
  repository: { type: 'git', url: `git+${url}.git`, directory },
  homepage: `${url}/tree/HEAD/${directory}#readme`,
  bugs: { url: `${url}/issues` },
});

const [script, url] = process.argv.slice(1);
if (path.resolve(script ?? '') === fileURLToPath(import.meta.url)) {
  if (url === undefined || !URL.canParse(url))
    throw new Error('usage: published-manifest.ts https://host/owner/name');
  const root = path.dirname(import.meta.dirname);
  for (const folder of readdirSync(path.join(root, 'packages'))) {
    const file = path.join(root, 'packages', folder, 'package.json');
    const manifest = JSON.parse(readFileSync(file, 'utf8')) as Manifest;
    if (manifest.private) continue;
    const published = { ...publishedManifest(manifest), ...origin(url, `packages/${folder}`) };
    writeFileSync(file, `${JSON.stringify(published, null, 2)}\n`);
  }
}
