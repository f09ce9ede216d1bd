import { writeCsv } from '../csv.ts';
import type { Meta, ResponseFacts } from '../client/index.ts';
import { UsageError } from './command.ts';
import { say } from './say.ts';
import { note, warn } from './terminal.ts';
import type { Terminal } from './terminal.ts';
import { printable, truncate } from './text-width.ts';

export type Format = 'table' | 'json' | 'csv';

/** How an answer is written; a table where nothing is said. */
export const FORMAT_OPTIONS = {
  json: { type: 'boolean', description: 'Write the answer as JSON.', group: 'Output' },
  csv: { type: 'boolean', description: 'Write CSV (RFC 4180, UTF-8).', group: 'Output' },
  web: {
    type: 'boolean',
    description: 'Open it in the browser, on the page of the service.',
    group: 'Output',
  },
} as const;

export function formatOf(args: { json?: boolean | undefined; csv?: boolean | undefined }): Format {
  if (args.json && args.csv) throw new UsageError('--json and --csv cannot both be had.');
  return args.json ? 'json' : args.csv ? 'csv' : 'table';
}

/** The keys of all records, in the order in which they first come. */
export function keysOf(records: readonly object[]): string[] {
  return [...new Set(records.flatMap((record) => Object.keys(record)))];
}

interface Forms {
  /** Records of the CSV: a column for each of their keys. */
  records: readonly object[];
  /** Its header where there are no records. */
  header: readonly string[];
  /** For people. */
  text: () => string;
}

/** Writes an answer of the catalogue in the form that was asked for, and what a reader must know beside it. */
export function writeAnswer(
  terminal: Terminal,
  format: Format,
  { data, meta, response }: { data: unknown; meta: Meta; response: ResponseFacts },
  { records, header, text }: Forms,
): void {
  if (format === 'json') terminal.out(`${JSON.stringify({ data, meta }, null, 2)}\n`);
  else if (format === 'csv') {
    const columns = records.length > 0 ? keysOf(records) : header;
    terminal.out(writeCsv({ columns, rows: records }));
  } else if (records.length > 0) terminal.out(text());
  if (response.sample) noteSample(terminal);
  if (meta.stale) {
    const minutes = Math.round(response.ageSeconds / 60);
    warn(terminal, 'the upstream does not answer: data from {minutes} minutes ago', { minutes });
  }
  if (meta.ignored && meta.ignored.length > 0) {
    const names = meta.ignored.map(printable).join(', ');
    warn(terminal, 'without effect here: {names}', { names });
  }
}

export function noteSample(terminal: Terminal): void {
  note(terminal, 'sample data: all of it is invented');
}

export const wholeNumber = (value: number | undefined): string => value?.toLocaleString('en') ?? '';

/** How many there are, and where the rest is. */
export function noteCount(terminal: Terminal, shown: number, from: number, all: number | undefined): void {
  if (all === undefined || (from === 1 && shown >= all)) {
    note(terminal, '{shown} found', { shown: wholeNumber(shown) });
    return;
  }
  const next = from + shown;
  const values = { all: wholeNumber(all), from: wholeNumber(from), to: wholeNumber(next - 1), next };
  if (shown === 0) note(terminal, '{all} found, none from {from} on', values);
  else if (next > all) note(terminal, '{all} found, {from} to {to} shown', values);
  else note(terminal, '{all} found, {from} to {to} shown; more with --st {next}', values);
}

const BAR_COLUMNS = 20;

/** Twenty columns, so many of them full as `part` (0 to 1) of the whole. */
export function progressBar(part: number): string {
  const full = Math.floor(Math.min(1, part) * BAR_COLUMNS);
  return '█'.repeat(full) + '░'.repeat(BAR_COLUMNS - full);
}

/** Back to the beginning of the line, which is empty then. */
const ERASE_LINE = '\r\u001b[2K';

/** Draws a line of standard error over itself, where that is a terminal; longer than it is wide it would not go again. */
export function drawOver(terminal: Terminal, line: string): void {
  if (terminal.errColumns !== undefined) terminal.err(ERASE_LINE + truncate(line, terminal.errColumns - 1));
}

/** `████████░░░░░░░░░░░░ 48/120 example.jp` on one line of standard error, only where that is a terminal and there are several. */
export function createProgress(terminal: Terminal, total: number) {
  let done = 0;
  const show = (text: string): void => {
    if (total > 1) drawOver(terminal, `${progressBar(done / total)} ${done}/${total} ${truncate(text, 40)}`);
  };
  return {
    step: (name: string): void => {
      done++;
      show(printable(name));
    },
    /** The service asks to slow down, or does not answer: for so many seconds nothing is asked. */
    wait: (seconds: number): void => show(say(terminal, 'waiting {seconds} s', { seconds })),
    end: (): void => {
      if (total > 1) drawOver(terminal, '');
    },
  };
}
