import { readFile } from 'node:fs/promises';
import { MokurokuError } from 'mokuroku-client/source';
import type { LookUpCallOptions, NameOutcome, RegistrationClient } from 'mokuroku-client/source';
import { UsageError, defineCommand, flag, option } from './command.ts';
import type { GivenOptions } from './command.ts';
import { EXIT, exitCodeOf } from './exit-codes.ts';
import type { ExitCode } from './exit-codes.ts';
import { lookUpDirectly } from './direct-look-ups.ts';
import { createProgress, formatOf, noteSample } from './output.ts';
import {
  csvHeader,
  csvOf,
  lookUpFacts,
  unregisteredFacts,
  jsonOf,
  nameColumns,
} from './registration-facts.ts';
import { describeError } from './report-error.ts';
import { REGISTRATION_OPTIONS, openView, registrationClient } from './service-options.ts';
import { renderFacts, renderTable } from './table.ts';
import { say, writeData } from './terminal.ts';
import type { Terminal } from './terminal.ts';
import { printableLines } from './text-width.ts';
import { text } from '@mokuroku/kit';
import { WATCH_OPTIONS, oneSpelling, watchNames } from './watch-names.ts';

/** Suggests `--direct` if there is no service. */
function describeTrouble(error: MokurokuError, terminal: Terminal): string {
  const described = describeError(error, terminal);
  if (error.code !== 'unreachable') return described;
  return `${described}${say(terminal, 'Or query the registries directly: mokuroku whois --direct NAME.', 'または、レジストリに直接問い合わせます: mokuroku whois --direct 名前')}\n`;
}

/** One name: its facts, or (`showRaw`) the server's text. */
function writeOne(outcome: NameOutcome, showRaw: boolean, terminal: Terminal): void {
  const { data, error } = outcome;
  if (error) terminal.err(describeTrouble(error, terminal));
  const raw = data?.raw ?? (error?.details as { raw?: unknown } | undefined)?.raw;
  if (showRaw && typeof raw === 'string') {
    terminal.out(`${printableLines(raw).trimEnd()}\n`);
    return;
  }
  const facts = data ? lookUpFacts(data, terminal) : unregisteredFacts(outcome, terminal);
  if (facts.length > 0) terminal.out(renderFacts(facts, terminal));
}

/** The outcomes of several names, each as soon as it is ready. */
async function* lookUpByService(
  client: RegistrationClient,
  names: readonly string[],
  call: LookUpCallOptions,
): AsyncGenerator<NameOutcome, void, undefined> {
  const [only] = names;
  if (only === undefined || names.length > 1) return yield* client.lookUpMany(names, call);
  try {
    const { data, response } = await client.lookUp(only, call);
    yield { name: only, data, response };
  } catch (error) {
    if (!(error instanceof MokurokuError)) throw error;
    yield { name: only, error, response: error.response };
  }
}

const followOf = ({ registrar }: WhoisArgs) => (registrar ? 'registrar' : undefined);

type LookUpNames = (names: readonly string[]) => AsyncIterable<NameOutcome>;

/** Looks up by the service, or directly. `onWait` is called with the seconds of each wait. */
function openLookUps(args: WhoisArgs, terminal: Terminal, onWait: (seconds: number) => void): LookUpNames {
  const call: LookUpCallOptions = { signal: terminal.interrupted, follow: followOf(args) };
  const client = registrationClient(args, terminal, onWait);
  return (names) =>
    args.direct ? lookUpDirectly(names, call, terminal) : lookUpByService(client, names, call);
}

/** Names separated by blanks or commas, in one spelling; from `#` to the end of its line is a comment. */
const namesIn = (text: string): string[] =>
  text
    .replaceAll(/#.*/g, '')
    .replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase())
    .split(/[\s,]+/)
    .filter((name) => name !== '');

/** Names from a file, from standard input, or from the command line, where commas separate them too. */
async function givenNames(
  option: 'from' | 'watch',
  file: string | undefined,
  words: readonly string[],
  terminal: Terminal,
): Promise<string[]> {
  if (file === undefined) {
    if (!words.includes('-')) return words.flatMap((word) => namesIn(word));
    if (words.length > 1)
      throw new UsageError(
        'whois reads names from standard input (-) or from the command line, not both.',
        'whois の名前は標準入力 (-) かコマンドラインの一方だけで指定できます。',
      );
    return namesIn(await terminal.readInput());
  }
  if (words.length > 0)
    throw new UsageError(
      `whois takes its names from --${option} or from the command line, not both.`,
      `名前は --${option} かコマンドラインの一方から読みます。両方は使えません。`,
    );
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new UsageError(
      `--${option} ${file} cannot be read (${(error as NodeJS.ErrnoException).code ?? ''}).`,
      `--${option} ${file} を読めません（${(error as NodeJS.ErrnoException).code ?? ''}）。`,
    );
  });
  return namesIn(text);
}

/** The highest code of all: 0 means that every name is registered. */
const exitCodeOfAll = (outcomes: readonly NameOutcome[]): ExitCode =>
  outcomes.reduce<ExitCode>((worst, { error }) => {
    const code = error ? exitCodeOf(error) : EXIT.done;
    return code > worst ? code : worst;
  }, EXIT.done);

const ARGS = {
  registrar: flag("Query the registrar's server too.", 'レジストラのサーバーにも問い合わせます。'),
  from: option(
    'file',
    'Read the names from a file, where # starts a comment.',
    '名前をファイルから読みます（# から行末まではコメント）。',
  ),
  direct: flag(
    'Query the registries directly, without a service (its settings, such as WHOIS_ROOT, apply).',
    'サービスを使わず、レジストリに直接問い合わせます（WHOIS_ROOT などサービスの設定が適用されます）。',
    undefined,
    { excludes: ['base-url', 'web'] },
  ),
  raw: flag(
    "Print the server's raw text (one name only).",
    'サーバーの原文をそのまま出力します（名前は 1 つだけ）。',
    undefined,
    { excludes: ['json', 'csv'] },
  ),
  ...WATCH_OPTIONS,
  ...REGISTRATION_OPTIONS,
} as const;

type WhoisArgs = GivenOptions<typeof ARGS>;

/** `--watch`: until Ctrl-C. */
async function watch(args: WhoisArgs, file: string, terminal: Terminal, words: readonly string[]) {
  return watchNames(args, terminal, {
    readNames: async () => [...new Set((await givenNames('watch', file, words, terminal)).map(oneSpelling))],
    lookUp: openLookUps({ ...args, wait: true }, terminal, () => undefined),
  });
}

export const whoisCommand = defineCommand({
  word: {
    name: 'name',
    description: text(
      'Domain names; - reads them from standard input, where # starts a comment.',
      'ドメイン名。- なら標準入力から読みます（# から行末まではコメント）。',
    ),
    isMany: true,
    isOptional: true,
  },
  args: ARGS,
  examples: [
    'mokuroku whois example.com',
    'mokuroku whois example.com example.jp free-name.org',
    'mokuroku whois - --csv < names.txt',
    'mokuroku whois --watch names.txt --state names.json --post https://chat.example/hook',
  ],
  run: async (args, terminal, words) => {
    const format = formatOf(args);
    if (args.watch !== undefined) return watch(args, args.watch, terminal, words);
    const names = [...new Set(await givenNames('from', args.from, words, terminal))];
    const [only = ''] = names;
    if (names.length === 0) throw new UsageError('whois needs a name.', 'whois には名前が必要です。');
    const isOne = names.length === 1;
    if ((args.raw || args.web) && !isOne)
      throw new UsageError(
        `--${args.raw ? 'raw' : 'web'} shows one name only.`,
        `--${args.raw ? 'raw' : 'web'} で表示できる名前は 1 つだけです。`,
      );
    if (args.web) return openView('registration', args, { domain: only, follow: followOf(args) }, terminal);
    const progress = createProgress(terminal, names.length);
    // Many names exceed the service's limit, so waiting is implied.
    const lookUp = openLookUps({ ...args, ...(!isOne && { wait: true }) }, terminal, progress.wait);
    const outcomes = new Map<string, NameOutcome>();
    const lineOf = format === 'json' ? jsonOf : format === 'csv' ? csvOf : undefined;
    const writeLines = lineOf && createLineWriter(lineOf, names, terminal);
    if (format === 'csv') terminal.out(csvHeader());
    try {
      for await (const outcome of lookUp(names)) {
        outcomes.set(outcome.name, outcome);
        progress.step(outcome.name);
        writeLines?.(outcomes, false);
      }
    } finally {
      // Results before an interruption are printed.
      progress.end();
      const rows = names.flatMap((name) => outcomes.get(name) ?? []);
      const [first] = outcomes.values();
      if (writeLines) writeLines(outcomes, true);
      else if (isOne && first) writeOne(first, args.raw ?? false, terminal);
      else if (first) writeTable(rows, terminal);
      if ([...outcomes.values()].some(({ response }) => response?.sample)) noteSample(terminal);
    }
    return exitCodeOfAll([...outcomes.values()]);
  },
});

/** Writes JSON and CSV in the order of the names, each result as soon as all earlier ones are written. */
function createLineWriter(
  lineOf: (outcome: NameOutcome) => string,
  names: readonly string[],
  terminal: Terminal,
) {
  const waiting = [...names];
  /** `isEnd`: results that are still missing do not come, after an interruption. */
  return (outcomes: ReadonlyMap<string, NameOutcome>, isEnd: boolean): void => {
    while (waiting[0] !== undefined && (isEnd || outcomes.has(waiting[0]))) {
      const outcome = outcomes.get(waiting.shift() ?? '');
      if (outcome) writeData(terminal, lineOf(outcome));
    }
  };
}

/** Several names, as a table in their order. */
function writeTable(rows: readonly NameOutcome[], terminal: Terminal): void {
  terminal.out(renderTable(nameColumns(terminal), rows, terminal));
  // A failure that concerns all names is reported once, with a remedy.
  const trouble = rows.find(({ error }) => error?.code === 'unreachable' || error?.code === 'not_json');
  if (trouble?.error) terminal.err(describeTrouble(trouble.error, terminal));
}
