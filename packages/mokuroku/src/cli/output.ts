import { writeCsv } from '@mokuroku/kit';
import type { Meta, ResponseFacts } from 'mokuroku-client/source';
import { describeLacks } from '../words/lacks.ts';
import { flag } from './command.ts';
import { note, say, warn, writeData } from './terminal.ts';
import type { Terminal } from './terminal.ts';
import { terminalText, truncate } from './text-width.ts';
import { LABELS } from './labels.ts';

const FORMATS = ['json', 'csv', 'ndjson'] as const;
export type OutputFormat = 'table' | (typeof FORMATS)[number];
type FormatArgs = { [Format in (typeof FORMATS)[number]]?: boolean | undefined };

/** Output format; without it a table. */
export const FORMAT_OPTIONS = {
  json: flag('Print the response as JSON.', 'レスポンスを JSON で出力します。', LABELS.output, {
    excludes: ['csv', 'ndjson'],
  }),
  csv: flag('Print CSV (RFC 4180, UTF-8).', 'CSV（RFC 4180、UTF-8）で出力します。', LABELS.output, {
    excludes: ['ndjson'],
  }),
  web: flag(
    "Open it on the service's web page.",
    'サービスの Web 画面をブラウザーで開きます。',
    LABELS.output,
  ),
} as const;

export const formatOf = (args: FormatArgs): OutputFormat => FORMATS.find((format) => args[format]) ?? 'table';

/** The keys of all records, in the order of their first occurrence. */
export function columnKeys(records: readonly object[]): string[] {
  return [...new Set(records.flatMap((record) => Object.keys(record)))];
}

interface OutputForms {
  /** Records of the CSV, with a column for each key. */
  records: readonly object[];
  /** Columns that the CSV has without records, too. */
  header?: readonly string[];
  /** As text for people. */
  text: () => string;
  /** What is noted below that text. */
  noteBelow?: () => void;
}

/** Writes a response of the catalogue in the requested format, with notes on totals, samples and stale data. */
export function writeAnswer(
  terminal: Terminal,
  args: FormatArgs,
  { data, meta, response }: { data: unknown; meta: Meta; response: ResponseFacts },
  { records, header = [], text, noteBelow }: OutputForms,
): void {
  const format = formatOf(args);
  if (format === 'json') writeData(terminal, `${JSON.stringify({ data, meta }, null, 2)}\n`);
  else if (format === 'csv') {
    const columns = [...new Set([...header, ...columnKeys(records)])];
    writeData(terminal, writeCsv({ columns, rows: records }));
  } else if (records.length > 0) terminal.out(text());
  if (response.sample) noteSample(terminal);
  if (meta.stale) {
    const minutes = Math.round(response.ageSeconds / 60);
    warn(
      terminal,
      `the upstream is unavailable: data from ${minutes} min ago`,
      `取得元が応答しません。${minutes}分前のデータです`,
    );
  }
  if (meta.ignored && meta.ignored.length > 0) {
    const names = meta.ignored.join(', ');
    warn(terminal, `ignored parameters: ${names}`, `無視されたパラメーター: ${names}`);
  }
  for (const { en, ja } of describeLacks(meta)) warn(terminal, en, ja);
  if (format === 'table') noteBelow?.();
}

export function noteSample(terminal: Terminal): void {
  note(terminal, 'sample data: all of it is invented', 'サンプルデータです。すべて架空のものです');
}

export const formatWholeNumber = (value: number | undefined): string => value?.toLocaleString('en') ?? '';

/** The total, and how to get the rest. */
export function noteCount(terminal: Terminal, shown: number, from: number, all: number | undefined): void {
  if (all === undefined || (from === 1 && shown >= all)) {
    const count = formatWholeNumber(shown);
    note(terminal, `${count} found`, `${count}件`);
    return;
  }
  const next = from + shown;
  const [total, first, last] = [all, from, next - 1].map(formatWholeNumber);
  if (shown === 0) {
    note(terminal, `${total} found, none from ${first} on`, `${total}件。${first}件目からはありません`);
  } else {
    const [en, ja] = next > all ? ['', ''] : [`; next page: --st ${next}`, `。続きは --st ${next}`];
    const range = `${total}件のうち ${first}〜${last}件目`;
    note(terminal, `Showing ${first}–${last} of ${total}${en}`, `${range}${ja}`);
  }
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
  if (terminal.errColumns === undefined) return;
  terminal.err(ERASE_LINE + truncate(terminalText(line), terminal.errColumns - 1));
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
      show(name);
    },
    /** Reports that requests pause for some seconds, because the service throttles or is unavailable. */
    wait: (seconds: number): void => show(say(terminal, `waiting ${seconds} s`, `${seconds} 秒待っています`)),
    end: (): void => {
      if (total > 1) drawOver(terminal, '');
    },
  };
}
