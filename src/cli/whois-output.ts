import { csvRecord } from './csv.ts';
import { renderFacts } from './facts.ts';
import type { NameOutcome } from './look-up-many.ts';
import type { Format } from './output.ts';
import { registrationFacts, relativeDays } from './registration-facts.ts';
import { describeError } from './report-error.ts';
import { createStyle } from './style.ts';
import { renderTable } from './table.ts';
import type { Column } from './table.ts';
import type { Terminal } from './terminal.ts';
import { printableLines } from './text-width.ts';

/** `registered`, `reserved`, or the error's code in words: `not registered`. */
const stateOf = ({ answer, error }: NameOutcome): string =>
  answer?.state ?? (error?.code ?? '').replaceAll('_', ' ');

const tableAt = (now: number): readonly Column<NameOutcome>[] => [
  { header: 'NAME', value: ({ name }) => name, least: 12 },
  { header: 'STATE', value: stateOf },
  {
    header: 'EXPIRES',
    value: ({ answer }) => {
      const date = answer?.parsed.expirationDate;
      return date ? `${date.slice(0, 10)} (${relativeDays(date, now)})` : '';
    },
    dispensable: 1,
  },
  { header: 'REGISTRAR', value: ({ answer }) => answer?.parsed.registrar ?? '', least: 10, dispensable: 2 },
  {
    header: 'NAME SERVERS',
    value: ({ answer }) => answer?.parsed.nameServers.join(' ') ?? '',
    least: 12,
    dispensable: 3,
  },
];

export const WHOIS_CSV_HEADER = [
  ...['name', 'state', 'domainName', 'registrar', 'creationDate', 'expirationDate', 'updatedDate'],
  ...['nameServers', 'status', 'whoisServer', 'protocol'],
];

function csvFields(outcome: NameOutcome): (string | null | undefined)[] {
  const { answer } = outcome;
  const parsed = answer?.parsed;
  return [
    outcome.name,
    answer?.state ?? outcome.error?.code,
    ...[parsed?.domainName, parsed?.registrar],
    ...[parsed?.creationDate, parsed?.expirationDate, parsed?.updatedDate],
    parsed?.nameServers.join(' '),
    parsed?.status.join(' '),
    ...[answer?.whoisServer, answer?.protocol],
  ];
}

function jsonLine({ name, answer, error }: NameOutcome): string {
  if (answer) return `${JSON.stringify(answer)}\n`;
  const { code = 'failed', message = '', details } = error ?? {};
  return `${JSON.stringify({ domain: name, error: { code, message, ...(details !== undefined && { details }) } })}\n`;
}

/** One name: its facts, or (`showRaw`) the text of the server. */
export function writeOne(outcome: NameOutcome, showRaw: boolean, terminal: Terminal): void {
  const { answer, error } = outcome;
  if (error) terminal.err(describeError(error, createStyle(terminal.errHasColour)));
  const raw = answer?.raw ?? (error?.details as { raw?: unknown } | undefined)?.raw;
  if (showRaw && typeof raw === 'string') terminal.out(`${printableLines(raw).trimEnd()}\n`);
  else if (answer) {
    const style = createStyle(terminal.outHasColour);
    terminal.out(renderFacts(registrationFacts(answer, terminal.now()), terminal.columns, style));
  }
}

export function writeMany(outcomes: readonly NameOutcome[], terminal: Terminal): void {
  const style = createStyle(terminal.outHasColour);
  terminal.out(renderTable(tableAt(terminal.now()), outcomes, terminal.columns, style));
}

/** JSON and CSV go out line by line, as they come. */
export function writeNow(outcome: NameOutcome, format: Format, terminal: Terminal): void {
  if (format === 'json') terminal.out(jsonLine(outcome));
  if (format === 'csv') terminal.out(csvRecord(csvFields(outcome)));
}
