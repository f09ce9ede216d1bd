import { RANKING_TYPES, fromRtype, rankingDateBefore } from '../catalogue/novels/ranking-date.ts';
import type { RankingType } from '../catalogue/novels/ranking-date.ts';
import type { Answer, RankingHistories, RankingHistoryEntry } from '../client/index.ts';
import { UsageError, defineCommand } from './command.ts';
import type { GivenOptions } from './command.ts';
import { EXIT } from './exit-codes.ts';
import type { ExitCode } from './exit-codes.ts';
import { didYouMean } from './nearest.ts';
import { EXAMPLE_NCODE, NCODE_WORD } from './novel.ts';
import { createProgress, formatOf, wholeNumber, writeAnswer } from './output.ts';
import { say, translated } from './say.ts';
import { CATALOGUE_OPTIONS, catalogueClient, openView } from './service-options.ts';
import { renderTable } from './table.ts';
import type { Column, Screen } from './table.ts';
import { createStyle, note } from './terminal.ts';
import type { Terminal } from './terminal.ts';
import { pad } from './text-width.ts';

interface DatedEntry {
  type: RankingType;
  /** In the form of this service: a Monday for weekly. */
  date: string;
  rank: number;
  pt: number;
}

/** One period's rankings in which a novel stood, oldest first. */
interface RankingSeries {
  type: RankingType;
  entries: readonly DatedEntry[];
}

/** Entries by period, oldest first; what has no known `rtype` is left out. Periods without entries are left out. */
export function seriesOf(history: readonly RankingHistoryEntry[]): RankingSeries[] {
  const dated = history.flatMap(({ rtype, rank, pt }): DatedEntry[] => {
    const read = fromRtype(rtype);
    return read ? [{ type: read.type, date: read.date, rank, pt }] : [];
  });
  dated.sort((a, b) => (a.date < b.date ? -1 : a.date > b.date ? 1 : 0));
  return RANKING_TYPES.map((type) => ({
    type,
    entries: dated.filter((entry) => entry.type === type),
  })).filter(({ entries }) => entries.length > 0);
}

/** The ranks of the last `count` rankings up to the newest entry, oldest first; null where the novel stood in none. */
export function lastRanks({ type, entries }: RankingSeries, count: number): (number | null)[] {
  const ranks = new Map(entries.map(({ date, rank }) => [date, rank]));
  const oldest = entries[0]?.date ?? '';
  const line: (number | null)[] = [];
  let date: string | null = entries.at(-1)?.date ?? null;
  while (date !== null && line.length < count && date >= oldest) {
    line.push(ranks.get(date) ?? null);
    date = rankingDateBefore(type, date);
  }
  return line.reverse();
}

const LEVELS = '▁▂▃▄▅▆▇█';
const FLAT = '▄';

/** Ranks as a line of blocks: the best is full, the worst the lowest; null is a gap and stays blank. */
export function sparkline(ranks: readonly (number | null)[]): string {
  const known = ranks.filter((rank) => rank !== null);
  const best = Math.min(...known);
  const worst = Math.max(...known);
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

/** One period: where it stands, and the line of its latest ranks under it. */
function renderSeries(series: RankingSeries, screen: Screen): string {
  const { type, entries } = series;
  const last = entries.at(-1);
  const best = entries.reduce((a, b) => (b.rank < a.rank ? b : a));
  const ranks = lastRanks(series, (screen.columns ?? DEFAULT_COLUMNS) - LABEL_COLUMNS);
  const date = last?.date ?? '';
  const style = createStyle(screen.outHasColour);
  const head = say(screen, '{times} times; best {best} ({bestDate}); last {last} ({date})', {
    times: entries.length,
    best: best.rank,
    bestDate: best.date,
    last: last?.rank ?? '?',
    date,
  });
  const foot =
    ranks.length === 1 ? date : say(screen, '{count} rankings up to {date}', { count: ranks.length, date });
  const indent = ' '.repeat(LABEL_COLUMNS);
  const label = style.bold(pad(translated(screen, type), LABEL_COLUMNS));
  return `${label}${head}\n${indent}${style.green(sparkline(ranks))}\n${indent}${style.dim(foot)}\n`;
}

const LIST: readonly Column<DatedEntry>[] = [
  { header: 'PERIOD', value: ({ type }) => type },
  { header: 'DATE', value: ({ date }) => date },
  { header: 'RANK', value: ({ rank }) => String(rank), align: 'right' },
  { header: 'POINTS', value: ({ pt }) => wholeNumber(pt), align: 'right' },
];

function checkType(type: string | undefined): void {
  if (type === undefined || RANKING_TYPES.some((known) => known === type)) return;
  const hint = didYouMean(type, RANKING_TYPES);
  throw new UsageError(`--type ${type}: one of ${RANKING_TYPES.join(', ')}.${hint}`);
}

const isWanted = (wanted: string | undefined, { rtype }: RankingHistoryEntry) =>
  wanted === undefined || wanted === fromRtype(rtype)?.type;

/** What one novel's history is, for people. */
function renderHistory(entries: readonly DatedEntry[], isList: boolean, terminal: Terminal): string {
  if (isList) return renderTable(LIST, entries, terminal);
  const series = RANKING_TYPES.map((type) => ({
    type,
    entries: entries.filter((each) => each.type === type),
  }));
  return series
    .filter((each) => each.entries.length > 0)
    .map((each) => renderSeries(each, terminal))
    .join('\n');
}

function noteNever(terminal: Terminal, ncode: string, type: string | undefined): void {
  const about = { ncode, type: type ?? '' };
  if (type) note(terminal, say(terminal, '{ncode} never stood in a {type} ranking.', about));
  else note(terminal, say(terminal, '{ncode} never stood in any ranking.', about));
}

type Args = GivenOptions<typeof ARGS>;

async function showOne(ncode: string, args: Args, terminal: Terminal): Promise<ExitCode> {
  const answer = await catalogueClient(args, terminal).rankingHistory(ncode, {
    signal: terminal.interrupted,
  });
  const data = answer.data.filter((entry) => isWanted(args.type, entry));
  const entries = seriesOf(data).flatMap((each) => each.entries);
  writeAnswer(
    terminal,
    formatOf(args),
    { ...answer, data },
    {
      records: entries,
      header: ['type', 'date', 'rank', 'pt'],
      text: () => renderHistory(entries, args.list ?? false, terminal),
    },
  );
  if (entries.length === 0) noteNever(terminal, ncode.toUpperCase(), args.type);
  return EXIT.done;
}

/** Several novels: fifty at a time, one request after the other. */
async function showMany(ncodes: readonly string[], args: Args, terminal: Terminal): Promise<ExitCode> {
  const client = catalogueClient(args, terminal);
  const data: RankingHistories = {};
  const missing: string[] = [];
  let last: Answer<RankingHistories> | undefined;
  const progress = createProgress(terminal, Math.ceil(ncodes.length / 50));
  for await (const page of client.rankingHistoryPages(ncodes, { signal: terminal.interrupted })) {
    progress.step(Object.keys(page.data)[0] ?? '');
    for (const [ncode, history] of Object.entries(page.data)) {
      if (history === null) missing.push(ncode);
      else data[ncode] = history.filter((entry) => isWanted(args.type, entry));
    }
    last = page;
  }
  progress.end();
  if (!last) return EXIT.done;
  const histories = Object.entries(data).map(([ncode, history]) => ({
    ncode,
    entries: seriesOf(history ?? []).flatMap((each) => each.entries),
  }));
  const records = histories.flatMap(({ ncode, entries }) => entries.map((entry) => ({ ncode, ...entry })));
  const style = createStyle(terminal.outHasColour);
  writeAnswer(
    terminal,
    formatOf(args),
    { ...last, data },
    {
      records,
      header: ['ncode', 'type', 'date', 'rank', 'pt'],
      text: () =>
        histories
          .filter(({ entries }) => entries.length > 0)
          .map(
            ({ ncode, entries }) =>
              `${style.bold(ncode)}\n${renderHistory(entries, args.list ?? false, terminal)}`,
          )
          .join('\n'),
    },
  );
  for (const { ncode, entries } of histories) if (entries.length === 0) noteNever(terminal, ncode, args.type);
  for (const ncode of missing)
    note(terminal, say(terminal, 'There is no novel {ncode}.', { ncode }), 'yellow');
  return missing.length > 0 ? EXIT.absent : EXIT.done;
}

const ARGS = {
  type: {
    type: 'string',
    description: 'Only one period: daily, weekly, monthly or quarterly.',
    valueHint: 'period',
    values: RANKING_TYPES,
  },
  list: { type: 'boolean', description: 'List every ranking instead of drawing them.' },
  ...CATALOGUE_OPTIONS,
} as const;

export const historyCommand = defineCommand({
  name: 'history',
  summary: "Draw a novel's ranks over time.",
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
    const [first = '', ...more] = ncodes;
    if (args.web) {
      const view = more.length === 0 ? { ncode: first } : { compare: ncodes.join() };
      return openView('catalogue', args, view, terminal);
    }
    return more.length === 0 ? showOne(first, args, terminal) : showMany(ncodes, args, terminal);
  },
});
