import type { Command, ListedCommand } from './command.ts';
import { say, translated } from './say.ts';
import type { Terminal } from './terminal.ts';
import { displayWidth, pad, wrap } from './text-width.ts';

type Row = readonly [label: string, text: string];

const MAX_COLUMNS = 110;
/** A longer label stands on a line of its own. */
const MAX_LABEL = 26;

/** Two columns; the right one is wrapped. */
function twoColumns(rows: readonly Row[], columns = MAX_COLUMNS): string {
  const left = Math.min(MAX_LABEL, Math.max(...rows.map(([label]) => displayWidth(label))));
  const room = Math.max(30, Math.min(columns, MAX_COLUMNS) - left - 4);
  return rows
    .map(([label, text]) => {
      const lines = wrap(text, room);
      if (displayWidth(label) > left) lines.unshift('');
      return lines
        .map((line, i) => `  ${pad(i === 0 ? label : '', left)}  ${line}`.trimEnd() + '\n')
        .join('');
    })
    .join('');
}

export function renderHelp(commands: Readonly<Record<string, ListedCommand>>, terminal: Terminal): string {
  const rows = Object.entries(commands).map(([name, { summary }]): Row => [
    name,
    translated(terminal, summary),
  ]);
  return `${say(terminal, 'mokuroku (目録): a novel catalogue and a domain registration lookup, as services and from here.')}

${say(terminal, 'Usage:')} mokuroku <command> [options]

${say(terminal, 'Commands:')}
${twoColumns(rows, terminal.columns)}
${twoColumns([
  ['mokuroku <command> --help', say(terminal, 'options and examples of a command')],
  ['mokuroku --version', say(terminal, 'which version this is')],
])}`;
}

/** The options by their headings, in the order in which these first come; what has none comes first. */
function optionSections({ word, args }: Command, terminal: Terminal): Map<string, Row[]> {
  const sections = new Map<string, Row[]>();
  const add = (heading: string, row: Row): void => {
    sections.set(heading, [...(sections.get(heading) ?? []), row]);
  };
  if (word) add('', [`<${word.name}>`, translated(terminal, word.description)]);
  for (const [name, option] of Object.entries(args)) {
    if (!option.group) add('', optionRow(name, option, terminal));
  }
  for (const [name, option] of Object.entries(args)) {
    if (option.group) add(option.group, optionRow(name, option, terminal));
  }
  return sections;
}

function optionRow(
  name: string,
  { type, valueHint, description }: Command['args'][string],
  terminal: Terminal,
): Row {
  const value = type === 'boolean' ? '' : ` <${valueHint ?? 'value'}>`;
  return [`--${name}${value}`, translated(terminal, description)];
}

export function renderCommandHelp(
  name: string,
  summary: string,
  command: Command,
  terminal: Terminal,
): string {
  const { word, examples } = command;
  const sections = [...optionSections(command, terminal)].map(([heading, rows]) => {
    const title = heading === '' ? '' : `${translated(terminal, heading)}\n`;
    return `\n${title}${twoColumns(rows, terminal.columns)}`;
  });
  const shown = word && (word.isMany ? `${word.name}...` : word.name);
  const shape = shown === undefined ? '' : word?.isOptional ? ` [${shown}]` : ` <${shown}>`;
  const options = Object.keys(command.args).length > 0 ? ' [options]' : '';
  return `${translated(terminal, summary)}

${say(terminal, 'Usage:')} mokuroku ${name}${shape}${options}
${sections.join('')}
${say(terminal, 'Examples:')}
${examples.map((example) => `  ${example}\n`).join('')}`;
}
