import { defineCommand } from './command.ts';
import { EXIT } from './exit-codes.ts';
import { renderFacts } from './facts.ts';
import type { Fact } from './facts.ts';
import { stateOf } from './novel-columns.ts';
import type { AnyNovel } from './novel-columns.ts';
import { formatOf, noteCircumstances, writeJson, writeRecordsAsCsv } from './output.ts';
import { CATALOGUE_OPTIONS, catalogueClient } from './service-options.ts';
import { createStyle } from './style.ts';

const counted = (value: number | undefined, unit = ''): string | undefined =>
  value === undefined ? undefined : `${value.toLocaleString('en')}${unit}`;

const MARKS: readonly (readonly [keyof AnyNovel, string])[] = [
  ['isr15', '15 and over'],
  ['isbl', "boys' love"],
  ['isgl', "girls' love"],
  ['iszankoku', 'cruel depictions'],
  ['istensei', 'reincarnation'],
  ['istenni', 'transfer to another world'],
];

function factsOf(novel: AnyNovel): Fact[] {
  const points = [
    `${counted(novel.global_point) ?? '?'} in all`,
    `${counted(novel.daily_point) ?? '?'} day`,
    `${counted(novel.weekly_point) ?? '?'} week`,
    `${counted(novel.monthly_point) ?? '?'} month`,
    `${counted(novel.quarter_point) ?? '?'} quarter`,
    `${counted(novel.yearly_point) ?? '?'} year`,
  ];
  return [
    ['Title', novel.title],
    ['Author', novel.userid === undefined ? novel.writer : `${novel.writer ?? ''} (user ${novel.userid})`],
    ['Ncode', novel.ncode],
    ['Genre', novel.genre_label ?? novel.nocgenre_label],
    ['State', stateOf(novel)],
    ['Episodes', counted(novel.general_all_no)],
    ['Length', `${counted(novel.length) ?? '?'} characters, ${counted(novel.time) ?? '?'} minutes to read`],
    ['First', novel.general_firstup],
    ['Latest', novel.general_lastup],
    ['Points', points.join(', ')],
    ['Bookmarks', counted(novel.fav_novel_cnt)],
    ['Raters', counted(novel.all_hyoka_cnt)],
    ['Impressions', counted(novel.impression_cnt)],
    ['Reviews', counted(novel.review_cnt)],
    ['Dialogue', counted(novel.kaiwaritu, ' %')],
    ['Marks', MARKS.flatMap(([field, mark]) => (novel[field] === 1 ? mark : [])).join(', ')],
    ['Keywords', novel.keyword],
    ['Synopsis', novel.story],
  ];
}

export const novelCommand = defineCommand({
  name: 'novel',
  summary: 'Show one novel.',
  args: {
    ncode: {
      type: 'positional',
      required: true,
      description: 'Code of the novel, such as N8021JX, in any case.',
    },
    adult: { type: 'boolean', description: 'An adult novel (metadata only; for readers of 18 and over).' },
    ...CATALOGUE_OPTIONS,
  },
  examples: ['mokuroku novel n8021jx', 'mokuroku novel N8021JX --json'],
  run: async (args, terminal) => {
    const format = formatOf(args);
    const client = catalogueClient(args, terminal);
    const call = { signal: terminal.interrupted };
    const answer = args.adult
      ? await client.adultNovel(args.ncode, call)
      : await client.novel(args.ncode, call);
    const { data, meta } = answer;
    if (format === 'json') writeJson(terminal, { data, meta });
    else if (format === 'csv') writeRecordsAsCsv(terminal, [data], []);
    else terminal.out(renderFacts(factsOf(data), terminal.columns, createStyle(terminal.outHasColour)));
    noteCircumstances(terminal, answer);
    return EXIT.done;
  },
});
