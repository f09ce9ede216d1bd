// node bench/bundle.mjs NAME [OPTIONS]: bundles bench/NAME.ts with our own packages, as shipped, and runs it. What npm
// installs stays external.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { build } from 'esbuild';

const [name, ...options] = process.argv.slice(2);
const root = path.resolve(import.meta.dirname, '..');
const outdir = path.join(root, 'node_modules/.cache/mokuroku', name);

await build({
  absWorkingDir: root,
  entryPoints: [`bench/${name}.ts`],
  outdir,
  outExtension: { '.js': '.mjs' },
  bundle: true,
  splitting: true,
  platform: 'node',
  format: 'esm',
  logLevel: 'error',
  plugins: [
    {
      name: 'installed-packages-are-external',
      setup: ({ onResolve }) => {
        onResolve({ filter: /^[@\w]/ }, ({ kind, path: named }) =>
          kind === 'entry-point' || /^(@mokuroku\/|mokuroku-)/.test(named)
            ? undefined
            : { path: named, external: true },
        );
      },
    },
  ],
});
const { status } = spawnSync(process.execPath, [path.join(outdir, `${name}.mjs`), ...options], {
  stdio: 'inherit',
});
process.exitCode = status ?? 1;
