import type { User } from '../client/index.ts';
import { defineCommand } from './command.ts';
import { EXIT } from './exit-codes.ts';
import { renderFacts } from './facts.ts';
import type { Fact } from './facts.ts';
import { formatOf, noteCircumstances, writeJson, writeRecordsAsCsv } from './output.ts';
import { CATALOGUE_OPTIONS, catalogueClient } from './service-options.ts';
import { createStyle } from './style.ts';

const number = (value: number | undefined): string | undefined => value?.toLocaleString('en');

function factsOf(user: User): Fact[] {
  return [
    ['Name', user.name],
    ['Reading', user.yomikata],
    ['User id', user.userid],
    ['Novels', number(user.novel_cnt)],
    ['Characters', number(user.novel_length)],
    ['Points', number(user.sum_global_point)],
    ['Reviews', number(user.review_cnt)],
  ];
}

export const userCommand = defineCommand({
  name: 'user',
  summary: 'Show one author or reader.',
  args: {
    userid: { type: 'positional', required: true, description: 'User id: digits.' },
    ...CATALOGUE_OPTIONS,
  },
  examples: ['mokuroku user 712034', 'mokuroku novels --userid 712034 --order old'],
  run: async (args, terminal) => {
    const format = formatOf(args);
    const answer = await catalogueClient(args, terminal).user(args.userid, { signal: terminal.interrupted });
    const { data, meta } = answer;
    if (format === 'json') writeJson(terminal, { data, meta });
    else if (format === 'csv') writeRecordsAsCsv(terminal, [data], []);
    else {
      terminal.out(renderFacts(factsOf(data), terminal.columns, createStyle(terminal.outHasColour)));
      const note = `Novels: mokuroku novels --userid ${data.userid}\n`;
      terminal.err(createStyle(terminal.errHasColour).dim(note));
    }
    noteCircumstances(terminal, answer);
    return EXIT.done;
  },
});
