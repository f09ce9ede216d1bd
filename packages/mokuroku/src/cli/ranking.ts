import type { RankingType } from '@mokuroku/narou';
import { NOVEL_OF, RANKING_FILTERS, recordFields } from '@mokuroku/narou/queries';
import type {
  Answer,
  DatedRanking,
  NovelOfCode,
  RankingEntry,
  RankingFilters,
  RankingMeta,
  RankingSpanMeta,
} from 'mokuroku-client/source';
import { joinAnswers } from 'mokuroku-client/parts';
import { defineCommand, flag, option } from './command.ts';
import type { GivenOptions } from './command.ts';
import { EXIT } from './exit-codes.ts';
import type { ExitCode } from './exit-codes.ts';
import { AUTHOR, GENRE, NCODE, TITLE, columnsOfRecords } from './novels.ts';
import type { AnyNovel } from './novels.ts';
import { formatOf, writeAnswer } from './output.ts';
import { searchFrom, searchOptions } from './search-options.ts';
import { CATALOGUE_OPTIONS, openCatalogue, openView } from './service-options.ts';
import { countColumn, renderTable } from './table.ts';
import type { TableColumn, Screen } from './table.ts';
import { note, say } from './terminal.ts';
import type { Terminal } from './terminal.ts';
import { LABELS, PERIODS } from './labels.ts';
import { text } from '@mokuroku/kit';

type PrintedEntry = RankingEntry & AnyNovel & { unknown?: string };
type RankingAnswer = Answer<PrintedEntry[], RankingMeta>;

const TABLE_CODES = ['t', 'w', 'g'] as const;
const TABLE_ROWS = 20;
const RAW_FIELDS = ['date', 'rank', 'pt', 'ncode'];

export const RANK: TableColumn<{ rank: number }> = {
  header: text('Rank', '順位'),
  value: ({ rank }) => String(rank),
  align: 'right',
};

const rankingColumns = (screen: Screen): TableColumn<PrintedEntry>[] => [
  RANK,
  countColumn(LABELS.points, ({ pt }) => pt, 1),
  NCODE,
  {
    ...TITLE,
    // A withdrawn novel has no author either.
    value: ({ title, writer, unknown }) =>
      title ??
      ((unknown ?? writer) === undefined
        ? say(screen, '(no longer listed)', '（公開終了）')
        : say(screen, '(not available here)', '（現在取得できません）')),
  },
  AUTHOR,
  GENRE,
];

const FILTERS = Object.keys(RANKING_FILTERS);

const ARGS = {
  date: option(
    'date',
    'YYYY-MM-DD; a Monday for weekly, a first of a month for monthly and quarterly (default: newest).',
    'YYYY-MM-DD。weekly は月曜日、monthly と quarterly は 1 日（既定: 最新）。',
  ),
  from: option(
    'day',
    'Several rankings without novels, from this day (YYYY-MM-DD) on.',
    '複数のランキングを作品の情報なしで、この日（YYYY-MM-DD）から。',
    undefined,
    { excludes: ['date', 'of', 'web', ...FILTERS] },
  ),
  to: option(
    'day',
    'The last day of several rankings (default: the newest; then at most 31).',
    '複数のランキングの最後の日（既定: 最新。その場合は 31 回分まで）。',
    undefined,
    { needs: 'from' },
  ),
  lim: option(
    'n',
    'Number of entries (default: 20 in a table, otherwise all).',
    '先頭からの件数（既定: 表では 20、他はすべて）。',
  ),
  raw: flag('Rank, points and Ncode only.', '順位、ポイント、Nコードだけ。', undefined, {
    excludes: ['of', ...FILTERS],
  }),
  of: {
    type: 'string',
    description: NOVEL_OF,
    valueHint: 'codes',
  },
  ...searchOptions(RANKING_FILTERS),
  ...CATALOGUE_OPTIONS,
  web: { ...CATALOGUE_OPTIONS.web, excludes: FILTERS },
} as const;

type RankingArgs = GivenOptions<typeof ARGS>;

/** Unparsed: the service validates it. Default: all in a file, the first ones in a table. */
const limOf = (args: RankingArgs) =>
  (args.lim ?? (formatOf(args) === 'table' ? TABLE_ROWS : undefined)) as number;

async function requestRanking(
  type: RankingType,
  args: RankingArgs,
  terminal: Terminal,
): Promise<RankingAnswer> {
  const { client, call } = openCatalogue(args, terminal);
  const choice = { date: args.date, lim: limOf(args) };
  if (args.raw) return client.ranking(type, choice, call);
  const chosen = args.of?.split(/[-,]/) as NovelOfCode[] | undefined;
  const of = chosen ?? (formatOf(args) === 'table' ? TABLE_CODES : undefined);
  const filters = searchFrom(RANKING_FILTERS, args, []) as RankingFilters;
  return client.hydratedRanking(type, { ...filters, ...choice, of }, call);
}

function writeRanking(type: RankingType, args: RankingArgs, answer: RankingAnswer, terminal: Terminal): void {
  const { data, response } = answer;
  const { date } = answer.meta;
  const columns = args.raw || args.of ? columnsOfRecords(data) : rankingColumns(terminal);
  const text = () => renderTable(columns, data, terminal);
  const records = args.raw ? data.map((entry) => ({ date, ...entry })) : data;
  const header = args.raw
    ? RAW_FIELDS
    : ['rank', 'pt', 'ncode', ...recordFields('novelapi', args.of?.split(/[-,]/))];
  const noteBelow = () => {
    const shown = data.length;
    const all = response.total ?? shown;
    const [en, ja] = shown < all ? [`; all with --lim ${all}`, `。すべて見るには --lim ${all}`] : ['', ''];
    note(
      terminal,
      `${PERIODS[type].en} ranking of ${date}: ${shown} of ${all}${en}`,
      `${date} の${PERIODS[type].ja}ランキング: ${all}件のうち ${shown}件${ja}`,
    );
  };
  writeAnswer(terminal, args, answer, { records, header, text, noteBelow });
}

const SPAN_COLUMNS: readonly TableColumn<RankingEntry & { date: string }>[] = [
  { header: LABELS.date, value: ({ date }) => date },
  RANK,
  countColumn(LABELS.points, ({ pt }) => pt, 1),
  NCODE,
];

/** Several rankings, one request after the other; with an open end, one request. */
async function showSpan(
  type: RankingType,
  from: string,
  args: RankingArgs,
  terminal: Terminal,
): Promise<ExitCode> {
  const { client, call } = openCatalogue(args, terminal);
  const { to } = args;
  const span = { from, lim: limOf(args) };
  const pages =
    to === undefined
      ? [await client.rankingsBetween(type, span, call)]
      : client.rankingPages(type, { ...span, to }, call);
  let all: Answer<DatedRanking[], RankingSpanMeta> | undefined;
  for await (const page of pages) all = all ? joinAnswers(all, page, [...all.data, ...page.data]) : page;
  if (!all) return EXIT.done;
  const { data } = all;
  const records = data.flatMap(({ date, entries }) => entries.map((entry) => ({ date, ...entry })));
  const text = () => renderTable(SPAN_COLUMNS, records, terminal);
  const noteBelow = () =>
    note(
      terminal,
      `${PERIODS[type].en} rankings: ${data.length}`,
      `${PERIODS[type].ja}ランキング ${data.length}回分`,
    );
  writeAnswer(terminal, args, all, { records, header: RAW_FIELDS, text, noteBelow });
  return EXIT.done;
}

export const rankingCommand = defineCommand({
  word: {
    name: 'type',
    description: text(
      'Period: daily (the default), weekly, monthly or quarterly.',
      '期間: daily（既定）、weekly、monthly、quarterly。',
    ),
    isOptional: true,
  },
  args: ARGS,
  commonOptions: ['date', 'from', 'to', 'lim', 'of', 'order', 'genre', 'worktype', 'json', 'csv', 'web'],
  examples: [
    'mokuroku ranking',
    'mokuroku ranking weekly --date 2026-01-05 --lim 100',
    'mokuroku ranking monthly --of t-gp --csv',
    'mokuroku ranking daily --order rise --worktype er --istt',
    'mokuroku ranking weekly --from 2026-01-01 --to 2026-03-31 --csv',
  ],
  run: async (args, terminal, [given = 'daily']) => {
    if (args.web) return openView('catalogue', args, { ranking: given, date: args.date }, terminal);
    // Unparsed: the service validates it.
    const type = given as RankingType;
    if (args.from !== undefined) return showSpan(type, args.from, args, terminal);
    const answer = await requestRanking(type, args, terminal);
    writeRanking(type, args, answer, terminal);
    return EXIT.done;
  },
});
