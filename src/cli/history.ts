import { RANKING_TYPES, fromRtype, rankingDateBefore } from '../catalogue/novels/ranking-date.ts';
import type { RankingType } from '../catalogue/novels/ranking-date.ts';
import type { RankingHistoryEntry } from '../client/index.ts';
import { UsageError, defineCommand } from './command.ts';
import { EXIT } from './exit-codes.ts';
import { didYouMean } from './nearest.ts';
import { EXAMPLE_NCODE, NCODE_WORD } from './novel.ts';
import { formatOf, wholeNumber, writeAnswer } from './output.ts';
import { say, translated } from './say.ts';
import { CATALOGUE_OPTIONS, catalogueClient, openView } from './service-options.ts';
import { renderTable } from './table.ts';
import type { Column, Screen } from './table.ts';
import { createStyle, note } from './terminal.ts';
import { pad } from './text-width.ts';

export interface DatedEntry {
  type: RankingType;
  /** In the form of this service: a Monday for weekly. */
  date: string;
  rank: number;
  pt: number;
}

/** One period's rankings in which a novel stood, oldest first. */
export interface RankingSeries {
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

export const historyCommand = defineCommand({
  name: 'history',
  summary: "Draw a novel's ranks over time.",
  word: NCODE_WORD,
  args: {
    type: {
      type: 'string',
      description: 'Only one period: daily, weekly, monthly or quarterly.',
      valueHint: 'period',
      values: RANKING_TYPES,
    },
    list: { type: 'boolean', description: 'List every ranking instead of drawing them.' },
    ...CATALOGUE_OPTIONS,
  },
  examples: [`mokuroku history ${EXAMPLE_NCODE}`, `mokuroku history ${EXAMPLE_NCODE} --type weekly --csv`],
  run: async (args, terminal, [ncode = '']) => {
    const format = formatOf(args);
    checkType(args.type);
    if (args.web) return openView('catalogue', args, { ncode }, terminal);
    const answer = await catalogueClient(args, terminal).rankingHistory(ncode, {
      signal: terminal.interrupted,
    });
    const isWanted = (type: string | undefined) => args.type === undefined || type === args.type;
    const data = answer.data.filter(({ rtype }) => isWanted(fromRtype(rtype)?.type));
    const series = seriesOf(data);
    const entries = series.flatMap((each) => each.entries);
    const draw = () => series.map((each) => renderSeries(each, terminal)).join('\n');
    writeAnswer(
      terminal,
      format,
      { ...answer, data },
      {
        records: entries,
        header: ['type', 'date', 'rank', 'pt'],
        text: () => (args.list ? renderTable(LIST, entries, terminal) : draw()),
      },
    );
    const about = { ncode: ncode.toUpperCase(), type: args.type ?? '' };
    if (entries.length === 0 && args.type)
      note(terminal, say(terminal, '{ncode} never stood in a {type} ranking.', about));
    else if (entries.length === 0)
      note(terminal, say(terminal, '{ncode} never stood in any ranking.', about));
    return EXIT.done;
  },
});
