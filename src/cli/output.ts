import { writeCsv } from '../csv.ts';
import type { Meta, ResponseFacts } from '../client/index.ts';
import { UsageError } from './command.ts';
import { say } from './say.ts';
import { note, warn } from './terminal.ts';
import type { Terminal } from './terminal.ts';
import { terminalText, truncate } from './text-width.ts';

const FORMATS = ['json', 'csv', 'ndjson'] as const;
export type OutputFormat = 'table' | (typeof FORMATS)[number];

/** Output format; without it a table. */
export const FORMAT_OPTIONS = {
  json: { type: 'boolean', description: 'Print the response as JSON.', group: 'Output' },
  csv: { type: 'boolean', description: 'Print CSV (RFC 4180, UTF-8).', group: 'Output' },
  web: {
    type: 'boolean',
    description: "Open it on the service's web page.",
    group: 'Output',
  },
} as const;

type FormatArgs = { [Format in (typeof FORMATS)[number]]?: boolean | undefined };

export function formatOf(args: FormatArgs): OutputFormat {
  const [option, other] = FORMATS.filter((format) => args[format]);
  if (option && other)
    throw new UsageError('Use either {option} or {other}.', { option: `--${option}`, other: `--${other}` });
  return option ?? 'table';
}

/** The keys of all records, in the order of their first occurrence. */
export function columnKeys(records: readonly object[]): string[] {
  return [...new Set(records.flatMap((record) => Object.keys(record)))];
}

interface OutputForms {
  /** Records of the CSV, with a column for each key. */
  records: readonly object[];
  /** Columns that the CSV has without records, too. */
  header: readonly string[];
  /** As text for people. */
  text: () => string;
}

/** Writes a response of the catalogue in the requested format, with notes on totals, samples and stale data. */
export function writeAnswer(
  terminal: Terminal,
  format: OutputFormat,
  { data, meta, response }: { data: unknown; meta: Meta; response: ResponseFacts },
  { records, header, text }: OutputForms,
): void {
  if (format === 'json') terminal.out(`${JSON.stringify({ data, meta }, null, 2)}\n`);
  else if (format === 'csv') {
    const columns = [...new Set([...header, ...columnKeys(records)])];
    terminal.out(writeCsv({ columns, rows: records }));
  } else if (records.length > 0) terminal.out(text());
  if (response.sample) noteSample(terminal);
  if (meta.stale) {
    const minutes = Math.round(response.ageSeconds / 60);
    warn(terminal, 'the upstream is unavailable: data from {minutes} min ago', { minutes });
  }
  if (meta.ignored && meta.ignored.length > 0) {
    const names = meta.ignored.map(terminalText).join(', ');
    warn(terminal, 'ignored parameters: {names}', { names });
  }
}

export function noteSample(terminal: Terminal): void {
  note(terminal, 'sample data: all of it is invented');
}

export const formatWholeNumber = (value: number | undefined): string => value?.toLocaleString('en') ?? '';

/** The total, and how to get the rest. */
export function noteCount(terminal: Terminal, shown: number, from: number, all: number | undefined): void {
  if (all === undefined || (from === 1 && shown >= all)) {
    note(terminal, '{shown} found', { shown: formatWholeNumber(shown) });
    return;
  }
  const next = from + shown;
  const values = {
    all: formatWholeNumber(all),
    from: formatWholeNumber(from),
    to: formatWholeNumber(next - 1),
    next,
  };
  if (shown === 0) note(terminal, '{all} found, none from {from} on', values);
  else if (next > all) note(terminal, 'Showing {from}–{to} of {all}', values);
  else note(terminal, 'Showing {from}–{to} of {all}; next page: --st {next}', values);
}

const BAR_COLUMNS = 20;

/** A bar of twenty columns, filled by `part` (0 to 1). */
export function progressBar(part: number): string {
  const full = Math.floor(Math.min(1, part) * BAR_COLUMNS);
  return '█'.repeat(full) + '░'.repeat(BAR_COLUMNS - full);
}

/** Returns to the start of the line and clears it. */
const ERASE_LINE = '\r\u001b[2K';

/** Redraws a line of standard error, on a terminal. Cut to its width: a longer line would wrap and stay. */
export function drawOver(terminal: Terminal, line: string): void {
  if (terminal.errColumns !== undefined) terminal.err(ERASE_LINE + truncate(line, terminal.errColumns - 1));
}

/** `████████░░░░░░░░░░░░ 48/120 example.jp` as one line of standard error, on a terminal and for several items. */
export function createProgress(terminal: Terminal, total: number) {
  let done = 0;
  const show = (text: string): void => {
    if (total > 1) drawOver(terminal, `${progressBar(done / total)} ${done}/${total} ${truncate(text, 40)}`);
  };
  return {
    step: (name: string): void => {
      done++;
      show(terminalText(name));
    },
    /** Reports that requests pause for some seconds, because the service throttles or is unavailable. */
    wait: (seconds: number): void => show(say(terminal, 'waiting {seconds} s', { seconds })),
    end: (): void => {
      if (total > 1) drawOver(terminal, '');
    },
  };
}
