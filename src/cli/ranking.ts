import type { RankingType } from '../catalogue/novels/ranking-date.ts';
import { RANKING_TYPES } from '../catalogue/novels/ranking-date.ts';
import { NOVEL_OF } from '../catalogue/novels/search-parameters.ts';
import type { Answer, NovelOfCode, RankingEntry, RankingMeta } from '../client/index.ts';
import { UsageError, defineCommand } from './command.ts';
import { EXIT } from './exit-codes.ts';
import { AUTHOR, GENRE, NCODE, TITLE, columnsOfRecords } from './novel-columns.ts';
import type { AnyNovel } from './novel-columns.ts';
import { formatOf, noteCircumstances, writeJson, writeRecordsAsCsv } from './output.ts';
import { CATALOGUE_OPTIONS, catalogueClient } from './service-options.ts';
import { createStyle } from './style.ts';
import { renderTable } from './table.ts';
import type { Column } from './table.ts';

type Entry = RankingEntry & AnyNovel;

const TABLE_CODES = ['t', 'w', 'g'] as const;
const TABLE_TOP = 20;

const COLUMNS: readonly Column<Entry>[] = [
  { header: 'RANK', value: ({ rank }) => String(rank), align: 'right' },
  { header: 'POINTS', value: ({ pt }) => pt.toLocaleString('en'), align: 'right', dispensable: 1 },
  NCODE,
  // A novel that is gone keeps its place without a title.
  { ...TITLE, value: ({ title }) => title ?? '(no longer there)' },
  AUTHOR,
  GENRE,
];

function readTop(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^[1-9]\d{0,5}$/.test(text))
    throw new UsageError(`--top ${text}: a whole number from 1 on is wanted.`);
  return Number(text);
}

export const rankingCommand = defineCommand({
  name: 'ranking',
  summary: 'Show a ranking with its novels.',
  args: {
    type: {
      type: 'positional',
      required: false,
      default: 'daily',
      description: `Period: ${RANKING_TYPES.join(', ')} (default: daily).`,
    },
    date: {
      type: 'string',
      description:
        'YYYY-MM-DD; a Monday for weekly, a first of a month for monthly and quarterly (default: newest).',
      valueHint: 'date',
    },
    top: {
      type: 'string',
      description: 'Only the first so many (default: 20 in a table, else all).',
      valueHint: 'n',
    },
    raw: { type: 'boolean', description: 'Rank, points and Ncode alone.' },
    of: { type: 'string', description: NOVEL_OF.description, valueHint: 'codes' },
    ...CATALOGUE_OPTIONS,
  },
  values: { type: RANKING_TYPES, of: (NOVEL_OF.values ?? []).map(String) },
  examples: [
    'mokuroku ranking',
    'mokuroku ranking weekly --date 2026-01-05 --top 100',
    'mokuroku ranking monthly --of t-gp --csv',
  ],
  run: async (args, terminal) => {
    const format = formatOf(args);
    const asked = readTop(args.top);
    const client = catalogueClient(args, terminal);
    const type = args.type as RankingType;
    const call = { signal: terminal.interrupted };
    const chosen = args.of?.split(/[-,]/) as NovelOfCode[] | undefined;
    const of = chosen ?? (format === 'table' ? TABLE_CODES : undefined);
    const answer: Answer<Entry[], RankingMeta> = args.raw
      ? await client.ranking(type, { date: args.date }, call)
      : await client.hydratedRanking(type, { date: args.date, of }, call);
    const { meta } = answer;
    const data = answer.data.slice(0, asked ?? (format === 'table' ? TABLE_TOP : undefined));
    if (format === 'json') writeJson(terminal, { data, meta });
    else if (format === 'csv') writeRecordsAsCsv(terminal, data, ['rank', 'pt', 'ncode']);
    else {
      const columns = (args.raw ?? chosen) ? columnsOfRecords(data) : COLUMNS;
      const style = createStyle(terminal.outHasColour);
      terminal.out(renderTable(columns, data, terminal.columns, style));
    }
    noteCircumstances(terminal, answer);
    if (format === 'table') {
      const more = data.length < answer.data.length ? `; all with --top ${answer.data.length}` : '';
      const note = `${type} ranking of ${meta.date}: ${data.length} of ${answer.data.length}${more}\n`;
      terminal.err(createStyle(terminal.errHasColour).dim(note));
    }
    return EXIT.done;
  },
});
