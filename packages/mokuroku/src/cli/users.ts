import { USER, USER_SEARCH_PARAMETERS } from '@mokuroku/narou/queries';
import type { User } from 'mokuroku-client/source';
import { defineCommand } from './command.ts';
import { EXIT } from './exit-codes.ts';
import { noteCount, formatWholeNumber, writeAnswer } from './output.ts';
import { searchFrom, searchOptions } from './search-options.ts';
import { CATALOGUE_OPTIONS, openCatalogue, openView } from './service-options.ts';
import { countColumn, renderFacts, renderTable } from './table.ts';
import type { TableColumn, TableFact } from './table.ts';
import { note } from './terminal.ts';
import { LABELS } from './labels.ts';
import { text } from '@mokuroku/kit';

const COLUMNS: readonly TableColumn<User>[] = [
  { header: LABELS.userId, value: ({ userid }) => userid, align: 'right' },
  { header: LABELS.name, value: ({ name }) => name ?? '', minWidth: 12 },
  { header: LABELS.reading, value: ({ yomikata }) => yomikata ?? '', minWidth: 10, dispensable: 3 },
  countColumn(LABELS.novels, (user) => user.novel_cnt, 5),
  countColumn(LABELS.reviews, (user) => user.review_cnt, 4),
  countColumn(LABELS.characters, (user) => user.novel_length, 2),
  countColumn(LABELS.points, (user) => user.sum_global_point, 1),
];

export const usersCommand = defineCommand({
  word: {
    name: 'word',
    description: text('Words of the name or its reading.', '名前または読みの検索語。'),
    isOptional: true,
    isMany: true,
  },
  args: { ...searchOptions(USER_SEARCH_PARAMETERS), ...CATALOGUE_OPTIONS },
  examples: ['mokuroku users しおり', 'mokuroku users --name1st し --lim 100 --csv'],
  run: async (args, terminal, words) => {
    const search = searchFrom(USER_SEARCH_PARAMETERS, args, words);
    if (args.web) return openView('catalogue', args, { authors: words.join(' ') }, terminal);
    const { client, call } = openCatalogue(args, terminal);
    const answer = await client.users(search, call);
    const { data, meta } = answer;
    const text = () => renderTable(COLUMNS, data, terminal);
    const noteBelow = () =>
      noteCount(terminal, data.length, Number(search['st'] ?? 1), meta.upstreamAllCount);
    writeAnswer(terminal, args, answer, { records: data, header: Object.keys(USER.shape), text, noteBelow });
    return EXIT.done;
  },
});

const EXAMPLE_USERID = String(USER_SEARCH_PARAMETERS.userid.example);

const userFacts = (user: User): TableFact[] => [
  [LABELS.name, user.name],
  [LABELS.reading, user.yomikata],
  [LABELS.userId, user.userid],
  [LABELS.novels, formatWholeNumber(user.novel_cnt)],
  [text('Characters in all', '総文字数'), formatWholeNumber(user.novel_length)],
  [text('Overall points of all novels', '総合ポイントの合計'), formatWholeNumber(user.sum_global_point)],
  [text('Reviews written', '書いたレビュー'), formatWholeNumber(user.review_cnt)],
];

export const userCommand = defineCommand({
  word: { name: 'userid', description: text('User id: digits.', 'ユーザー ID（数字）。') },
  args: CATALOGUE_OPTIONS,
  examples: [`mokuroku user ${EXAMPLE_USERID}`, `mokuroku novels --userid ${EXAMPLE_USERID} --order old`],
  run: async (args, terminal, [userid = '']) => {
    if (args.web) return openView('catalogue', args, { userid }, terminal);
    const { client, call } = openCatalogue(args, terminal);
    const answer = await client.user(userid, call);
    const text = () => renderFacts(userFacts(answer.data), terminal);
    const novels = `mokuroku novels --userid ${answer.data.userid}`;
    const noteBelow = () => note(terminal, `Novels: ${novels}`, `作品: ${novels}`);
    writeAnswer(terminal, args, answer, { records: [answer.data], text, noteBelow });
    return EXIT.done;
  },
});
