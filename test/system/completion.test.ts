import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { expect, it } from 'vitest';
import { runCommandLine } from '../../src/cli/run-command-line.ts';
import { recordingTerminal } from '../cli/recording-terminal.ts';

const root = path.join(import.meta.dirname, '../..');
const built = `${process.execPath} ${path.join(root, 'dist/cli.js')}`;

async function scriptFor(shell: string): Promise<string> {
  const terminal = recordingTerminal();
  await runCommandLine(['completion', shell], terminal);
  return terminal.written().out;
}

function say(command: string, args: readonly string[], input?: string): string[] {
  const env = { ...process.env, LC_ALL: 'C.UTF-8' };
  const { status, stdout, stderr } = spawnSync(command, args, { input, encoding: 'utf8', env });
  if (status !== 0 || stderr !== '') throw new Error(`${command}: ${stderr}`);
  return stdout.split('\n').filter((line) => line !== '');
}

it('bash completes commands, options, values of closed sets, and the last code of a list', async () => {
  const script = await scriptFor('bash');
  const offers = (...words: string[]): string[] => {
    const list = words.map((word) => `'${word}'`).join(' ');
    const request = `COMP_WORDS=(${list}); COMP_CWORD=${words.length - 1}; _mokuroku; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const mokuroku = `mokuroku() { ${built} "$@"; }`;
    return say('bash', ['--noprofile', '--norc', '-c', `${mokuroku}\n${script}\n${request}`]);
  };
  expect(offers('mokuroku', 'nov')).toEqual(['novels', 'novel']);
  expect(offers('mokuroku', 'novels', '--ord')).toEqual(['--order']);
  expect(offers('mokuroku', 'novels', '--order', 'hyokaa')).toEqual(['hyokaasc']);
  // Split like bash splits `--order=hyokaa`.
  expect(offers('mokuroku', 'novels', '--order', '=', 'hyokaa')).toEqual(['hyokaasc']);
  expect(offers('mokuroku', 'novels', '--order', '=')).toContain('hyokaasc');
  expect(offers('mokuroku', 'ranking', '')).toEqual(['daily', 'weekly', 'monthly', 'quarterly']);
  expect(offers('mokuroku', 'novels', '--of', 't-g')).toContain('t-gp');
  expect(offers('mokuroku', 'whois', '--from', '')).toEqual([]);
});

it('fish completes commands, options and values with descriptions, and files where there are none', async () => {
  const script = await scriptFor('fish');
  const mokuroku = `function mokuroku; ${built} $argv; end`;
  const offers = (line: string) =>
    say('fish', ['--no-config', '-c', `${mokuroku}\n${script}\ncomplete -C ${JSON.stringify(line)}`]);
  const valuesOf = (line: string) => offers(line).map((each) => each.split('\t')[0]);
  expect(offers('mokuroku nov')).toContain('novel\tShow one novel');
  expect(valuesOf('mokuroku ')).toContain('whois');
  expect(offers('mokuroku novels --ord')).toEqual([expect.stringMatching(/^--order\tOrder of the results/)]);
  expect(valuesOf('mokuroku novels --order hyoka')).toContain('hyokaasc');
  expect(valuesOf('mokuroku novels --order=hyoka')).toContain('--order=hyokaasc');
  expect(valuesOf('mokuroku ranking w')).toContain('weekly');
  expect(valuesOf(`mokuroku whois --from ${root}/package`)).toContain(`${root}/package.json`);
});

it('zsh completes commands, options and values with descriptions, and files where there are none', async () => {
  const script = await scriptFor('zsh');
  say('zsh', ['-n'], script);
  // The functions of the completion system, replaced by ones that print their arguments.
  const system = `compdef() { : }; _describe() { print -l -- "\${(@P)2}" }; _files() { print files }`;
  const offers = (...words: string[]): string[] => {
    const line = words.map((word) => `'${word}'`).join(' ');
    const probe = `mokuroku() { ${built} "$@" }\n${system}\n${script}\nwords=(${line}); CURRENT=${words.length}; _mokuroku`;
    return say('zsh', ['-f'], probe);
  };
  expect(offers('mokuroku', 'nov')).toContain('novel:Show one novel');
  expect(offers('mokuroku', 'ranking', '')).toEqual(['daily', 'weekly', 'monthly', 'quarterly']);
  expect(offers('mokuroku', 'ranking', '--date', '2026-', '--j')).toEqual([
    '--json:Print the response as JSON',
  ]);
  expect(offers('mokuroku', 'ranking', '--date', '')).toEqual(['files']);
});
