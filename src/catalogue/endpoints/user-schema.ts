import { z } from 'zod';
import { integerSchema, textSchema } from '../../http/documented-schemas.ts';
import { EXAMPLES } from '../novels/examples.ts';

const total = (description: string, example: number) => integerSchema(description, example).optional();

/** The published form of a user. The source creates it, and tests compare it with this schema. */
export const USER = z
  .looseObject({
    userid: z.string().meta({
      pattern: '^[0-9]+$',
      description: 'User id: digits, as a string.',
      example: String(EXAMPLES.userid),
    }),
    name: textSchema('User name.', EXAMPLES.writer).optional(),
    yomikata: textSchema('Reading of the name, in katakana.', EXAMPLES.yomikata).optional(),
    name1st: z
      .string()
      .nullable()
      .meta({
        type: ['string', 'null'],
        description: 'First hiragana of the reading; null or empty if it begins with none.',
        example: 'し',
      })
      .optional(),
    novel_cnt: total('Number of novels. Up to 24 hours old. Unit: novels.', 12),
    review_cnt: total('Number of reviews written. Up to 24 hours old. Unit: reviews.', 3),
    novel_length: total('Length of all novels together. Up to 24 hours old. Unit: characters.', 812_000),
    sum_global_point: total(
      'Overall points of all novels together. Up to 24 hours old. Unit: points.',
      10_400,
    ),
  })
  .meta({ title: 'User', description: 'An author or reader.' });

/** A user's record from the source: published and unknown fields. */
export type UserRecord = z.infer<typeof USER>;

export const USER_COLUMNS = Object.keys(USER.shape);
