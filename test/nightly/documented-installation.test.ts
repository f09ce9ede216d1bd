import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { found, read } from '../documents/documents.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { INSTALL_MS, root, run } from './installed-package.ts';

// The lines of docs/self-hosting.md and the systemd units, on an empty prefix.

const prefix = temporaryFolder();
const bin = path.join(prefix, 'bin');
const shell = (line: string) =>
  run('bash', ['-c', `export npm_config_prefix='${prefix}' PATH='${bin}':"$PATH"; ${line}`], root);
const units = readdirSync(path.join(root, 'deploy')).filter((name) => name.endsWith('.service'));

beforeAll(() => {
  shell('npm run --silent pack');
  const [install = ''] = found(read('docs/self-hosting.md'), /`(npm install --global [^`]+)`/g);
  expect(install).toContain('dist/mokuroku-');
  shell(`${install} --prefer-offline --no-audit --no-fund --loglevel=error`);
}, INSTALL_MS);

it('the command says its version', () => {
  expect(shell('mokuroku --version')).toMatch(/^\d+\.\d+\.\d+\n$/);
});

it.each(units)('%s starts a command that exists', (unit) => {
  const commands = found(read(`deploy/${unit}`), /^ExecStart=\/usr\/bin\/env (\S+ \S+)/gm);
  expect(commands).toHaveLength(1);
  for (const command of commands) {
    expect(existsSync(path.join(bin, command.split(' ')[0] ?? ''))).toBe(true);
    expect(shell(`${command} --help`)).toContain(command);
  }
});
