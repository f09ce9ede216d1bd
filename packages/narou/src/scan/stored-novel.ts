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
 * An absent field is left out. In an index a blank may stand behind the first brace.
 */

const STORED_NAMES = ['xid', 'fetched_at', ...PUBLISHED_FIELDS, 'weekly_unique'];

export function formatNovel(novel: CatalogueNovel): string {
  const fields: Record<string, unknown> = { ...novel, gensaku: '' };
  for (const [field, labels] of Object.entries(FIELD_LABELS)) {
    const code = fields[field];
    // A code without a label has an empty one.
    fields[`${field}_label`] = code === undefined ? undefined : (labels.get(code as number) ?? '');
  }
  return JSON.stringify(Object.fromEntries(STORED_NAMES.map((name) => [name, fields[name]])));
}

export function parseNovel(stored: string): CatalogueNovel {
  const fields = JSON.parse(stored) as Record<string, unknown>;
  const novel: Record<string, unknown> = {};
  for (const name of STORED_FIELDS) {
    if (fields[name] !== undefined) novel[name] = fields[name];
  }
  return novel as unknown as CatalogueNovel;
}

/** Where a text ends that begins with the quote at `begin`. */
function endOfText(stored: string, begin: number): number {
  for (let quote = stored.indexOf('"', begin + 1); quote !== -1; quote = stored.indexOf('"', quote + 1)) {
    let escapes = 0;
    while (stored[quote - 1 - escapes] === '\\') escapes++;
    if (escapes % 2 === 0) return quote + 1;
  }
  return stored.length;
}

/** Where a value ends: before the comma behind it, or the last brace. */
function endOfValue(stored: string, begin: number): number {
  let depth = 0;
  for (let at = begin; at < stored.length;) {
    const token = stored[at];
    if (depth === 0 && (token === ',' || token === '}')) return at;
    if (token === '[' || token === '{') depth++;
    if (token === ']' || token === '}') depth--;
    at = token === '"' ? endOfText(stored, at) : at + 1;
  }
  return stored.length;
}

/** Selects fields of a stored novel, as JSON without braces. Both may be UTF-8 with a character for each byte. */
export type SelectFields = (stored: string) => string;

/**
 * Selects the fields that a search returns: those of `of`, or all, in the order of a record. Adjacent ones are copied as
 * one piece; nothing is parsed.
 */
export function fieldSelector({ of, opt }: Pick<NovelQuery, 'of' | 'opt'>): SelectFields {
  const names = of === undefined ? PUBLISHED_FIELDS : of.flatMap(selectedFields);
  const selected = new Set<string>([...names, ...(opt === 'weekly' ? ['weekly_unique'] : [])]);
  return (stored) => {
    const pieces: string[] = [];
    let piece = -1;
    let end = 0;
    const addPiece = (): void => {
      if (piece !== -1) pieces.push(stored.slice(piece, end));
      piece = -1;
    };
    for (let begin = stored.indexOf('"'); stored[begin] === '"'; begin = end + 1) {
      const nameEnd = stored.indexOf('"', begin + 1);
      const isSelected = selected.has(stored.slice(begin + 1, nameEnd));
      if (!isSelected) addPiece();
      else if (piece === -1) piece = begin;
      end = endOfValue(stored, nameEnd + 2);
    }
    addPiece();
    return pieces.join();
  };
}
