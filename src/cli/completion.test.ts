import { execFileSync } from 'node:child_process';
import { beforeAll, describe, expect, it } from 'vitest';
import { recordingTerminal } from '../../test/cli/recording-terminal.ts';
import { COMMANDS } from './commands.ts';
import { runCommandLine } from './run-command-line.ts';

async function scriptFor(shell: string): Promise<string> {
  const terminal = recordingTerminal();
  expect(await runCommandLine(['completion', shell], terminal)).toBe(0);
  return terminal.written().out;
}

describe('bash', () => {
  let script: string;
  beforeAll(async () => {
    script = await scriptFor('bash');
  });

  /** What bash itself would offer for the last of the words. */
  function offers(...words: string[]): string[] {
    const list = words.map((word) => `'${word}'`).join(' ');
    const ask = `COMP_WORDS=(${list}); COMP_CWORD=${words.length - 1}; _mokuroku; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const said = execFileSync('bash', ['--noprofile', '--norc', '-c', `${script}\n${ask}`], {
      encoding: 'utf8',
    });
    return said.split('\n').filter((line) => line !== '');
  }

  it('offers commands, options, and values of closed sets', () => {
    expect(offers('mokuroku', 'nov')).toEqual(['novels', 'novel']);
    expect(offers('mokuroku', 'novels', '--ord')).toEqual(['--order']);
    expect(offers('mokuroku', 'novels', '--order', 'hyoka')).toEqual(
      expect.arrayContaining(['hyoka', 'hyokaasc', 'hyokacnt']),
    );
    expect(offers('mokuroku', 'ranking', 'w')).toEqual(['weekly']);
  });

  it('completes the last code of a list', () => {
    expect(offers('mokuroku', 'novels', '--of', 't-g')).toEqual(
      expect.arrayContaining(['t-g', 't-gf', 't-gl', 't-ga', 't-gp']),
    );
  });
});

it.each(['zsh', 'fish', 'powershell'])('%s is told of every command', async (shell) => {
  const script = await scriptFor(shell);
  for (const name of Object.keys(COMMANDS)) expect(script).toContain(name);
  expect(script).toContain('hyokaasc');
});

it('PowerShell is given whole strings, whatever is in them', async () => {
  const script = await scriptFor('powershell');
  // Without its strings ('' stands for a quote in one) no quote is left, and brackets are balanced.
  const code = script.replaceAll(/^#.*/gm, '').replaceAll(/'(?:[^'\n]|'')*'/g, 's');
  expect(code).not.toContain("'");
  for (const [open, close] of ['{}', '()', '[]'].map((pair) => pair.split(''))) {
    expect(code.split(open ?? '')).toHaveLength(code.split(close ?? '').length);
  }
});
