import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { runCommandLine } from '../../src/cli/run-command-line.ts';
import { recordingTerminal } from '../cli/recording-terminal.ts';

async function scriptFor(shell: string): Promise<string> {
  const terminal = recordingTerminal();
  await runCommandLine(['completion', shell], terminal);
  return terminal.written().out;
}

function say(command: string, args: readonly string[], input?: string): string[] {
  const { status, stdout, stderr } = spawnSync(command, args, { input, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command}: ${stderr}`);
  return stdout.split('\n').filter((line) => line !== '');
}

it('fish offers commands, options and values with what they mean', async () => {
  const script = await scriptFor('fish');
  const offers = (line: string) =>
    say('fish', ['--no-config', '-c', `${script}\ncomplete -C ${JSON.stringify(line)}`]);
  expect(offers('mokuroku nov').map((each) => each.split('\t')[0])).toEqual(['novel', 'novels']);
  expect(offers('mokuroku novels --ord')).toEqual([expect.stringMatching(/^--order\tOrder of the results/)]);
  expect(offers('mokuroku novels --order hyoka').map((each) => each.split('\t')[0])).toContain('hyokaasc');
  expect(offers('mokuroku ranking w').map((each) => each.split('\t')[0])).toContain('weekly');
});

it('zsh takes the script, and describes every command by it', async () => {
  const script = await scriptFor('zsh');
  say('zsh', ['-n'], script);
  // The widget's functions, replaced by ones that print what they are given.
  const probe = `compdef() { : }; _describe() { print -l -- $commands }; _arguments() { print -l -- "$@" }
${script}
words=(mokuroku ''); CURRENT=2; _mokuroku
words=(mokuroku ranking ''); CURRENT=3; _mokuroku`;
  const said = say('zsh', ['-f'], probe);
  expect(said).toContain('novel:Show one novel');
  expect(said).toContain('1:value:(daily weekly monthly quarterly)');
  expect(said).toContainEqual(expect.stringMatching(/^--date\[YYYY-MM-DD; a Monday for weekly/));
});
