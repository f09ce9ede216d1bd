import { z } from 'zod';
import { PART, WHOLE, dateSchema, integerSchema } from '@mokuroku/kit/http';
import { EXAMPLES, FIELD_LABELS, OF_FIELDS, RANKING_TYPES, SERVED_CODES } from '@mokuroku/narou';
import type { NovelInterface, OfField } from '@mokuroku/narou';
import { text } from '@mokuroku/kit';
import type { Table, Text } from '@mokuroku/kit';
import { recordFields } from '@mokuroku/narou/queries';
import type { OfSelection } from '@mokuroku/narou/source';
import { SOURCES } from './catalogue-answer.ts';
import type { MetaSource } from './catalogue-answer.ts';

// The published form of novel records, and of `meta`. The source creates them, and they are not validated at run time: tests compare
// every response with these schemas.

/** What a field is, and what surprises. */
const describeField = ({ text: { en, ja }, note }: OfField): Text =>
  text(`${en}${note ? ` ${note.en}` : ''}`, `${ja}${note?.ja ?? ''}`);

function fieldSchema(field: OfField): z.ZodType {
  const about = describeField(field);
  const isTime = field.type === 'datetime';
  const en = `${about.en}${isTime ? ' YYYY-MM-DD HH:MM:SS in Japan time.' : ''} Selected by \`${field.code}\`.`;
  const ja = `${about.ja}${isTime ? '日本時間の YYYY-MM-DD HH:MM:SS。' : ''} \`${field.code}\` で選べます。`;
  const { example } = field;
  if (field.type === 'flag') {
    return z.union([z.literal(0), z.literal(1)]).meta({ type: 'integer', enum: [0, 1], en, ja, example });
  }
  if (field.type === 'integer') return z.number().meta({ type: 'integer', en, ja, example });
  const pattern = isTime ? { pattern: '^\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d$' } : {};
  return z.string().meta({ ...pattern, en, ja, example });
}

const label = (of: string, example: string) =>
  z.string().meta({
    en: `Japanese label of ${of}, present whenever it is; empty for an unknown code.`,
    ja: `${of} の日本語名。${of} があれば必ず付き、表にないコードでは空。`,
    example,
  });

function novelFields(source: NovelInterface): Record<string, z.ZodOptional> {
  const shape: Record<string, z.ZodOptional> = {};
  for (const row of OF_FIELDS.filter(({ code }) => SERVED_CODES[source].includes(code))) {
    const { field, example } = row;
    shape[field] = fieldSchema(row).optional();
    const labels = FIELD_LABELS[field];
    if (labels) shape[`${field}_label`] = label(field, labels.get(Number(example)) ?? '').optional();
  }
  return shape;
}

const withFurther = (en: string, ja: string) =>
  text(
    `${en} Without \`of\` it may contain further upstream fields (\`gensaku\`, always empty).`,
    `${ja}\`of\` を省略すると、取得元の他の項目（常に空の \`gensaku\`）が入ることもあります。`,
  );

const WEEKLY_UNIQUE = integerSchema(
  'Unique readers of last week, with opt=weekly.',
  '先週のユニーク読者数（opt=weekly のとき）。',
  96,
).optional();

export const NOVEL = z.looseObject({ ...novelFields('novelapi'), weekly_unique: WEEKLY_UNIQUE }).meta({
  title: 'Novel',
  ...withFurther('A novel. `of` selects its fields.', '小説。含まれる項目は `of` で決まります。'),
});

export const ADULT_NOVEL = z
  .looseObject({ ...novelFields('novel18api'), weekly_unique: WEEKLY_UNIQUE })
  .meta({
    title: 'AdultNovel',
    ...withFurther(
      'An adult novel: metadata only. It has neither userid, biggenre, genre nor isr15.',
      '成人向け作品のメタデータ。userid、biggenre、genre、isr15 はありません。',
    ),
  });

const RANK = {
  rank: integerSchema(
    'Rank, from 1; unique within the ranking.',
    '順位（1 から）。同じ順位はありません。',
    1,
  ),
  pt: integerSchema('Points in the period.', '期間のポイント。', 7700),
};

export const RANKING_ENTRY = z
  .object({
    ...RANK,
    ncode: z.string().meta({ en: 'Ncode, upper case.', ja: 'Nコード（大文字）。', example: EXAMPLES.ncode }),
  })
  .meta({ title: 'RankingEntry', en: 'An entry of a ranking.', ja: 'ランキングの 1 件。' });

export const DATED_RANKING = z
  .object({
    date: dateSchema('Date of the ranking.', 'ランキングの日付。', '2026-10-01'),
    entries: z.array(RANKING_ENTRY),
  })
  .meta({ title: 'DatedRanking', en: 'One of several rankings.', ja: '複数のランキングの 1 つ。' });

export const HYDRATED_RANKING_ENTRY = z
  .looseObject({
    ...RANKING_ENTRY.shape,
    ...novelFields('novelapi'),
    ncode: RANKING_ENTRY.shape.ncode,
    unknown: z.string().optional().meta({
      en: 'Present if it is not known whether there is such a novel (`not_available_here` for one that a local catalogue does not have), or none of its requested fields is readable (`upstream_invalid`): the code of an error.',
      ja: '小説が存在するかどうかが不明か、指定した項目をどれも読み取れないときのエラーコードです。ローカルカタログにない小説では `not_available_here`、読み取れないときは `upstream_invalid` です。',
      example: 'not_available_here',
    }),
  })
  .meta({
    title: 'HydratedRankingEntry',
    en: 'An entry of a ranking with the fields of its novel; none if the novel was withdrawn, or is unknown.',
    ja: 'ランキングの 1 件と、その小説の項目。公開終了または不明なら項目はありません。',
  });

export const DATED_HYDRATED_RANKING = DATED_RANKING.extend({
  entries: z.array(HYDRATED_RANKING_ENTRY),
}).meta({
  title: 'DatedHydratedRanking',
  en: 'One of several rankings, with its novels.',
  ja: '複数のランキングの 1 つ。作品の情報つき。',
});

export const RANKING_HISTORY_ENTRY = z
  .object({
    rtype: z.string().meta({
      pattern: '^\\d{8}-[dwmq]$',
      en: "Date and period of the ranking in the upstream's form: d daily, w weekly (a Tuesday, the day after this service's Monday), m monthly, q quarterly.",
      ja: '取得元の形式による、ランキングの日付と期間: d 日間、w 週間（このサービスの月曜の翌日、火曜）、m 月間、q 四半期。',
      example: '20240409-w',
    }),
    ...RANK,
    type: z.enum(RANKING_TYPES).optional().meta({
      en: 'Ranking period, as in /v1/rankings/{type}.',
      ja: 'ランキングの期間（/v1/rankings/{type} と同じ）。',
      example: 'weekly',
    }),
    date: dateSchema(
      'Date of the ranking as in /v1/rankings: a Monday for weekly.',
      'ランキングの日付（/v1/rankings に渡せる形、weekly は月曜）。',
      '2024-04-08',
    ).optional(),
  })
  .meta({
    title: 'RankingHistoryEntry',
    en: 'A ranking that contains the novel.',
    ja: '小説が載ったランキング。',
  });

/** The columns of novels: the fields of `of`, or all known fields. */
export function novelTable(
  data: unknown,
  upstream: NovelInterface,
  of: OfSelection,
  { before = [], after = [] }: { before?: readonly string[]; after?: readonly string[] } = {},
): Table {
  const fields = recordFields(upstream, of);
  return { columns: [...new Set([...before, ...fields, ...after])], rows: data as object[] };
}

/** `meta.upstreamAllCount`, on searches. */
export const ALL_COUNT = {
  upstreamAllCount: integerSchema(
    'Number of all matches upstream; from 1,000 on it may be up to 4 hours old.',
    '取得元での全件数。1,000 以上では最大 4 時間前のもの。',
    1432,
  ).optional(),
};

/** Members of `meta` in every response. */
const META = z
  .object({
    cached: z.boolean().meta({
      en: 'Whether the response was cached.',
      ja: 'キャッシュされたレスポンスかどうか。',
      example: false,
    }),
    tookMs: z
      .number()
      .meta({ en: 'Processing time in milliseconds.', ja: '処理時間（ミリ秒）。', example: 12 }),
    source: z.enum(SOURCES).meta({
      en: 'The upstream interface that supplied the data; `static`: the service itself.',
      ja: 'データの取得元。`static` はサービス自身。',
      example: 'novelapi',
    }),
    asOf: z.string().optional().meta({
      format: 'date-time',
      en: 'From a local catalogue: when the oldest data of this response were fetched from the upstream. Never more than 14 days ago.',
      ja: 'ローカルカタログの場合: このレスポンスで最も古いデータの取得日時。14 日より前にはなりません。',
      example: '2026-11-20T03:12:45.000Z',
    }),
    unreadable: z.int().optional().meta({
      en: 'Number of rows that the upstream sent and `data` lacks: unreadable, repeated, or in contradiction to the request. Beyond a tenth of a list the response is 502. Cached for a minute.',
      ja: '取得元が返したが `data` にない行の数: 読み取れないもの、重複、条件に合わないもの。1 割を超えると 502 です。キャッシュは 1 分です。',
      example: 1,
    }),
    stale: z.literal(true).optional().meta({
      en: 'Present if the data are outdated, because the upstream fails or a refresh is running.',
      ja: '取得元の障害または更新中のため、データが古い場合に付きます。',
      example: true,
    }),
    ignored: z
      .array(z.string())
      .optional()
      .meta({
        en: 'Query parameters without effect: unknown, or not supported by the upstream; `of=u-g` for codes of `of` that adult novels lack.',
        ja: '無効なクエリパラメーター: 未知のもの、または取得元が対応していないもの。成人向け作品にない `of` のコードは `of=u-g` の形で示します。',
        example: ['limit'],
      }),
  })
  .meta({ ...PART, title: 'Meta', en: 'Metadata of the response.', ja: 'レスポンスのメタデータ。' });

/** `meta.unknown`, where several Ncodes are requested. */
export const UNKNOWN_NCODES = {
  unknown: z
    .array(z.string())
    .optional()
    .meta({
      en: 'Requested Ncodes of which it is not known whether `data` should have them: the upstream lost part of the list, a local catalogue lacks the novel, or its record lacks a field that a filter reads. All others that `data` lacks were denied by the upstream, or do not match.',
      ja: '該当するかどうか不明な Nコード。取得元が一覧の一部を返さなかったもの、ローカルカタログにないもの、条件の項目がレコードにないものです。ほかに `data` にない Nコードは、取得元が存在を否定したか、条件に合わないものです。',
      example: ['N9999ZZ'],
    }),
};

/** The published form of `meta`: common members, and those of an endpoint. */
export function metaSchema(source: MetaSource, extra: z.ZodRawShape) {
  const own = z
    .literal(source)
    .meta({ en: 'The value for this endpoint.', ja: 'このエンドポイントでの値。', example: source });
  return z.intersection(META, z.object({ source: own, ...extra }).meta(PART)).meta(WHOLE);
}

/** `meta` of rankings with filters. */
export const NARROWED_META = {
  ranked: integerSchema(
    'With filters: number of entries of the ranking, or of all rankings of the span, before them.',
    '絞り込んだ場合: 絞り込む前のランキング（期間ではすべて）の件数。',
    300,
  ).optional(),
  matches: integerSchema(
    'With filters: number of entries that match them, before `lim`.',
    '絞り込んだ場合: 条件に合う件数（`lim` で切る前）。',
    19,
  ).optional(),
  unknown: UNKNOWN_NCODES.unknown.meta({
    en: 'With filters: Ncodes of entries that could not be judged, because it is not known whether there is such a novel, or its record lacks a field that a filter reads. `data` lacks them.',
    ja: '絞り込んだ場合: 作品が存在するかどうか不明か、条件の項目がないため、条件に合うか判定できなかった Nコード。`data` には含まれません。',
    example: ['N9999ZZ'],
  }),
};
