import { USER_SEARCH_PARAMETERS } from '../catalogue/novels/search-parameters.ts';
import type { User, UserSearch } from '../client/index.ts';
import { defineCommand } from './command.ts';
import { EXIT } from './exit-codes.ts';
import { formatOf, noteCircumstances, noteCount, writeJson, writeRecordsAsCsv } from './output.ts';
import { searchFrom, searchOptions } from './search-options.ts';
import { CATALOGUE_OPTIONS, catalogueClient } from './service-options.ts';
import { createStyle } from './style.ts';
import { renderTable } from './table.ts';
import type { Column } from './table.ts';

const number = (value: number | undefined): string => value?.toLocaleString('en') ?? '';

const COLUMNS: readonly Column<User>[] = [
  { header: 'USERID', value: ({ userid }) => userid, align: 'right' },
  { header: 'NAME', value: ({ name }) => name ?? '', least: 12 },
  { header: 'READING', value: ({ yomikata }) => yomikata ?? '', least: 10, dispensable: 3 },
  { header: 'NOVELS', value: ({ novel_cnt }) => number(novel_cnt), align: 'right' },
  { header: 'REVIEWS', value: ({ review_cnt }) => number(review_cnt), align: 'right', dispensable: 4 },
  { header: 'CHARACTERS', value: ({ novel_length }) => number(novel_length), align: 'right', dispensable: 2 },
  {
    header: 'POINTS',
    value: ({ sum_global_point }) => number(sum_global_point),
    align: 'right',
    dispensable: 1,
  },
];

export const usersCommand = defineCommand({
  name: 'users',
  summary: 'Search authors and readers by name.',
  args: {
    word: { type: 'positional', required: false, description: 'Words of the name or its reading.' },
    ...(searchOptions(USER_SEARCH_PARAMETERS, ['word']) as Record<string, { type: 'string' }>),
    ...CATALOGUE_OPTIONS,
  },
  takesMany: true,
  examples: ['mokuroku users しおり', 'mokuroku users --name1st し --lim 100 --csv'],
  run: async (args, terminal) => {
    const format = formatOf(args);
    const given = searchFrom(USER_SEARCH_PARAMETERS, args);
    const search = { ...given, ...(args._.length > 0 && { word: args._.join(' ') }) } as UserSearch;
    const answer = await catalogueClient(args, terminal).users(search, { signal: terminal.interrupted });
    const { data, meta } = answer;
    if (format === 'json') writeJson(terminal, { data, meta });
    else if (format === 'csv') writeRecordsAsCsv(terminal, data, ['userid']);
    else if (data.length > 0) {
      terminal.out(renderTable(COLUMNS, data, terminal.columns, createStyle(terminal.outHasColour)));
    }
    noteCircumstances(terminal, answer);
    if (format === 'table') noteCount(terminal, data.length, Number(given['st'] ?? 1), meta.upstreamAllCount);
    return EXIT.done;
  },
});
