import { findOfField, type NovelInterface, ofCodesServedBy } from '../novels/of-fields.ts';
import type { CatalogueNovel } from '../index/catalogue-novel.ts';
import { escapeHtml } from './html-escape.ts';
import { type Parameters, UpstreamError } from './parameters.ts';
import type { PhpRecord, PhpValue } from './php-json.ts';
import type { NarouServerSwitches } from './switches.ts';

const keys = (text: string): string[] => text.trim().split(/\s+/);

// The keys of full records in the order of recorded answers (novelapi: February 2026, 38 keys). `gensaku` is a
// relic, always empty.
const TAIL = `keyword general_firstup general_lastup novel_type end general_all_no length time isstop`;
const POINTS = `global_point daily_point weekly_point monthly_point quarter_point yearly_point fav_novel_cnt
  impression_cnt review_cnt all_point all_hyoka_cnt sasie_cnt kaiwaritu novelupdated_at updated_at`;

const FULL_KEYS: Readonly<Record<NovelInterface, readonly string[]>> = {
  novelapi: keys(`title ncode userid writer story biggenre genre gensaku ${TAIL}
    isr15 isbl isgl iszankoku istensei istenni ${POINTS}`),
  novel18api: keys(`title ncode writer story nocgenre gensaku ${TAIL}
    isbl isgl iszankoku istensei istenni ${POINTS}`),
};

const canonical = (source: NovelInterface): string[] =>
  FULL_KEYS[source].map((key) => (key === 'novel_type' ? 'noveltype' : key));

/**
 * The keys of the records that a request gets. Without `of` all, with `novel_type` among them; with `of` those
 * of its codes that the interface knows, and then it is `noveltype` (manual of novelapi, which warns of it).
 */
export function recordKeys(
  source: NovelInterface,
  parameters: Parameters,
  switches: NarouServerSwitches,
): readonly string[] {
  const of = parameters.get('of');
  const unique = parameters.get('opt') === 'weekly' ? ['weekly_unique'] : [];
  const arrange = (selected: readonly string[]): readonly string[] =>
    switches.weeklyUniquePosition === 'last' ? [...selected, ...unique] : [...unique, ...selected];
  if (of === undefined) return arrange(FULL_KEYS[source]);
  const known = new Set<string>(ofCodesServedBy(source));
  const codes = new Set(of.split('-').filter((code) => known.has(code)));
  if (codes.size === 0 && switches.ofAllUnknown === 'all') return arrange(FULL_KEYS[source]);
  if (codes.size === 0 && switches.ofAllUnknown === 'error') throw new UpstreamError('Error: Invalid of.');
  const requested = [...codes].map((code) => findOfField(code)?.field ?? code);
  if (switches.keyOrder === 'requested') return arrange(requested);
  return arrange(canonical(source).filter((key) => requested.includes(key as never)));
}

const valueOf = (novel: CatalogueNovel, key: string): PhpValue => {
  if (key === 'gensaku') return '';
  if (key === 'noveltype') return novel.novel_type;
  const value = novel[key as keyof CatalogueNovel];
  return typeof value === 'string' ? escapeHtml(value) : value;
};

/** The record of a novel with some keys of `recordKeys`, its strings escaped for HTML as the upstream does. */
export function toNovelRecord(novel: CatalogueNovel, selected: readonly string[]): PhpRecord {
  const record: Record<string, PhpValue> = {};
  for (const key of selected) record[key] = valueOf(novel, key);
  return record;
}
