import { USER_SEARCH_PARAMETERS } from '../catalogue/novels/search-parameters.ts';
import type { User } from '../client/index.ts';
import { defineCommand } from './command.ts';
import { EXIT } from './exit-codes.ts';
import { formatOf, noteCount, writeAnswer } from './output.ts';
import {
  CATALOGUE_OPTIONS,
  catalogueClient,
  openView,
  searchFrom,
  searchOptions,
} from './service-options.ts';
import { counted, renderTable } from './table.ts';
import type { Column } from './table.ts';

const COLUMNS: readonly Column<User>[] = [
  { header: 'USERID', value: ({ userid }) => userid, align: 'right' },
  { header: 'NAME', value: ({ name }) => name ?? '', least: 12 },
  { header: 'READING', value: ({ yomikata }) => yomikata ?? '', least: 10, dispensable: 3 },
  counted('NOVELS', (user) => user.novel_cnt),
  counted('REVIEWS', (user) => user.review_cnt, 4),
  counted('CHARACTERS', (user) => user.novel_length, 2),
  counted('POINTS', (user) => user.sum_global_point, 1),
];

export const usersCommand = defineCommand({
  word: { name: 'word', description: 'Words of the name or its reading.', isOptional: true, isMany: true },
  args: { ...searchOptions(USER_SEARCH_PARAMETERS), ...CATALOGUE_OPTIONS },
  examples: ['mokuroku users しおり', 'mokuroku users --name1st し --lim 100 --csv'],
  run: async (args, terminal, words) => {
    const format = formatOf(args);
    const search = searchFrom(USER_SEARCH_PARAMETERS, args, words);
    if (args.web) return openView('catalogue', args, { authors: words.join(' ') }, terminal);
    const answer = await catalogueClient(args, terminal).users(search, { signal: terminal.interrupted });
    const { data, meta } = answer;
    const text = () => renderTable(COLUMNS, data, terminal);
    writeAnswer(terminal, format, answer, { records: data, header: ['userid'], text });
    if (format === 'table')
      noteCount(terminal, data.length, Number(search['st'] ?? 1), meta.upstreamAllCount);
    return EXIT.done;
  },
});
