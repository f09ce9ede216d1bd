import { csvRecord, ownValue, text } from '@mokuroku/kit';
import type { LookUp, NameOutcome } from 'mokuroku-client/source';
import { DATES, FIELD_LABELS, NOTHING_STATED, daysLeft, detailsOf, mapRows } from 'mokuroku-whois/record';
import { AVAILABILITY_OF_ERROR } from 'mokuroku-whois/service';
import { ENDINGS_JA, EVIDENCE_JA, LOOK_UP_ERRORS_JA } from '../words/look-up-ja.ts';
import { readDetails } from '../words/look-up-details.ts';
import { problemKey } from '../words/problems.ts';
import { relativeDays } from '../words/relative-days.ts';
import type { TableColumn, TableFact } from './table.ts';
import { say, translated } from './terminal.ts';
import type { Terminal } from './terminal.ts';
import type { Text } from '@mokuroku/kit';
import { LABELS } from './labels.ts';

/** `in 214 days`, as on the page; empty if the date is unreadable. */
function relativeDate(date: string, { now, language }: Terminal): string {
  const days = daysLeft(date, now());
  return days === null ? '' : relativeDays(language, days);
}

const YES_NO = { yes: text('yes', 'はい'), no: text('no', 'いいえ') };

/** Whether a name is available; undefined if unknown. */
function availableOf({ data, error }: Partial<NameOutcome>): 'yes' | 'no' | undefined {
  const available = data ? false : AVAILABILITY_OF_ERROR[error?.code ?? '']?.available;
  return available == null ? undefined : available ? 'yes' : 'no';
}

const CODES_JA: Readonly<Record<string, string>> = { ...LOOK_UP_ERRORS_JA, ...ENDINGS_JA, ...EVIDENCE_JA };

/** `No match for ... (sentence; nic.uk.com: registered)`; empty for a service of an earlier version. */
function becauseOf(evidence: LookUp['evidence'] | undefined, { language }: Terminal): string | undefined {
  if (!evidence) return undefined;
  const { line, kind, control } = evidence;
  if (language === 'en') return `${line} (${kind}${control ? `; ${control.name}: registered` : ''})`;
  return `${ownValue(CODES_JA, kind) ?? kind} ${line}${control ? `（${control.name}: 登録あり）` : ''}`;
}

/** The text of an outcome or an error code: `not registered`. */
const inWords = (code: string, { language }: Terminal): string =>
  (language === 'ja' ? ownValue(CODES_JA, code) : undefined) ?? code.replaceAll('_', ' ');

/** How a registration ends; a healthy one needs no word. */
const endingOf = ({ ending }: LookUp, terminal: Terminal): string | undefined =>
  ending === null || ending === 'none' ? undefined : inWords(ending, terminal);

/** The text of a denial; for an unreadable answer the lines that make it so. */
export function unregisteredFacts({ name, error }: NameOutcome, terminal: Terminal): TableFact[] {
  const { whoisServer, protocol, lines = [] } = readDetails(error?.details);
  const evidence = lines.map((each) => becauseOf(each, terminal)).join('\n');
  if (error?.code !== 'not_registered') return evidence === '' ? [] : [[LABELS.evidence, evidence]];
  return [
    [LABELS.domain, name],
    [LABELS.state, inWords('not_registered', terminal)],
    [LABELS.available, translated(terminal, YES_NO.yes)],
    [LABELS.source, whoisServer === undefined ? undefined : `${whoisServer} (${protocol ?? 'whois'})`],
    [LABELS.evidence, evidence],
  ];
}

/** `Kamome Names (IANA 9999)` */
function registrarOf({ registrar, registrarDetails }: LookUp['parsed']): string {
  const ianaId = registrarDetails?.ianaId ?? null;
  return [registrar ?? '', ianaId === null ? '' : `(IANA ${ianaId})`].join(' ').trim();
}

/** The lines of further details; those that share a line are joined. */
function detailLines(parsed: LookUp['parsed']): Iterable<TableFact> {
  const lines = new Map<Text, string>();
  for (const { row, value } of detailsOf(parsed)) {
    const { line = row.label } = row;
    if (line !== null && value) lines.set(line, [lines.get(line), value].filter(Boolean).join(', '));
  }
  return lines;
}

function dnssecText({ dnssec }: LookUp['parsed'], terminal: Terminal): string {
  if (!dnssec) return '';
  const records = dnssec.ds.map(
    ({ keyTag, algorithm, digestType, digest }) => `DS ${keyTag} ${algorithm} ${digestType} ${digest}`,
  );
  return [
    dnssec.signed ? say(terminal, 'signed', '署名あり') : say(terminal, 'unsigned', '署名なし'),
    ...records,
  ].join('\n');
}

/** The text of a look-up. */
export function lookUpFacts(answer: LookUp, terminal: Terminal): TableFact[] {
  const { parsed, hops } = answer;
  const unpublished = (field: string) =>
    answer.unpublished?.some((each) => each === field)
      ? say(terminal, 'not published by this registry', 'このレジストリは公開していません')
      : undefined;
  const dates = Object.values(
    mapRows(DATES, (name, row): TableFact => {
      const { [name]: date } = parsed;
      return [
        row.line ?? row.label,
        date === null ? unpublished(name) : `${date}  (${relativeDate(date, terminal)})`,
      ];
    }),
  );
  const way = hops.map(({ server, outcome, ms }) => `${server}: ${inWords(outcome, terminal)}, ${ms} ms`);
  const isOther = parsed.domainName !== null && parsed.domainName !== answer.domain;
  const { incomplete = [] } = answer;
  const truncated = answer.truncated
    ? say(
        terminal,
        ' (the connection broke during the response: fields may be missing)',
        '（応答の途中で接続が切れました。欠けている項目がある可能性があります）',
      )
    : '';
  return [
    [LABELS.domain, answer.domain],
    [LABELS.name, isOther ? (parsed.domainName ?? undefined) : undefined],
    [LABELS.state, inWords(answer.state, terminal) + truncated],
    [LABELS.available, translated(terminal, YES_NO.no)],
    [FIELD_LABELS.registrar, registrarOf(parsed) || unpublished('registrar')],
    ...dates,
    [LABELS.ending, endingOf(answer, terminal)],
    [FIELD_LABELS.nameServers, parsed.nameServers.join('\n')],
    [FIELD_LABELS.status, parsed.status.join('\n') || unpublished('status')],
    ...detailLines(parsed),
    [FIELD_LABELS.dnssec, dnssecText(parsed, terminal)],
    [
      text('Unknown', '不明な項目'),
      incomplete.map((field) => translated(terminal, FIELD_LABELS[field])).join(', '),
    ],
    [LABELS.source, `${answer.whoisServer} (${answer.protocol})`],
    [LABELS.evidence, becauseOf(answer.evidence, terminal)],
    [text('Queried', '問い合わせ経路'), way.join('\n')],
  ];
}

export const nameColumns = (terminal: Terminal): TableColumn<NameOutcome>[] => [
  { header: LABELS.name, value: ({ name }) => name, isKey: true },
  {
    header: LABELS.state,
    value: ({ data, error }) => inWords(error ? problemKey(error) : data.state, terminal),
  },
  {
    header: LABELS.available,
    value: (outcome) => {
      const available = availableOf(outcome);
      return available === undefined ? '' : translated(terminal, YES_NO[available]);
    },
    dispensable: 4,
  },
  {
    header: LABELS.expires,
    value: ({ data }) => {
      const date = data?.parsed.expirationDate;
      return date ? `${date.slice(0, 10)} (${relativeDate(date, terminal)})` : '';
    },
    // Only the date.
    minWidth: 10,
    shorten: (text) => text.slice(0, 10),
    dispensable: 1,
  },
  {
    header: LABELS.ending,
    value: ({ data }) => (data ? (endingOf(data, terminal) ?? '') : ''),
    dispensable: 0,
  },
  {
    header: FIELD_LABELS.registrar,
    value: ({ data }) => data?.parsed.registrar ?? '',
    minWidth: 10,
    dispensable: 2,
  },
  {
    header: FIELD_LABELS.nameServers,
    value: ({ data }) => data?.parsed.nameServers.join(' ') ?? '',
    minWidth: 12,
    dispensable: 3,
  },
];

function csvRow(outcome: Partial<NameOutcome>) {
  const { name, data, error } = outcome;
  const parsed = data?.parsed ?? NOTHING_STATED;
  const { creationDate, expirationDate, updatedDate, ...furtherDates } = mapRows(
    DATES,
    (date) => parsed[date],
  );
  return {
    name,
    state: data?.state ?? error?.code,
    domainName: parsed.domainName,
    registrar: parsed.registrar,
    creationDate,
    expirationDate,
    updatedDate,
    nameServers: parsed.nameServers.join(' '),
    status: parsed.status.join(' '),
    whoisServer: data?.whoisServer,
    protocol: data?.protocol,
    available: availableOf(outcome),
    dnssecSigned: parsed.dnssec?.signed.toString(),
    ...Object.fromEntries(detailsOf(parsed).map(({ row, value }) => [row.column, value])),
    ending: data?.ending,
    ...furtherDates,
    daysLeft: data?.daysLeft?.toString(),
    /** Why there is no registration: the error's message. */
    reason: error?.message,
  };
}

export const csvHeader = (): string => csvRecord(Object.keys(csvRow({})));

export const csvOf = (outcome: NameOutcome): string => csvRecord(Object.values(csvRow(outcome)));

export function jsonOf({ name, data, error }: NameOutcome): string {
  if (data) return `${JSON.stringify(data)}\n`;
  const { code, message, details } = error;
  return `${JSON.stringify({ domain: name, error: { code, message, ...(details !== undefined && { details }) } })}\n`;
}
