import { z } from 'zod';
import { integerSchema, textSchema } from '@mokuroku/kit/http';
import { CHANGED_FIELDS, CHANGE_KINDS } from './change-kinds.ts';
import { EXAMPLES } from './examples.ts';

/** The published form of a change. */
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
      en: '`new`, `episode` (one event for each), `rewritten` (text, synopsis, keywords, genre or state), `renamed`, `author_changed`, `withdrawn` (no longer returned: deleted, private or hidden from search), `restored` (withdrawn, then returned again).',
      ja: '`new`（新作）、`episode`（最新話。1 話に 1 件）、`rewritten`（本文、あらすじ、キーワード、ジャンル、状態）、`renamed`（改題）、`author_changed`（作者変更）、`withdrawn`（取得できなくなった小説。削除、非公開、検索除外）、`restored`（公開終了のあと再び取得できた小説）。',
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
      en: 'The changed fields; empty for `new` and `withdrawn`. Each field is in one event: `end` in `rewritten`, also if the last episode came with it.',
      ja: '変わった項目。`new` と `withdrawn` では空。各項目は 1 件の変更だけに入ります。`end` は、最終話と同時でも `rewritten` に入ります。',
      example: ['general_all_no'],
    }),
    before: z
      .partialRecord(z.enum(CHANGED_FIELDS), z.union([z.string(), z.number()]))
      .meta({ en: 'Their previous values.', ja: '変更前の値。', example: { general_all_no: 84 } }),
  })
  .meta({ title: 'Change', en: 'A change of a novel.', ja: '小説の変更。' });
export type Change = z.infer<typeof CHANGE>;
