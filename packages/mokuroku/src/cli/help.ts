import type { Command, ListedCommand } from './command.ts';
import { say, translated } from './terminal.ts';
import type { Terminal } from './terminal.ts';
import { renderPairs } from './text-width.ts';
import type { Pair } from './text-width.ts';
import type { Text } from '@mokuroku/kit';

const MAX_COLUMNS = 110;

const twoColumns = (rows: readonly Pair[], columns = MAX_COLUMNS): string =>
  renderPairs(rows, { columns: Math.min(columns, MAX_COLUMNS), indent: 2, maxLabelWidth: 26 });

export function renderHelp(commands: Readonly<Record<string, ListedCommand>>, terminal: Terminal): string {
  const rows = Object.entries(commands).map(([name, { summary }]): Pair => [
    name,
    translated(terminal, summary),
  ]);
  const about = say(
    terminal,
    'mokuroku (目録): a novel catalogue and a domain registration lookup, as services and from here.',
    'mokuroku（目録）: 小説カタログとドメイン登録の照会。サービスとしても、コマンドとしても使えます。',
  );
  return `${about}

${say(terminal, 'Usage:', '使い方:')} mokuroku <command> [options]

${say(terminal, 'Commands:', 'コマンド:')}
${twoColumns(rows, terminal.columns)}
${twoColumns([
  [
    'mokuroku <command> --help',
    say(terminal, 'options and examples of a command', 'コマンドのオプションと例'),
  ],
  ['mokuroku --version', say(terminal, 'show the version', 'バージョン')],
])}`;
}

/** The options by section, in the order in which sections first occur; options without one come first. */
function optionSections({ word, args, commonOptions }: Command, terminal: Terminal) {
  const ofWord: Pair[] = word ? [[`<${word.name}>`, translated(terminal, word.description)]] : [];
  const sections = new Map<Text | undefined, Pair[]>([[undefined, ofWord]]);
  for (const [name, option] of Object.entries(args)) {
    if (commonOptions?.includes(name) === false) continue;
    const { group, type, valueHint = 'value', description } = option;
    const shown = type === 'boolean' ? `--${name}` : `--${name} <${valueHint}>`;
    sections.set(group, [...(sections.get(group) ?? []), [shown, translated(terminal, description)]]);
  }
  return sections;
}

export function renderCommandHelp(name: string, summary: Text, command: Command, terminal: Terminal): string {
  const { word, examples, commonOptions } = command;
  const sections = [...optionSections(command, terminal)].map(([heading, rows]) => {
    const title = heading && `${translated(terminal, heading)}\n`;
    return `\n${title ?? ''}${twoColumns(rows, terminal.columns)}`;
  });
  const shown = word && (word.isMany ? `${word.name}...` : word.name);
  const shape = shown === undefined ? '' : word?.isOptional ? ` [${shown}]` : ` <${shown}>`;
  const count = Object.keys(command.args).length;
  const options = count > 0 ? ' [options]' : '';
  const more = commonOptions
    ? `\n${say(terminal, `All ${count} options:`, `${count} 個のオプションすべて:`)} mokuroku ${name} --help all\n`
    : '';
  return `${translated(terminal, summary)}

${say(terminal, 'Usage:', '使い方:')} mokuroku ${name}${shape}${options}

${say(terminal, 'Examples:', '例:')}
${examples.map((example) => `  ${example}\n`).join('')}${sections.join('')}${more}`;
}
