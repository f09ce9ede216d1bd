import type { NovelRecord } from '../catalogue-source.ts';
import type { CatalogueNovel } from '../index/catalogue-novel.ts';
import { FIELD_LABELS } from '../novels/genres.ts';
import type { NovelQuery } from '../novels/novel-query.ts';
import { OF_FIELDS, findOfField } from '../novels/of-fields.ts';
import type { NovelField, NovelInterface } from '../novels/of-fields.ts';

interface PublishedField {
  readonly name: string;
  readonly of: (novel: CatalogueNovel) => string | number;
}

/** A field, with its label behind it where it is a code that has one. */
function* fieldsOf(field: NovelField): Iterable<PublishedField> {
  const key = field === 'noveltype' ? 'novel_type' : field;
  yield { name: field, of: (novel) => novel[key] };
  const labels = FIELD_LABELS[field];
  if (labels) yield { name: `${field}_label`, of: (novel) => labels.get(Number(novel[key])) ?? '' };
}

/** All fields in the upstream's order, with the relic that no code selects. */
function* wholeRecord(upstream: NovelInterface): Iterable<PublishedField> {
  for (const { field, servedBy } of OF_FIELDS) {
    if (field === 'keyword') yield { name: 'gensaku', of: () => '' };
    if (servedBy === 'any' || servedBy === upstream) yield* fieldsOf(field);
  }
}

/**
 * Turns records into what the narou source publishes for the same novels: the fields that `of` selects in its order,
 * or all of them.
 */
export function novelPublisher(
  upstream: NovelInterface,
  { of, opt }: Pick<NovelQuery, 'of' | 'opt'>,
): (novel: CatalogueNovel) => NovelRecord {
  const selected = of?.flatMap((code) => [...fieldsOf(findOfField(code)?.field ?? 'ncode')]);
  const fields = selected ?? [...wholeRecord(upstream)];
  if (opt === 'weekly') fields.push({ name: 'weekly_unique', of: (novel) => novel.weekly_unique });
  return (novel) => {
    const record: NovelRecord = {};
    for (const { name, of: valueOf } of fields) record[name] = valueOf(novel);
    return record;
  };
}
