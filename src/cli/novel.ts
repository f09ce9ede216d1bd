import { NOVEL_SEARCH_PARAMETERS } from '../catalogue/novels/search-parameters.ts';
import type { Answer } from '../client/index.ts';
import { defineCommand } from './command.ts';
import { EXIT } from './exit-codes.ts';
import { novelStateOf } from './novels.ts';
import type { AnyNovel } from './novels.ts';
import { formatOf, formatWholeNumber, writeAnswer } from './output.ts';
import { say, translated } from './say.ts';
import { CATALOGUE_OPTIONS, catalogueClient, openView } from './service-options.ts';
import { renderFacts } from './table.ts';
import type { TableFact, Screen } from './table.ts';

export const NCODE_WORD = { name: 'ncode', description: 'Code of the novel, in any case.' } as const;

/** The Ncode of all examples. */
export const EXAMPLE_NCODE = String(NOVEL_SEARCH_PARAMETERS.ncode.example);

const MARKS: readonly (readonly [keyof AnyNovel, string])[] = [
  ['isr15', 'R15'],
  ['iszankoku', 'graphic violence'],
  ['isbl', "boys' love"],
  ['isgl', "girls' love"],
  ['istensei', 'reincarnation'],
  ['istenni', 'other world'],
];

function novelFacts(novel: AnyNovel, screen: Screen): TableFact[] {
  const { userid, writer, kaiwaritu, time } = novel;
  const periods = {
    day: formatWholeNumber(novel.daily_point),
    week: formatWholeNumber(novel.weekly_point),
    month: formatWholeNumber(novel.monthly_point),
    quarter: formatWholeNumber(novel.quarter_point),
    year: formatWholeNumber(novel.yearly_point),
  };
  const marks = MARKS.flatMap(([field, mark]) => (novel[field] === 1 ? translated(screen, mark) : []));
  return [
    ['Title', novel.title],
    [
      'Author',
      userid === undefined
        ? writer
        : say(screen, '{writer} (user {userid})', { writer: writer ?? '', userid }),
    ],
    ['Ncode', novel.ncode],
    ['Genre', novel.genre_label ?? novel.nocgenre_label],
    ['State', novelStateOf(novel, screen)],
    ['Episodes', formatWholeNumber(novel.general_all_no)],
    ['Characters', formatWholeNumber(novel.length)],
    [
      'Reading time',
      time === undefined ? undefined : say(screen, '{minutes} minutes', { minutes: formatWholeNumber(time) }),
    ],
    ['Published', novel.general_firstup],
    ['Latest episode', novel.general_lastup],
    ['Overall points', formatWholeNumber(novel.global_point)],
    ['Points', say(screen, 'day {day}, week {week}, month {month}, quarter {quarter}, year {year}', periods)],
    ['Bookmarks', formatWholeNumber(novel.fav_novel_cnt)],
    ['Raters', formatWholeNumber(novel.all_hyoka_cnt)],
    ['Impressions', formatWholeNumber(novel.impression_cnt)],
    ['Reviews', formatWholeNumber(novel.review_cnt)],
    ['Dialogue', kaiwaritu === undefined ? undefined : `${kaiwaritu} %`],
    ['Elements', marks.join(', ')],
    ['Keywords', novel.keyword],
    ['Synopsis', novel.story],
  ];
}

export const novelCommand = defineCommand({
  word: NCODE_WORD,
  args: {
    adult: { type: 'boolean', description: 'An adult novel (metadata only; for readers of 18 and over).' },
    ...CATALOGUE_OPTIONS,
  },
  examples: [`mokuroku novel ${EXAMPLE_NCODE}`, `mokuroku novel ${EXAMPLE_NCODE.toLowerCase()} --json`],
  run: async (args, terminal, [ncode = '']) => {
    const format = formatOf(args);
    if (args.web) return openView('catalogue', args, { ncode, r18: args.adult }, terminal);
    const client = catalogueClient(args, terminal);
    const call = { signal: terminal.interrupted };
    const answer: Answer<AnyNovel> = await (args.adult
      ? client.adultNovel(ncode, call)
      : client.novel(ncode, call));
    const text = () => renderFacts(novelFacts(answer.data, terminal), terminal);
    writeAnswer(terminal, format, answer, { records: [answer.data], header: [], text });
    return EXIT.done;
  },
});
