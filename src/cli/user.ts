import { USER_SEARCH_PARAMETERS } from '../catalogue/novels/search-parameters.ts';
import type { User } from '../client/index.ts';
import { defineCommand } from './command.ts';
import { EXIT } from './exit-codes.ts';
import { formatOf, wholeNumber, writeAnswer } from './output.ts';
import { say } from './say.ts';
import { CATALOGUE_OPTIONS, catalogueClient, openView } from './service-options.ts';
import { renderFacts } from './table.ts';
import type { Fact } from './table.ts';
import { note } from './terminal.ts';

const EXAMPLE_USERID = String(USER_SEARCH_PARAMETERS.userid.example);

const factsOf = (user: User): Fact[] => [
  ['Name', user.name],
  ['Reading', user.yomikata],
  ['User id', user.userid],
  ['Novels', wholeNumber(user.novel_cnt)],
  ['Characters in all', wholeNumber(user.novel_length)],
  ['Overall points of all novels', wholeNumber(user.sum_global_point)],
  ['Reviews written', wholeNumber(user.review_cnt)],
];

export const userCommand = defineCommand({
  word: { name: 'userid', description: 'User id: digits.' },
  args: CATALOGUE_OPTIONS,
  examples: [`mokuroku user ${EXAMPLE_USERID}`, `mokuroku novels --userid ${EXAMPLE_USERID} --order old`],
  run: async (args, terminal, [userid = '']) => {
    const format = formatOf(args);
    if (args.web) return openView('catalogue', args, { userid }, terminal);
    const answer = await catalogueClient(args, terminal).user(userid, { signal: terminal.interrupted });
    const text = () => renderFacts(factsOf(answer.data), terminal);
    writeAnswer(terminal, format, answer, { records: [answer.data], header: [], text });
    if (format === 'table')
      note(
        terminal,
        say(terminal, 'Novels: mokuroku novels --userid {userid}', { userid: answer.data.userid }),
      );
    return EXIT.done;
  },
});
