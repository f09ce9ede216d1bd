import type { Meta, ResponseFacts } from '../client/index.ts';
import { UsageError } from './command.ts';
import { renderCsv } from './csv.ts';
import { createStyle } from './style.ts';
import type { Terminal } from './terminal.ts';
import { printable } from './text-width.ts';

export type Format = 'table' | 'json' | 'csv';

export function formatOf(args: { json?: boolean | undefined; csv?: boolean | undefined }): Format {
  if (args.json && args.csv) throw new UsageError('--json and --csv cannot both be had.');
  return args.json ? 'json' : args.csv ? 'csv' : 'table';
}

/** One JSON document, readable. */
export function writeJson(terminal: Terminal, value: unknown): void {
  terminal.out(`${JSON.stringify(value, null, 2)}\n`);
}

type Cell = string | number | null | undefined;

/** Records as CSV: one column for each key, in the order in which keys first come. */
export function writeRecordsAsCsv(
  terminal: Terminal,
  records: readonly object[],
  none: readonly string[],
): void {
  const keys = new Set<string>();
  for (const record of records) for (const key of Object.keys(record)) keys.add(key);
  const header = keys.size > 0 ? [...keys] : none;
  const rows = records.map((record) => header.map((key) => (record as Record<string, Cell>)[key]));
  terminal.out(renderCsv(header, rows));
}

/** What a reader must know of an answer beside the answer. Goes to standard error, so that pipes stay clean. */
export function noteCircumstances(
  terminal: Terminal,
  { meta, response }: { meta?: Meta; response: ResponseFacts },
): void {
  const style = createStyle(terminal.errHasColour);
  const { sample, ageSeconds } = response;
  if (sample) terminal.err(style.dim('sample data: all of it is invented\n'));
  if (meta?.stale) {
    terminal.err(
      style.yellow(`the upstream does not answer: data from ${Math.round(ageSeconds / 60)} minutes ago\n`),
    );
  }
  if (meta?.ignored && meta.ignored.length > 0) {
    terminal.err(style.yellow(`without effect here: ${meta.ignored.map(printable).join(', ')}\n`));
  }
}

export function noteCount(terminal: Terminal, shown: number, from: number, all: number | undefined): void {
  const style = createStyle(terminal.errHasColour);
  const number = (value: number) => value.toLocaleString('en');
  if (all === undefined || (from === 1 && shown >= all)) {
    terminal.err(style.dim(`${number(shown)} found\n`));
    return;
  }
  const next = from + shown;
  const range = shown === 0 ? `none from ${number(from)} on` : `${number(from)} to ${number(next - 1)} shown`;
  const more = shown > 0 && next <= all ? `; more with --st ${next}` : '';
  terminal.err(style.dim(`${number(all)} found, ${range}${more}\n`));
}
