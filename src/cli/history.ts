import { RANKING_TYPES, rankingDateBefore } from '../catalogue/novels/ranking-date.ts';
import type { RankingType } from '../catalogue/novels/ranking-date.ts';
import type { Answer, RankingHistories, RankingHistoryEntry } from '../client/index.ts';
import { UsageError, defineCommand, flag, option } from './command.ts';
import type { GivenOptions } from './command.ts';
import { EXIT } from './exit-codes.ts';
import type { ExitCode } from './exit-codes.ts';
import { nearestWord } from './nearest.ts';
import { EXAMPLE_NCODE, NCODE_WORD } from './novel.ts';
import { createProgress, formatOf, writeAnswer } from './output.ts';
import { RANK } from './ranking.ts';
import { say, translated } from './say.ts';
import { CATALOGUE_OPTIONS, catalogueClient, openView } from './service-options.ts';
import { countColumn, renderTable } from './table.ts';
import type { TableColumn, Screen } from './table.ts';
import { createStyle, note, warn } from './terminal.ts';
import type { Terminal } from './terminal.ts';
import { pad, terminalText, wrap } from './text-width.ts';
import { LABELS, PERIODS } from './labels.ts';

interface DatedEntry {
  type: RankingType;
  /** In the form of this service: a weekly ranking is dated by its Monday. */
  date: string;
  rank: number;
  pt: number;
}

/** Entries by period, oldest first, without those of unknown periods. */
export function datedEntries(history: readonly RankingHistoryEntry[]): DatedEntry[] {
  const sortKeyOf = ({ type, date }: DatedEntry) => `${RANKING_TYPES.indexOf(type)} ${date}`;
  return history
    .flatMap(({ type, date, rank, pt }) => (type && date ? [{ type, date, rank, pt }] : []))
    .sort((a, b) => (sortKeyOf(a) < sortKeyOf(b) ? -1 : 1));
}

/** The last `count` ranks up to the newest entry, oldest first; null where the ranking lacks the novel. */
export function lastRanks(entries: readonly DatedEntry[], count: number): (number | null)[] {
  const ranks = new Map(entries.map(({ date, rank }) => [date, rank]));
  const [first] = entries;
  const line: (number | null)[] = [];
  let date = entries.at(-1)?.date ?? null;
  while (first && date !== null && line.length < count && date >= first.date) {
    line.push(ranks.get(date) ?? null);
    date = rankingDateBefore(first.type, date);
  }
  return line.reverse();
}

const LEVELS = '▁▂▃▄▅▆▇█';
const FLAT = '▄';

/** Ranks as a line of blocks: the best is full, the worst the lowest; null is a blank. */
export function sparkline(ranks: readonly (number | null)[]): string {
  const knownRanks = ranks.filter((rank) => rank !== null);
  const best = Math.min(...knownRanks);
  const worst = Math.max(...knownRanks);
  return ranks
    .map((rank) => {
      if (rank === null) return ' ';
      if (best === worst) return FLAT;
      return LEVELS.charAt(Math.round(((worst - rank) / (worst - best)) * (LEVELS.length - 1)));
    })
    .join('');
}

const DEFAULT_COLUMNS = 80;
const LABEL_COLUMNS = 11;
/** With fewer columns beside it, a period has a line of its own. */
const MIN_BESIDE = 29;
const MIN_COLUMNS = 10;

/** The entries of one period: the newest rank, and the line of the latest ranks below it. */
function renderPeriod(type: RankingType, entries: readonly DatedEntry[], screen: Screen): string {
  const last = entries.at(-1);
  const date = last?.date ?? '';
  // Of equal ranks the latest, as on the page.
  const best = entries.reduce((a, b) => (b.rank <= a.rank ? b : a));
  const columns = screen.columns ?? DEFAULT_COLUMNS;
  const isBeside = columns - LABEL_COLUMNS >= MIN_BESIDE;
  const indent = isBeside ? LABEL_COLUMNS : 2;
  const available = Math.max(MIN_COLUMNS, columns - indent);
  const ranks = lastRanks(entries, available);
  const style = createStyle(screen.outHasColour);
  const head = say(
    screen,
    `rankings: ${entries.length}; best ${best.rank} (${best.date}); last ${last?.rank ?? '?'} (${date})`,
    `${entries.length}回、最高 ${best.rank}位（${best.date}）、最後 ${last?.rank ?? '?'}位（${date}）`,
  );
  const foot =
    ranks.length === 1
      ? date
      : say(screen, `${ranks.length} rankings up to ${date}`, `${date} までの ${ranks.length}回`);
  const lines = [
    ...wrap(head, available),
    style.green(sparkline(ranks)),
    ...wrap(foot, available).map((line) => style.dim(terminalText(line))),
  ];
  const label = style.bold(pad(translated(screen, PERIODS[type]), indent));
  const indented = lines.map((line) => `${' '.repeat(indent)}${line}\n`).join('');
  return isBeside ? label + indented.slice(indent) : `${label}\n${indented}`;
}

const LIST: readonly TableColumn<DatedEntry>[] = [
  { header: LABELS.period, value: ({ type }) => type },
  { header: LABELS.date, value: ({ date }) => date },
  RANK,
  countColumn(LABELS.points, ({ pt }) => pt, 1),
];

function checkType(type: string | undefined): void {
  if (type === undefined || RANKING_TYPES.some((each) => each === type)) return;
  const allowed = RANKING_TYPES.join(', ');
  throw new UsageError(
    `--type ${type}: use one of ${allowed}.`,
    `--type ${type}: 次のどれかにしてください: ${allowed}。`,
    nearestWord(type, RANKING_TYPES),
  );
}

/** The history of one novel as text. */
function renderHistory(entries: readonly DatedEntry[], isList: boolean, terminal: Terminal): string {
  if (isList) return renderTable(LIST, entries, terminal);
  const periods = RANKING_TYPES.map(
    (type) => [type, entries.filter((entry) => entry.type === type)] as const,
  );
  return periods
    .filter(([, ranks]) => ranks.length > 0)
    .map(([type, ranks]) => renderPeriod(type, ranks, terminal))
    .join('\n');
}

type HistoryArgs = GivenOptions<typeof ARGS>;

/** Histories of one or several novels; null for unknown ones. Fifty per request, one request after the other. */
async function find(
  ncodes: readonly string[],
  args: HistoryArgs,
  terminal: Terminal,
): Promise<Answer<RankingHistories>> {
  const client = catalogueClient(args, terminal);
  const call = { signal: terminal.interrupted };
  const [first = ''] = ncodes;
  if (ncodes.length === 1) {
    const answer = await client.rankingHistory(first, call);
    return { ...answer, data: { [first.toUpperCase()]: answer.data } };
  }
  const progress = createProgress(terminal, Math.ceil(ncodes.length / 50));
  let histories: Answer<RankingHistories> | undefined;
  for await (const page of client.rankingHistoryPages(ncodes, call)) {
    progress.step(Object.keys(page.data)[0] ?? '');
    histories = { ...page, data: { ...histories?.data, ...page.data } };
  }
  progress.end();
  if (!histories) throw new UsageError('history needs <ncode>.', 'history には <ncode> が必要です。');
  return histories;
}

function show(
  answer: Answer<RankingHistories>,
  isOne: boolean,
  args: HistoryArgs,
  terminal: Terminal,
): ExitCode {
  const { type } = args;
  const histories = answer.data;
  const shown = Object.entries(histories).flatMap(([ncode, history]) => {
    const ofType = history?.filter((entry) => type === undefined || type === entry.type);
    return ofType ? [{ ncode, ofType, entries: datedEntries(ofType) }] : [];
  });
  const [first] = shown;
  const { bold } = createStyle(terminal.outHasColour);
  const data = isOne ? first?.ofType : Object.fromEntries(shown.map(({ ncode, ofType }) => [ncode, ofType]));
  const records = shown.flatMap(({ ncode, entries }) =>
    entries.map((entry) => (isOne ? entry : { ncode, ...entry })),
  );
  const text = () =>
    shown
      .filter(({ entries }) => entries.length > 0)
      .map(({ ncode, entries }) => {
        const drawn = renderHistory(entries, args.list ?? false, terminal);
        return isOne ? drawn : `${bold(ncode)}\n${drawn}`;
      })
      .join('\n');
  const header = [...(isOne ? [] : ['ncode']), 'type', 'date', 'rank', 'pt'];
  writeAnswer(terminal, formatOf(args), { ...answer, data }, { records, header, text });
  for (const { ncode, entries } of shown) {
    if (entries.length > 0) continue;
    note(
      terminal,
      `${ncode} never ranked${type ? ` in a ${type} ranking` : ''}.`,
      `${ncode} が${type ?? ''}ランキングに入ったことは、まだありません。`,
    );
  }
  const missing = Object.keys(histories).filter((ncode) => histories[ncode] === null);
  for (const ncode of missing)
    warn(terminal, `There is no novel ${ncode}.`, `${ncode} という小説はありません。`);
  return missing.length > 0 ? EXIT.absent : EXIT.done;
}

const ARGS = {
  type: option(
    'period',
    'Only one period: daily, weekly, monthly or quarterly.',
    '1 つの期間だけ: daily、weekly、monthly、quarterly。',
    { values: RANKING_TYPES },
  ),
  list: flag('List every ranking instead of drawing them.', '描く代わりに、すべての順位を一覧にします。'),
  ...CATALOGUE_OPTIONS,
} as const;

export const historyCommand = defineCommand({
  word: { ...NCODE_WORD, isMany: true },
  args: ARGS,
  examples: [
    `mokuroku history ${EXAMPLE_NCODE}`,
    `mokuroku history ${EXAMPLE_NCODE} --type weekly --csv`,
    `mokuroku history ${EXAMPLE_NCODE} N0003TA --csv`,
  ],
  run: async (args, terminal, ncodes) => {
    formatOf(args);
    checkType(args.type);
    const isOne = ncodes.length === 1;
    if (args.web) {
      const view = isOne ? { ncode: ncodes[0] } : { compare: ncodes.join() };
      return openView('catalogue', args, view, terminal);
    }
    return show(await find(ncodes, args, terminal), isOne, args, terminal);
  },
});
