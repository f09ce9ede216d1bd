import type { ArgDef } from 'citty';
import type { Command } from './command.ts';
import { wrap } from './text-width.ts';

const MAX_COLUMNS = 110;

/** Two columns; the right one is wrapped. */
function twoColumns(rows: readonly (readonly [string, string])[], columns = MAX_COLUMNS): string {
  const left = Math.max(...rows.map(([label]) => label.length));
  const room = Math.max(30, Math.min(columns, MAX_COLUMNS) - left - 4);
  return rows
    .map(([label, text]) =>
      wrap(text, room)
        .map((line, i) => `  ${(i === 0 ? label : '').padEnd(left)}  ${line}\n`)
        .join(''),
    )
    .join('');
}

const TEXT_BEFORE = `mokuroku (目録): a novel catalogue and a domain registration lookup, as services and from here.

Usage: mokuroku <command> [options]

`;

const TEXT_AFTER = `
  mokuroku <command> --help   options and examples of a command
  mokuroku --version
`;

export function renderHelp(commands: Readonly<Record<string, { summary: string }>>): string {
  const rows = Object.entries(commands).map(([name, { summary }]) => [name, summary] as const);
  return `${TEXT_BEFORE}Commands:\n${twoColumns(rows)}${TEXT_AFTER}`;
}

function optionLabel(name: string, arg: ArgDef): string {
  const alias = 'alias' in arg ? [arg.alias].flat() : [];
  const value = arg.type === 'boolean' ? '' : ` <${arg.valueHint ?? 'value'}>`;
  return (
    [...alias.map((each) => (each.length === 1 ? `-${each}` : `--${each}`)), `--${name}`].join(', ') + value
  );
}

export function renderCommandHelp(command: Command, columns: number | undefined): string {
  const args = Object.entries(command.args);
  const positionals = args.filter(([, arg]) => arg.type === 'positional');
  const options = args.filter(([, arg]) => arg.type !== 'positional');
  const shape = positionals.map(([name, arg]) => {
    const shown = command.takesMany ? `${name}...` : name;
    return arg.required === false ? ` [${shown}]` : ` <${shown}>`;
  });
  const rows = [
    ...positionals.map(([name, arg]) => [name, arg.description ?? ''] as const),
    ...options.map(([name, arg]) => [optionLabel(name, arg), arg.description ?? ''] as const),
  ];
  const described = rows.length === 0 ? '' : `\n${twoColumns(rows, columns)}`;
  const examples = command.examples.map((example) => `  ${example}\n`).join('');
  return `${command.summary}\n\nUsage: mokuroku ${command.name}${shape.join('')}${options.length > 0 ? ' [options]' : ''}\n${described}\nExamples:\n${examples}`;
}
