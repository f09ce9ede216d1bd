import { z } from 'zod';
import { integerSchema } from '../../http/documented-schemas.ts';
import { EXAMPLES } from '../novels/examples.ts';
import { OF_FIELDS } from '../novels/of-fields.ts';
import { RANKING_TYPES } from '../novels/ranking-date.ts';
import type { NovelInterface, OfField } from '../novels/of-fields.ts';

// The published form of novel records. The source creates them, and they are not validated at run time: tests compare
// every response with these schemas.

/** Descriptions of units that are not simply named. */
const UNITS: Readonly<Record<string, string>> = {
  '': '',
  code: '',
  JST: ' YYYY-MM-DD HH:MM:SS in Japan time.',
};

/** What a field is, with its unit. */
export function describeField(field: OfField): string {
  const unit = UNITS[field.unit] ?? ` Unit: ${field.unit}.`;
  const note = field.note ? ` ${field.note.en}` : '';
  return `${field.text.en}${unit}${note}`;
}

function fieldSchema(field: OfField): z.ZodType {
  const description = `${describeField(field)} Selected by \`${field.code}\`.`;
  const { example } = field;
  if (field.type === 'flag') {
    return z
      .union([z.literal(0), z.literal(1)])
      .meta({ type: 'integer', enum: [0, 1], description, example });
  }
  if (field.type === 'integer') return z.number().meta({ type: 'integer', description, example });
  const pattern = field.type === 'datetime' ? { pattern: '^\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d$' } : {};
  return z.string().meta({ ...pattern, description, example });
}

const label = (of: string, example: string) =>
  z.string().meta({
    description: `Japanese label of ${of}, present whenever it is; empty for an unknown code.`,
    example,
  });

function novelFields(source: NovelInterface): Record<string, z.ZodOptional> {
  const shape: Record<string, z.ZodOptional> = {};
  for (const row of OF_FIELDS) {
    if (row.servedBy !== 'any' && row.servedBy !== source) continue;
    shape[row.field] = fieldSchema(row).optional();
    if (row.field === 'genre')
      shape['genre_label'] = label('genre', 'ハイファンタジー〔ファンタジー〕').optional();
    if (row.field === 'nocgenre') {
      shape['nocgenre_label'] = label('nocgenre', 'ムーンライトノベルズ(女性向け)').optional();
    }
  }
  return shape;
}

const FURTHER = 'Without `of` it may contain further upstream fields (`gensaku`, always empty).';

const WEEKLY_UNIQUE = integerSchema(
  'Unique readers of last week, with opt=weekly. Unit: readers.',
  96,
).optional();

export const NOVEL = z.looseObject({ ...novelFields('novelapi'), weekly_unique: WEEKLY_UNIQUE }).meta({
  title: 'Novel',
  description: `A novel. \`of\` selects its fields. ${FURTHER}`,
});

export const ADULT_NOVEL = z
  .looseObject({ ...novelFields('novel18api'), weekly_unique: WEEKLY_UNIQUE })
  .meta({
    title: 'AdultNovel',
    description: `An adult novel: metadata only. It has neither userid, biggenre, genre nor isr15. ${FURTHER}`,
  });

const RANK = {
  rank: integerSchema('Rank, from 1; unique within the ranking.', 1),
  pt: integerSchema('Points in the period. Unit: points.', 7700),
};

export const RANKING_ENTRY = z
  .object({ ...RANK, ncode: z.string().meta({ description: 'Ncode, upper case.', example: EXAMPLES.ncode }) })
  .meta({ title: 'RankingEntry', description: 'An entry of a ranking.' });

export const DATED_RANKING = z
  .object({
    date: z.string().meta({ format: 'date', description: 'Date of the ranking.', example: '2026-10-01' }),
    entries: z.array(RANKING_ENTRY),
  })
  .meta({ title: 'DatedRanking', description: 'One of several rankings.' });

export const HYDRATED_RANKING_ENTRY = z
  .looseObject({ ...RANKING_ENTRY.shape, ...novelFields('novelapi'), ncode: RANKING_ENTRY.shape.ncode })
  .meta({
    title: 'HydratedRankingEntry',
    description: 'An entry of a ranking with the fields of its novel; none if the novel was withdrawn.',
  });

export const DATED_HYDRATED_RANKING = DATED_RANKING.extend({
  entries: z.array(HYDRATED_RANKING_ENTRY),
}).meta({ title: 'DatedHydratedRanking', description: 'One of several rankings, with its novels.' });

export const RANKING_HISTORY_ENTRY = z
  .object({
    rtype: z.string().meta({
      pattern: '^\\d{8}-[dwmq]$',
      description:
        "Date and period of the ranking in the upstream's form: d daily, w weekly (a Tuesday, the day after this service's Monday), m monthly, q quarterly.",
      example: '20240409-w',
    }),
    ...RANK,
    type: z
      .enum(RANKING_TYPES)
      .optional()
      .meta({ description: 'Ranking period, as in /v1/rankings/{type}.', example: 'weekly' }),
    date: z.string().optional().meta({
      format: 'date',
      description: 'Date of the ranking as in /v1/rankings: a Monday for weekly.',
      example: '2024-04-08',
    }),
  })
  .meta({ title: 'RankingHistoryEntry', description: 'A ranking that contains the novel.' });
