import { expect, it } from 'vitest';
import { recordingTerminal } from '../../test/cli/recording-terminal.ts';
import { COMMANDS } from './commands.ts';
import { runCommandLine } from './run-command-line.ts';

/** Completions of the last word, each with its description. */
async function offers(...words: string[]): Promise<Record<string, string>> {
  const terminal = recordingTerminal();
  const [current = '', ...before] = [...words].reverse();
  const requests = ['completion', `--suggest=${current}`, '--', 'mokuroku', ...before.reverse()];
  const code = await runCommandLine(requests, terminal);
  const lines = terminal.written().out.split('\n').slice(0, -1);
  expect(code).toBe(lines.length > 0 ? 0 : 3);
  return Object.fromEntries(lines.map((line) => line.split('\t') as [string, string]));
}

const valuesOf = async (...words: string[]) => Object.keys(await offers(...words));

it('every command is offered with its first sentence, and every option of a command', async () => {
  expect(await offers('nov')).toEqual({
    novels: 'Search novels by words, genre, author or length',
    novel: 'Show one novel',
  });
  expect(await offers('ranking', '--top')).toEqual({ '--top': 'Number of entries' });
  expect(await valuesOf('')).toEqual([...Object.keys(COMMANDS), 'help', '--help', '--version']);
  expect(await valuesOf('help', 'who')).toEqual(['whois']);
  expect(await valuesOf('help', 'whois', 'who')).toEqual([]);
  const { args } = await COMMANDS['serve']!.load();
  expect(await valuesOf('serve', '--')).toEqual([...Object.keys(args).map((name) => `--${name}`), '--help']);
  expect((await offers('novels', '--ord'))['--order']).toContain('Order of the');
});

it('values of closed sets are offered after their option, after = too, and as arguments', async () => {
  expect(await valuesOf('novels', '--order', 'hyoka')).toEqual([
    'hyoka',
    'hyokaasc',
    'hyokacnt',
    'hyokacntasc',
  ]);
  expect(await valuesOf('novels', '--order=hyokaa')).toEqual(['--order=hyokaasc']);
  // As bash splits the same.
  expect(await valuesOf('novels', '--order', '=', 'hyokaa')).toEqual(['hyokaasc']);
  expect(await valuesOf('ranking', '--of', '=')).toContain('t');
  expect(await valuesOf('ranking', 'w')).toEqual(['weekly']);
  expect(await valuesOf('novels', '--json', 'w')).toEqual([]);
});

it('the last member of a list is completed', async () => {
  expect(await valuesOf('novels', '--of', 't-g')).toEqual(expect.arrayContaining(['t-g', 't-gf', 't-gp']));
  expect(await valuesOf('novels', '--genre', '201,30')).toContain('201,301');
});

it('a given option is not offered again', async () => {
  expect(await valuesOf('novels', '--json', '--js')).toEqual([]);
});

it('after an unknown command nothing is offered, and nothing fails', async () => {
  expect(await valuesOf('novl', '--or')).toEqual([]);
  expect(await valuesOf('toString', '')).toEqual([]);
});
