import { progressOf } from '@mokuroku/narou';
import type { Progress } from '@mokuroku/narou';
import { recordFields, ADULT_SEARCH_PARAMETERS, NOVEL_SEARCH_PARAMETERS } from '@mokuroku/narou/queries';
import type { AdultNovel, Answer, Novel, SearchMeta } from 'mokuroku-client/source';
import { defineCommand, flag } from './command.ts';
import { EXIT } from './exit-codes.ts';
import { formatOf, columnKeys, noteCount, writeAnswer } from './output.ts';
import { searchFrom, searchOptions } from './search-options.ts';
import { CATALOGUE_OPTIONS, openCatalogue, openView } from './service-options.ts';
import { countColumn, renderTable } from './table.ts';
import type { TableColumn, Screen } from './table.ts';
import { LABELS } from './labels.ts';
import { text } from '@mokuroku/kit';
import type { Text } from '@mokuroku/kit';
import { translated, writeData } from './terminal.ts';

/** A record of either kind; `of` determines its fields. */
export type AnyNovel = Partial<Novel & AdultNovel>;

/** Parameters of the adult search alone: they come last. */
const ADULT_ONLY = Object.fromEntries(
  Object.entries(ADULT_SEARCH_PARAMETERS).filter(([name]) => !(name in NOVEL_SEARCH_PARAMETERS)),
);

const PARAMETERS = { ...NOVEL_SEARCH_PARAMETERS, ...ADULT_ONLY };

/** Columns of the table without `--of`, by the codes of their fields. */
const TABLE_CODES = ['t', 'n', 'w', 'nt', 'e', 'i', 'ga', 'l', 'gp', 'gl'];

const STATES: Readonly<Record<Progress, Text>> = {
  ongoing: text('ongoing', '連載中'),
  complete: text('complete', '完結済'),
  short: text('short', '短編'),
  stopped: text('on long hiatus', '長期停止中'),
};

export function novelStateOf(novel: AnyNovel, screen: Pick<Screen, 'language'>): string {
  const progress = progressOf(novel);
  return progress === undefined ? '' : translated(screen, STATES[progress]);
}

type NovelColumn = TableColumn<AnyNovel>;

export const NCODE: NovelColumn = { header: LABELS.ncode, value: ({ ncode }) => ncode ?? '', isKey: true };
export const TITLE: NovelColumn = { header: LABELS.title, value: ({ title }) => title ?? '', minWidth: 30 };
export const AUTHOR: NovelColumn = {
  header: LABELS.author,
  value: ({ writer }) => writer ?? '',
  minWidth: 10,
  dispensable: 2,
};
export const GENRE: NovelColumn = {
  header: LABELS.genre,
  value: (novel) => novel.genre_label ?? novel.nocgenre_label ?? '',
  minWidth: 14,
  dispensable: 4,
};

const novelColumns = (screen: Screen): NovelColumn[] => [
  NCODE,
  TITLE,
  AUTHOR,
  GENRE,
  { header: LABELS.state, value: (novel) => novelStateOf(novel, screen), dispensable: 3 },
  countColumn(text('Ep.', '話数'), (novel) => novel.general_all_no, 5),
  countColumn(LABELS.characters, (novel) => novel.length, 6),
  countColumn(LABELS.points, (novel) => novel.global_point, 1),
  // `2026-10-30 07:00:00` (Japan) to its date.
  {
    header: text('Latest', '最新話'),
    value: ({ general_lastup }) => general_lastup?.slice(0, 10) ?? '',
    dispensable: 7,
  },
];

const TEXTS = new Set(['title', 'writer', 'story', 'keyword', 'genre_label', 'nocgenre_label']);

/** With `--of`: one column for each field of the records. */
export function columnsOfRecords(records: readonly object[]): TableColumn<object>[] {
  return columnKeys(records).map((field) => ({
    header: { field },
    value: (record) => String((record as Record<string, string | number | null>)[field] ?? ''),
    ...(TEXTS.has(field) ? { minWidth: 20 } : { align: 'right' as const }),
  }));
}

export const novelsCommand = defineCommand({
  word: {
    name: 'word',
    description: text(
      'Words that must all occur; or one Ncode.',
      'すべてを含む検索語、または Nコード 1 つ。',
    ),
    isOptional: true,
    isMany: true,
  },
  args: {
    ...searchOptions(NOVEL_SEARCH_PARAMETERS),
    ndjson: flag(
      'Print all matches, one JSON object per line; needs a local catalogue.',
      '一致した作品すべてを、1 行に 1 件の JSON で出力します。ローカルカタログが必要です。',
      LABELS.output,
    ),
    ...CATALOGUE_OPTIONS,
    adult: flag(
      'Search adult novels instead (metadata only; for readers of 18 and over).',
      '代わりに成人向け作品を検索します（メタデータのみ、18歳以上の方向け）。',
      LABELS.adultNovels,
    ),
    ...searchOptions(ADULT_ONLY),
  },
  commonOptions: ['genre', 'type', 'minlen', 'lastup', 'order', 'lim', 'json', 'csv', 'web', 'base-url'],
  examples: [
    'mokuroku novels 異世界 料理 --order hyoka --lim 10',
    'mokuroku novels --genre 201,202 --type er --minlen 100000',
    'mokuroku novels --order weeklypoint --of t-n-gp --csv',
  ],
  run: async (args, terminal, words) => {
    const format = formatOf(args);
    const isAdult = args.adult === true;
    const given = searchFrom(PARAMETERS, args, words);
    if (args.web) return openView('catalogue', args, { ...(isAdult && { r18: true }), ...given }, terminal);
    const of = typeof given['of'] === 'string' ? given['of'].split(/[-,]/) : undefined;
    const fields = of ?? (format === 'table' ? [...TABLE_CODES, isAdult ? 'ng' : 'g'] : undefined);
    // Unparsed: the service validates them.
    const search: Record<string, string | true | readonly string[]> = {
      ...given,
      ...(fields && { of: fields }),
    };
    const { client, call } = openCatalogue(args, terminal);
    if (format === 'ndjson') {
      const all = isAdult ? client.adultNovelStream(given, call) : client.novelStream(given, call);
      for await (const novel of all) {
        writeData(terminal, `${JSON.stringify(novel)}\n`);
        // A slow reader slows the service down, not a growing buffer.
        await terminal.flush();
      }
      return EXIT.done;
    }
    const response = isAdult ? client.adultNovels(search, call) : client.novels(search, call);
    const answer = (await response) as Answer<AnyNovel[], SearchMeta>;
    const { data, meta } = answer;
    writeAnswer(terminal, args, answer, {
      records: data,
      header: recordFields(isAdult ? 'novel18api' : 'novelapi', of),
      text: () => renderTable(of ? columnsOfRecords(data) : novelColumns(terminal), data, terminal),
      noteBelow: () => noteCount(terminal, data.length, Number(given['st'] ?? 1), meta.upstreamAllCount),
    });
    return EXIT.done;
  },
});
