import { z } from 'zod';
import { integerSchema, textSchema } from '@mokuroku/kit/http';
import { EXAMPLES } from './examples.ts';
import { UNITS } from './of-fields.ts';
import type { Text } from '@mokuroku/kit';

const total = (en: string, ja: string, unit: Text, example: number) =>
  integerSchema(
    `${en} Up to 24 hours old.${unit.en}`,
    `${ja}最大 24 時間前のもの。${unit.ja}`,
    example,
  ).optional();

/** The published form of a user. The source creates it, and tests compare it with this schema. */
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
    novel_cnt: total('Number of novels.', '作品数。', UNITS.novels, 12),
    review_cnt: total('Number of reviews written.', '書いたレビューの数。', UNITS.reviews, 3),
    novel_length: total('Length of all novels together.', '全作品の文字数。', UNITS.characters, 812_000),
    sum_global_point: total(
      'Overall points of all novels together.',
      '全作品の総合評価ポイント。',
      UNITS.points,
      10_400,
    ),
  })
  .meta({ title: 'User', en: 'An author or reader.', ja: '作者または読者。' });

/** Published and unknown fields. */
export type UserFieldValues = z.infer<typeof USER>;

export const USER_COLUMNS = Object.keys(USER.shape);
