import { FIELD_LABELS } from '../novels/genres.ts';
import type { NovelQuery } from '../novels/novel-query.ts';
import { PUBLISHED_FIELDS, selectedFields } from '../novels/of-fields.ts';
import { STORED_FIELDS } from './catalogue-novel.ts';
import type { CatalogueNovel } from './catalogue-novel.ts';

/*
 * The JSON of a novel in the index: what is never returned, the published record, and the readers of the week.
 *
 *   {"xid":"x0001a","fetched_at":1764000000,"title":"...",...,"updated_at":"...","weekly_unique":30}
 *
 * An absent field is left out. Quotes within texts are escaped, so that `,"` stands between fields, or at the end of a
 * text that ends with a comma.
 */

const STORED_NAMES = ['xid', 'fetched_at', ...PUBLISHED_FIELDS, 'weekly_unique'];

export function formatNovel(novel: CatalogueNovel): string {
  const fields: Record<string, unknown> = { ...novel, noveltype: novel.novel_type, gensaku: '' };
  for (const [field, labels] of Object.entries(FIELD_LABELS)) {
    const code = fields[field];
    // A code without a label has an empty one.
    fields[`${field}_label`] = code === undefined ? undefined : (labels.get(code as number) ?? '');
  }
  return JSON.stringify(fields, STORED_NAMES);
}

export function parseNovel(stored: string): CatalogueNovel {
  const fields = JSON.parse(stored) as Record<string, unknown>;
  const novel: Record<string, unknown> = {};
  for (const name of STORED_FIELDS) {
    const value = fields[name === 'novel_type' ? 'noveltype' : name];
    if (value !== undefined) novel[name] = value;
  }
  return novel as unknown as CatalogueNovel;
}

/** Where the field of a value ends; -1 for the last one: before the brace. */
function endOfField(stored: string, value: number): number {
  const comma = stored.indexOf(',"', value);
  const next = comma === -1 ? undefined : stored[comma + 2];
  return next === ',' || next === '}' ? comma + 2 : comma;
}

/** Selects fields of a stored novel, as JSON without braces. Both may be UTF-8 with a character for each byte. */
export type SelectFields = (stored: string) => string;

/** Selects the fields that a search returns: those of `of` in the order of a record, or all. Nothing is parsed. */
export function fieldSelector({ of, opt }: Pick<NovelQuery, 'of' | 'opt'>): SelectFields {
  const isWeekly = opt === 'weekly';
  if (of === undefined) {
    return (stored) => {
      const begin = stored.indexOf(',"', stored.indexOf('"fetched_at":')) + 1;
      return stored.slice(begin, isWeekly ? -1 : stored.lastIndexOf(',"weekly_unique":'));
    };
  }
  const selected = new Set([...of.flatMap(selectedFields), ...(isWeekly ? ['weekly_unique'] : [])]);
  const openings = STORED_NAMES.filter((name) => selected.has(name)).map((name) => `,"${name}":`);
  return (stored) => {
    let fields = '';
    let end = 0;
    for (const opening of openings) {
      const begin = stored.indexOf(opening, end);
      if (begin === -1) continue;
      end = endOfField(stored, begin + opening.length);
      fields += stored.slice(begin, end);
    }
    return fields.slice(1);
  };
}
