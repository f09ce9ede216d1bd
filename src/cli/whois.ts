import { csvRecord } from '../catalogue/forms/csv.ts';
import { MokurokuError } from '../client/index.ts';
import type { LookUp, RegistrationClient } from '../client/index.ts';
import { UsageError, defineCommand } from './command.ts';
import { EXIT, exitCodeOf } from './exit-codes.ts';
import type { ExitCode } from './exit-codes.ts';
import { createProgress, formatOf, noteSample } from './output.ts';
import { describeError } from './report-error.ts';
import { say, translated } from './say.ts';
import { REGISTRATION_OPTIONS, openView, registrationClient } from './service-options.ts';
import { renderFacts, renderTable } from './table.ts';
import type { Column, Fact } from './table.ts';
import type { Terminal } from './terminal.ts';
import { printableLines } from './text-width.ts';

/** What came of one name. */
interface NameOutcome {
  name: string;
  answer?: LookUp;
  error?: MokurokuError;
  isSample: boolean;
}

const AT_ONCE = 4;

/**
 * Looks names up, a few at once, and yields the outcomes in the order of the names, each as soon as all before it are
 * there. Rejects only when aborted.
 */
async function* lookUpMany(
  names: readonly string[],
  lookUp: (name: string) => ReturnType<RegistrationClient['lookUp']>,
): AsyncGenerator<NameOutcome, void, undefined> {
  const ask = async (name: string): Promise<NameOutcome> => {
    try {
      const { data, response } = await lookUp(name);
      return { name, answer: data, isSample: response.sample };
    } catch (error) {
      if (error instanceof MokurokuError) return { name, error, isSample: false };
      throw error;
    }
  };
  const waiting = [...names];
  const underWay: Promise<NameOutcome>[] = [];
  while (waiting.length > 0 || underWay.length > 0) {
    for (const name of waiting.splice(0, AT_ONCE - underWay.length)) {
      const asked = ask(name);
      // An abort rejects all that are under way; the first that is awaited tells of it.
      asked.catch(() => undefined);
      underWay.push(asked);
    }
    const first = underWay.shift();
    if (first) yield await first;
  }
}

const DAY_MS = 86_400_000;

/** `in 214 days`, `3 days ago`, past a thousand days in years: as the page has it. */
function relativeDate(date: string, { now, language }: Terminal): string {
  const days = Math.floor(Date.parse(date) / DAY_MS) - Math.floor(now() / DAY_MS);
  if (!Number.isFinite(days)) return '';
  const relative = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });
  return Math.abs(days) < 1000
    ? relative.format(days, 'day')
    : relative.format(Math.trunc(days / 365.25), 'year');
}

/** What a look-up says, for a person. */
function factsOf(answer: LookUp, terminal: Terminal): Fact[] {
  const { parsed, hops } = answer;
  const dated = (date: string | null): string | undefined =>
    date === null ? undefined : `${date}  (${relativeDate(date, terminal)})`;
  const way = hops.map(({ server, outcome, ms }) => `${server}: ${outcome}, ${ms} ms`);
  const isOther = parsed.domainName !== null && parsed.domainName !== answer.domain;
  const brokeOff = answer.truncated
    ? ` (${say(terminal, 'the answer broke off: fields may be missing')})`
    : '';
  return [
    ['Domain', answer.domain],
    ['Name', isOther ? (parsed.domainName ?? undefined) : undefined],
    ['State', translated(terminal, answer.state) + brokeOff],
    ['Registrar', parsed.registrar ?? undefined],
    ['Created', dated(parsed.creationDate)],
    ['Expires', dated(parsed.expirationDate)],
    ['Updated', dated(parsed.updatedDate)],
    ['Name servers', parsed.nameServers.join('\n')],
    ['Status', parsed.status.join('\n')],
    ['Source', `${answer.whoisServer} (${answer.protocol})`],
    ['Asked', way.join('\n')],
  ];
}

const tableFor = (terminal: Terminal): Column<NameOutcome>[] => [
  { header: 'NAME', value: ({ name }) => name, least: 12 },
  {
    header: 'STATE',
    // The error's code in words: `not registered`.
    value: ({ answer, error }) =>
      translated(terminal, answer?.state ?? (error?.code ?? '').replaceAll('_', ' ')),
  },
  {
    header: 'EXPIRES',
    value: ({ answer }) => {
      const date = answer?.parsed.expirationDate;
      return date ? `${date.slice(0, 10)} (${relativeDate(date, terminal)})` : '';
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

const CSV_HEADER = [
  ...['name', 'state', 'domainName', 'registrar', 'creationDate', 'expirationDate', 'updatedDate'],
  ...['nameServers', 'status', 'whoisServer', 'protocol'],
];

function csvOf({ name, answer, error }: NameOutcome): string {
  const parsed = answer?.parsed;
  return csvRecord([
    name,
    answer?.state ?? error?.code,
    ...[parsed?.domainName, parsed?.registrar],
    ...[parsed?.creationDate, parsed?.expirationDate, parsed?.updatedDate],
    ...[parsed?.nameServers.join(' '), parsed?.status.join(' ')],
    ...[answer?.whoisServer, answer?.protocol],
  ]);
}

function jsonOf({ name, answer, error }: NameOutcome): string {
  if (answer) return `${JSON.stringify(answer)}\n`;
  const { code = 'failed', message = '', details } = error ?? {};
  return `${JSON.stringify({ domain: name, error: { code, message, ...(details !== undefined && { details }) } })}\n`;
}

/** One name: its facts, or (`showRaw`) the text of the server. */
function writeOne({ answer, error }: NameOutcome, showRaw: boolean, terminal: Terminal): void {
  if (error) terminal.err(describeError(error, terminal));
  const raw = answer?.raw ?? (error?.details as { raw?: unknown } | undefined)?.raw;
  if (showRaw && typeof raw === 'string') terminal.out(`${printableLines(raw).trimEnd()}\n`);
  else if (answer) terminal.out(renderFacts(factsOf(answer, terminal), terminal));
}

/** Blank-separated names; from `#` to the end of its line is a comment. */
const namesIn = (text: string): string[] =>
  text
    .replaceAll(/#.*/g, '')
    .split(/\s+/)
    .filter((name) => name !== '');

/** The greatest of all, so that 0 means: every name is taken. */
const exitCodeOfAll = (outcomes: readonly NameOutcome[]): ExitCode =>
  outcomes.reduce<ExitCode>((worst, { error }) => {
    const code = error ? exitCodeOf(error) : EXIT.done;
    return code > worst ? code : worst;
  }, EXIT.done);

export const whoisCommand = defineCommand({
  name: 'whois',
  summary: 'Look up who registered domain names, and until when.',
  word: {
    name: 'name',
    description: 'Domain names; - reads them from standard input, where # starts a comment.',
    isMany: true,
  },
  args: {
    registrar: { type: 'boolean', description: "Go one hop further, to the registrar's own server." },
    raw: { type: 'boolean', description: 'Print the text of the server as it is (one name only).' },
    ...REGISTRATION_OPTIONS,
  },
  examples: [
    'mokuroku whois example.com',
    'mokuroku whois example.com example.jp free-name.org',
    'mokuroku whois - --csv < names.txt',
  ],
  run: async (args, terminal, words) => {
    const format = formatOf(args);
    const names = words.length === 1 && words[0] === '-' ? namesIn(await terminal.readInput()) : words;
    const [only = ''] = names;
    if (names.length === 0) throw new UsageError('whois needs a name.');
    const isOne = names.length === 1;
    if ((args.raw || args.web) && !isOne)
      throw new UsageError(`--${args.raw ? 'raw' : 'web'} shows one name only.`);
    const follow = args.registrar ? 'registrar' : undefined;
    if (args.web) return openView('registration', args, { domain: only, follow }, terminal);
    // Many names meet the limit of the service for sure: then waiting is what is wanted.
    const client = registrationClient({ ...args, wait: args.wait ?? !isOne }, terminal);
    const call = { signal: terminal.interrupted, follow } as const;

    const progress = createProgress(terminal, names.length);
    const outcomes: NameOutcome[] = [];
    if (format === 'csv') terminal.out(csvRecord(CSV_HEADER));
    for await (const outcome of lookUpMany(names, (name) => client.lookUp(name, call))) {
      outcomes.push(outcome);
      progress.step(outcome.name);
      // JSON and CSV go out line by line, as they come.
      if (format === 'json') terminal.out(jsonOf(outcome));
      if (format === 'csv') terminal.out(csvOf(outcome));
    }
    progress.end();
    const [first] = outcomes;
    if (format === 'table' && isOne && first) writeOne(first, args.raw ?? false, terminal);
    else if (format === 'table') terminal.out(renderTable(tableFor(terminal), outcomes, terminal));
    if (outcomes.some(({ isSample }) => isSample)) noteSample(terminal);
    return exitCodeOfAll(outcomes);
  },
});
