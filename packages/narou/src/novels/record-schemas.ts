import { z } from 'zod';
import { integerSchema, textSchema } from '@mokuroku/kit/http';
import { CHANGED_FIELDS, CHANGE_KINDS } from './change-kinds.ts';
import { EXAMPLES } from './examples.ts';

// The published form of records other than novels. The source creates them, and tests compare every response.

const total = (en: string, ja: string, example: number) =>
  integerSchema(`${en} Up to 24 hours old.`, `${ja}最大 24 時間前のもの。`, example).optional();

/** A user. */
export const USER = z
  .looseObject({
    userid: z.string().meta({
      pattern: '^[0-9]+$',
      en: 'User id: digits, as a string.',
      ja: 'ユーザー ID（数字の文字列）。',
      example: String(EXAMPLES.userid),
    }),
    name: textSchema('User name.', 'ユーザー名。', EXAMPLES.writer).optional(),
    yomikata: textSchema(
      'Reading of the name, in katakana.',
      '名前の読み（カタカナ）。',
      EXAMPLES.yomikata,
    ).optional(),
    name1st: z
      .string()
      .nullable()
      .meta({
        type: ['string', 'null'],
        en: 'First hiragana of the reading; null or empty if it begins with none.',
        ja: '読みの最初のひらがな。なければ null か空。',
        example: 'し',
      })
      .optional(),
    novel_cnt: total('Number of novels.', '作品数。', 12),
    review_cnt: total('Number of reviews written.', '書いたレビューの数。', 3),
    novel_length: total('Length of all novels together, in characters.', '全作品の文字数。', 812_000),
    sum_global_point: total('Overall points of all novels together.', '全作品の総合評価ポイント。', 10_400),
  })
  .meta({ title: 'User', en: 'An author or reader.', ja: '作者または読者。' });

/** Published and unknown fields. */
export type UserFieldValues = z.infer<typeof USER>;

/** A change. */
export const CHANGE = z
  .object({
    cursor: textSchema(
      'Continues after this event, as `since`.',
      '`since` に渡すと、この変更の次から取得します。',
      '9f3c2a10-7-12',
    ),
    id: textSchema(
      'Permanent id of the event; for an episode made of Ncode, number and time.',
      '変更の固定 ID。最新話では Nコード、話数、日時から成ります。',
      'N8403VF/episode/85/20261120070000',
    ),
    kind: z.enum(CHANGE_KINDS).meta({
      en: '`new`, `episode` (one event for each), `rewritten` (text, synopsis, keywords, genre or state), `renamed`, `author_changed`, `withdrawn` (no longer returned: deleted, private or hidden from search), `restored` (returned again, or first two weeks after its publication).',
      ja: '`new`（新作）、`episode`（最新話。1 話に 1 件）、`rewritten`（本文、あらすじ、キーワード、ジャンル、状態）、`renamed`（改題）、`author_changed`（作者変更）、`withdrawn`（取得できなくなった小説。削除、非公開、検索除外）、`restored`（再び取得できた小説、または掲載から 2 週間たって初めて取得できた小説）。',
      example: 'episode',
    }),
    noticedAt: z.string().meta({
      format: 'date-time',
      en: 'When the catalogue recorded it, UTC.',
      ja: 'カタログに記録された日時（UTC）。',
      example: '2026-11-20T22:10:00.000Z',
    }),
    ncode: textSchema('Ncode, upper case.', 'Nコード（大文字）。', EXAMPLES.ncode),
    title: textSchema(
      'Title; of a withdrawn novel the last known one.',
      '題名。公開終了では最後の題名。',
      EXAMPLES.title,
    ).optional(),
    userid: integerSchema('User id of the author.', '作者のユーザー ID。', EXAMPLES.userid).optional(),
    writer: textSchema('Pen name of the author.', '作者名。', EXAMPLES.writer).optional(),
    biggenre: integerSchema('Big genre.', '大ジャンル。', 2).optional(),
    genre: integerSchema('Genre.', 'ジャンル。', 201).optional(),
    general_all_no: integerSchema('Number of episodes. Unit: episodes.', '話数。 単位: 話。', 85).optional(),
    general_lastup: textSchema(
      'Publication of the latest episode, Japan time.',
      '最新話の掲載日時（日本時間）。',
      '2026-11-20 07:00:00',
    ).optional(),
    novelupdated_at: textSchema(
      'Last change of the novel, Japan time.',
      '小説の最終更新日時（日本時間）。',
      '2026-11-20 07:00:03',
    ).optional(),
    episode: integerSchema('Of `episode`: its number.', '`episode` の番号。', 85).optional(),
    changed: z.array(z.enum(CHANGED_FIELDS)).meta({
      en: 'The changed fields; empty for `new` and `withdrawn`. Each field is in one event: `end` in `rewritten`, also if the last episode came with it. `length` and `novelupdated_at` only without a new episode, title or author.',
      ja: '変わった項目。`new` と `withdrawn` では空。各項目は 1 件の変更だけに入ります。`end` は、最終話と同時でも `rewritten` に入ります。`length` と `novelupdated_at` は、最新話、題名、作者の変更がないときだけ入ります。',
      example: ['general_all_no'],
    }),
    before: z
      .partialRecord(z.enum(CHANGED_FIELDS), z.union([z.string(), z.number()]))
      .meta({ en: 'Their previous values.', ja: '変更前の値。', example: { general_all_no: 84 } }),
  })
  .meta({ title: 'Change', en: 'A change of a novel.', ja: '小説の変更。' });
export type Change = z.infer<typeof CHANGE>;

/**
 * Suggestions for a partly typed text. Each contains every word of the text, as in a search. They are sorted by
 * weekly points: those of the best novel with the title or pen name, or the sum of all novels with the keyword. Ties
 * are sorted by Ncode, keywords by code units. Each title or pen name occurs once.
 */
export const SUGGESTIONS = z
  .object({
    titles: z.array(
      z.object({
        title: textSchema('Title of a novel.', '小説の題名。', '図書館の魔女見習い'),
        ncode: textSchema(
          'Ncode of the novel of this title with the most weekly points.',
          'この題名の小説のうち、週間ポイントが最も高いものの Nコード。',
          'N8403VF',
        ),
      }),
    ),
    writers: z.array(
      z.object({
        writer: textSchema('Pen name.', '作者名。', '図書室の猫'),
        userid: integerSchema(
          'User id of the author of this name with the most weekly points; omitted if unknown.',
          'この名前の作者のうち、週間ポイントが最も高い人のユーザー ID。',
          100_003,
        ).optional(),
      }),
    ),
    keywords: z.array(
      z.object({
        keyword: textSchema('Keyword.', 'キーワード。', '図書館'),
        novels: integerSchema(
          'Number of novels with it. Unit: novels.',
          'このキーワードの付いた小説の数。 単位: 作品。',
          42,
        ),
      }),
    ),
  })
  .meta({
    title: 'Suggestions',
    en: 'Suggestions for the typed words, by weekly points.',
    ja: '入力された語の候補。週間ポイントの高い順。',
  });
export type Suggestions = z.infer<typeof SUGGESTIONS>;
