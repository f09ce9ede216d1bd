import type { CatalogueNovel } from '../catalogue-novel.ts';

/**
 * The fields of a record in the order in which its JSON is stored: those that are published in the order in which they
 * are, so that what lies together is taken as one piece, and then those that are not.
 */
export const STORED_FIELDS = [
  ...(['title', 'ncode', 'userid', 'writer', 'story', 'biggenre', 'genre', 'nocgenre', 'keyword'] as const),
  ...([
    'general_firstup',
    'general_lastup',
    'novel_type',
    'end',
    'general_all_no',
    'length',
    'time',
  ] as const),
  ...(['isstop', 'isr15', 'isbl', 'isgl', 'iszankoku', 'istensei', 'istenni'] as const),
  ...(['global_point', 'daily_point', 'weekly_point', 'monthly_point', 'quarter_point'] as const),
  ...(['yearly_point', 'fav_novel_cnt', 'impression_cnt', 'review_cnt', 'all_point'] as const),
  ...(['all_hyoka_cnt', 'sasie_cnt', 'kaiwaritu', 'novelupdated_at', 'updated_at'] as const),
  ...(['weekly_unique', 'xid', 'buntai', 'fetched_at'] as const),
] as const satisfies readonly (keyof CatalogueNovel)[];

export type StoredField = (typeof STORED_FIELDS)[number];

export const placeOf = (field: StoredField): number => STORED_FIELDS.indexOf(field);

/**
 * Finds, front to back, where some stored fields begin, named by their ascending places. What looks like a field within
 * a text is none: there every quote has a backslash before it.
 */
export function createCutter(places: readonly number[]): (stored: string) => readonly number[] {
  const names = places.map((place) => `"${STORED_FIELDS[place] ?? ''}":`);
  const cuts = places.map(() => 0);
  return (stored) => {
    let at = 0;
    for (let cut = 0; cut < names.length; cut++) {
      at = stored.indexOf(names[cut] as string, at);
      cuts[cut] = at;
    }
    return cuts;
  };
}

/** What lies from one field up to another, that included: `"end":1,"length":5`. */
export function sliceOfFields(first: StoredField, last: StoredField): (stored: string) => string {
  const cut = createCutter([placeOf(first), placeOf(last) + 1]);
  return (stored) => {
    const [from, until = 0] = cut(stored);
    return stored.slice(from, until - 1);
  };
}
