// dist-client/: the typed client as its own package, `mokuroku-client`, from the same source and version. It contains
// one file of code, its declarations from dist/types/, docs/client.md as its README, and no dependency.
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';

/** Message of require() on a Node that cannot load an ES module. */
const REQUIRED = `throw new Error(
  'mokuroku-client is an ES module. From CommonJS write "const { createCatalogueClient } = await import(\\'mokuroku-client\\')" ' +
    'inside an async function; require() works from Node 20.19 and 22.12 on.',
);
`;

function manifestOf({ version, license, repository, homepage, bugs, keywords }) {
  return {
    name: 'mokuroku-client',
    version,
    description:
      'Typed client of mokuroku, for browsers, Node, Deno, Bun and workers: needs fetch, nothing else.',
    license,
    repository,
    homepage,
    bugs,
    keywords: [...keywords.filter((word) => word !== 'self-hosted'), 'client', 'typescript'],
    type: 'module',
    engines: { node: '>=20' },
    // For tools that do not read `exports`.
    main: './index.js',
    types: './types/index.d.ts',
    sideEffects: false,
    exports: {
      '.': {
        types: './types/index.d.ts',
        // Node's condition for a module that both import and require() may load; older versions use `require`.
        'module-sync': './index.js',
        import: './index.js',
        require: './require.cjs',
        default: './index.js',
      },
      './package.json': './package.json',
    },
  };
}

/** Needs dist/types/. */
export async function buildClientPackage(root) {
  const folder = path.join(root, 'dist-client');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  await build({
    absWorkingDir: root,
    entryPoints: ['src/client/index.ts'],
    outfile: 'dist-client/index.js',
    bundle: true,
    platform: 'neutral',
    format: 'esm',
    target: 'es2022',
    logLevel: 'warning',
  });
  cpSync(path.join(root, 'dist/types/client'), path.join(folder, 'types'), { recursive: true });
  cpSync(path.join(root, 'LICENSE'), path.join(folder, 'LICENSE'));
  cpSync(path.join(root, 'docs/client.md'), path.join(folder, 'README.md'));
  writeFileSync(path.join(folder, 'require.cjs'), REQUIRED);
  const manifest = manifestOf(JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')));
  writeFileSync(path.join(folder, 'package.json'), `${JSON.stringify(manifest, undefined, 2)}\n`);
}
