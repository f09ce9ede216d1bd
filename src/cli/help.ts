import type { Command, ListedCommand } from './command.ts';
import { say, translated } from './say.ts';
import type { Terminal } from './terminal.ts';
import { renderPairs } from './text-width.ts';
import type { Pair } from './text-width.ts';

const MAX_COLUMNS = 110;

const twoColumns = (rows: readonly Pair[], columns = MAX_COLUMNS): string =>
  renderPairs(rows, { columns: Math.min(columns, MAX_COLUMNS), indent: 2, maxLabelWidth: 26 });

export function renderHelp(commands: Readonly<Record<string, ListedCommand>>, terminal: Terminal): string {
  const rows = Object.entries(commands).map(([name, { summary }]): Pair => [
    name,
    translated(terminal, summary),
  ]);
  return `${say(terminal, 'mokuroku (目録): a novel catalogue and a domain registration lookup, as services and from here.')}

${say(terminal, 'Usage:')} mokuroku <command> [options]

${say(terminal, 'Commands:')}
${twoColumns(rows, terminal.columns)}
${twoColumns([
  ['mokuroku <command> --help', say(terminal, 'options and examples of a command')],
  ['mokuroku --version', say(terminal, 'show the version')],
])}`;
}

/** The options by section, in the order in which sections first occur; options without one come first. */
function optionSections({ word, args, commonOptions }: Command, terminal: Terminal): Map<string, Pair[]> {
  const ofWord: Pair[] = word ? [[`<${word.name}>`, translated(terminal, word.description)]] : [];
  const sections = new Map([['', ofWord]]);
  for (const [name, option] of Object.entries(args)) {
    if (commonOptions?.includes(name) === false) continue;
    const { group = '' } = option;
    sections.set(group, [...(sections.get(group) ?? []), optionRow(name, option, terminal)]);
  }
  return sections;
}

function optionRow(
  name: string,
  { type, valueHint, description }: Command['args'][string],
  terminal: Terminal,
): Pair {
  const value = type === 'boolean' ? '' : ` <${valueHint ?? 'value'}>`;
  return [`--${name}${value}`, translated(terminal, description)];
}

export function renderCommandHelp(
  name: string,
  summary: string,
  command: Command,
  terminal: Terminal,
): string {
  const { word, examples, commonOptions } = command;
  const sections = [...optionSections(command, terminal)].map(([heading, rows]) => {
    const title = heading === '' ? '' : `${translated(terminal, heading)}\n`;
    return `\n${title}${twoColumns(rows, terminal.columns)}`;
  });
  const shown = word && (word.isMany ? `${word.name}...` : word.name);
  const shape = shown === undefined ? '' : word?.isOptional ? ` [${shown}]` : ` <${shown}>`;
  const count = Object.keys(command.args).length;
  const options = count > 0 ? ' [options]' : '';
  const more = commonOptions
    ? `\n${say(terminal, 'All {count} options:', { count })} mokuroku ${name} --help all\n`
    : '';
  return `${translated(terminal, summary)}

${say(terminal, 'Usage:')} mokuroku ${name}${shape}${options}

${say(terminal, 'Examples:')}
${examples.map((example) => `  ${example}\n`).join('')}${sections.join('')}${more}`;
}
