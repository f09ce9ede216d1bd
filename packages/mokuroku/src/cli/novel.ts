import { NOVEL_SEARCH_PARAMETERS } from '@mokuroku/narou/queries';
import type { Answer } from 'mokuroku-client/source';
import { defineCommand, flag } from './command.ts';
import { EXIT } from './exit-codes.ts';
import { novelStateOf } from './novels.ts';
import type { AnyNovel } from './novels.ts';
import { formatWholeNumber, writeAnswer } from './output.ts';
import { CATALOGUE_OPTIONS, openCatalogue, openView } from './service-options.ts';
import { renderFacts } from './table.ts';
import type { TableFact, Screen } from './table.ts';
import { LABELS } from './labels.ts';
import { same, text } from '@mokuroku/kit';
import type { Text } from '@mokuroku/kit';
import { say, translated } from './terminal.ts';

export const NCODE_WORD = {
  name: 'ncode',
  description: text('Code of the novel, in any case.', '小説の Nコード。大文字・小文字は問いません。'),
} as const;

/** The Ncode of all examples. */
export const EXAMPLE_NCODE = String(NOVEL_SEARCH_PARAMETERS.ncode.example);

const MARKS: readonly (readonly [keyof AnyNovel, Text])[] = [
  ['isr15', same('R15')],
  ['iszankoku', text('graphic violence', '残酷な描写')],
  ['isbl', text("boys' love", 'ボーイズラブ')],
  ['isgl', text("girls' love", 'ガールズラブ')],
  ['istensei', text('reincarnation', '異世界転生')],
  ['istenni', text('other world', '異世界転移')],
];

function novelFacts(novel: AnyNovel, screen: Screen): TableFact[] {
  const { userid, writer, kaiwaritu, time } = novel;
  const [day, week, month, quarter, year] = [
    novel.daily_point,
    novel.weekly_point,
    novel.monthly_point,
    novel.quarter_point,
    novel.yearly_point,
  ].map(formatWholeNumber);
  const marks = MARKS.flatMap(([field, mark]) => (novel[field] === 1 ? translated(screen, mark) : []));
  return [
    [LABELS.title, novel.title],
    [
      LABELS.author,
      userid === undefined
        ? writer
        : say(screen, `${writer ?? ''} (user ${userid})`, `${writer ?? ''}（ユーザー ${userid}）`),
    ],
    [LABELS.ncode, novel.ncode],
    [LABELS.genre, novel.genre_label ?? novel.nocgenre_label],
    [LABELS.state, novelStateOf(novel, screen)],
    [text('Episodes', '話数'), formatWholeNumber(novel.general_all_no)],
    [LABELS.characters, formatWholeNumber(novel.length)],
    [
      text('Reading time', '読了時間'),
      time === undefined
        ? undefined
        : say(screen, `${formatWholeNumber(time)} minutes`, `${formatWholeNumber(time)}分`),
    ],
    [text('Published', '掲載'), novel.general_firstup],
    [text('Latest episode', '最新話'), novel.general_lastup],
    [text('Overall points', '総合ポイント'), formatWholeNumber(novel.global_point)],
    [
      LABELS.points,
      say(
        screen,
        `day ${day}, week ${week}, month ${month}, quarter ${quarter}, year ${year}`,
        `日間 ${day}、週間 ${week}、月間 ${month}、四半期 ${quarter}、年間 ${year}`,
      ),
    ],
    [text('Bookmarks', 'ブックマーク'), formatWholeNumber(novel.fav_novel_cnt)],
    [text('Raters', '評価者'), formatWholeNumber(novel.all_hyoka_cnt)],
    [text('Impressions', '感想'), formatWholeNumber(novel.impression_cnt)],
    [LABELS.reviews, formatWholeNumber(novel.review_cnt)],
    [text('Dialogue', '会話率'), kaiwaritu === undefined ? undefined : `${kaiwaritu} %`],
    [text('Elements', '要素'), marks.join(', ')],
    [text('Keywords', 'キーワード'), novel.keyword],
    [text('Synopsis', 'あらすじ'), novel.story],
  ];
}

export const novelCommand = defineCommand({
  word: NCODE_WORD,
  args: {
    adult: flag(
      'An adult novel (metadata only; for readers of 18 and over).',
      '成人向け作品（メタデータのみ、18歳以上の方向け）。',
    ),
    ...CATALOGUE_OPTIONS,
  },
  examples: [`mokuroku novel ${EXAMPLE_NCODE}`, `mokuroku novel ${EXAMPLE_NCODE.toLowerCase()} --json`],
  run: async (args, terminal, [ncode = '']) => {
    if (args.web) return openView('catalogue', args, { ncode, r18: args.adult }, terminal);
    const { client, call } = openCatalogue(args, terminal);
    const answer: Answer<AnyNovel> = await (args.adult
      ? client.adultNovel(ncode, call)
      : client.novel(ncode, call));
    const text = () => renderFacts(novelFacts(answer.data, terminal), terminal);
    writeAnswer(terminal, args, answer, { records: [answer.data], text });
    return EXIT.done;
  },
});
