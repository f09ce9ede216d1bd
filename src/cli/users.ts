import { USER_SEARCH_PARAMETERS } from '../catalogue/novels/search-parameters.ts';
import type { User } from '../client/index.ts';
import { defineCommand } from './command.ts';
import { EXIT } from './exit-codes.ts';
import { formatOf, noteCount, formatWholeNumber, writeAnswer } from './output.ts';
import {
  CATALOGUE_OPTIONS,
  catalogueClient,
  openView,
  searchFrom,
  searchOptions,
} from './service-options.ts';
import { countColumn, renderFacts, renderTable } from './table.ts';
import type { TableColumn, TableFact } from './table.ts';
import { note } from './terminal.ts';

const COLUMNS: readonly TableColumn<User>[] = [
  { header: 'User id', value: ({ userid }) => userid, align: 'right' },
  { header: 'Name', value: ({ name }) => name ?? '', minWidth: 12 },
  { header: 'Reading', value: ({ yomikata }) => yomikata ?? '', minWidth: 10, dispensable: 3 },
  countColumn('Novels', (user) => user.novel_cnt, 5),
  countColumn('Reviews', (user) => user.review_cnt, 4),
  countColumn('Characters', (user) => user.novel_length, 2),
  countColumn('Points', (user) => user.sum_global_point, 1),
];

const FIELDS = [
  'userid',
  'name',
  'yomikata',
  'name1st',
  'novel_cnt',
  'review_cnt',
  'novel_length',
  'sum_global_point',
] as const satisfies readonly (keyof User)[];

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
    writeAnswer(terminal, format, answer, { records: data, header: FIELDS, text });
    if (format === 'table')
      noteCount(terminal, data.length, Number(search['st'] ?? 1), meta.upstreamAllCount);
    return EXIT.done;
  },
});

const EXAMPLE_USERID = String(USER_SEARCH_PARAMETERS.userid.example);

const userFacts = (user: User): TableFact[] => [
  ['Name', user.name],
  ['Reading', user.yomikata],
  ['User id', user.userid],
  ['Novels', formatWholeNumber(user.novel_cnt)],
  ['Characters in all', formatWholeNumber(user.novel_length)],
  ['Overall points of all novels', formatWholeNumber(user.sum_global_point)],
  ['Reviews written', formatWholeNumber(user.review_cnt)],
];

export const userCommand = defineCommand({
  word: { name: 'userid', description: 'User id: digits.' },
  args: CATALOGUE_OPTIONS,
  examples: [`mokuroku user ${EXAMPLE_USERID}`, `mokuroku novels --userid ${EXAMPLE_USERID} --order old`],
  run: async (args, terminal, [userid = '']) => {
    const format = formatOf(args);
    if (args.web) return openView('catalogue', args, { userid }, terminal);
    const answer = await catalogueClient(args, terminal).user(userid, { signal: terminal.interrupted });
    const text = () => renderFacts(userFacts(answer.data), terminal);
    writeAnswer(terminal, format, answer, { records: [answer.data], header: [], text });
    if (format === 'table')
      note(terminal, 'Novels: mokuroku novels --userid {userid}', { userid: answer.data.userid });
    return EXIT.done;
  },
});
