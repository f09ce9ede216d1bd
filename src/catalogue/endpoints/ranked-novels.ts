import { LRUCache } from 'lru-cache';
import { isFresh, keepAnswer } from '../../cache/answer.ts';
import type { CachePolicy, KeptAnswer } from '../../cache/answer.ts';
import type { NovelRecord, OfSelection } from '../catalogue-source.ts';
import { fieldsOf, selectFields } from '../novels/select-fields.ts';
import { isWithin } from './field-sets.ts';

/** Some 5,000 novels with all their fields, of some 3 kB each. */
const MAX_BYTES = 16_000_000;
const ENTRY_OVERHEAD_BYTES = 200;

interface Known {
  /** As text, which has a size; null: the catalogue has no such novel any more. */
  json: string | null;
  of: OfSelection;
  fetchedAt: number;
}

interface KnownNovels {
  novels: Map<string, NovelRecord>;
  /** For how long they serve, as a part of the answer that is made of them. */
  part: KeptAnswer;
}

/**
 * The novels that rankings were joined with, each once: the rankings of a year are mostly of the same ones. Joined
 * rankings with all fields are too many for memory, and the novels in them are not.
 */
export class RankedNovels {
  readonly #known = new LRUCache<string, Known>({
    maxSize: MAX_BYTES,
    sizeCalculation: ({ json }) => 2 * (json?.length ?? 0) + ENTRY_OVERHEAD_BYTES,
  });

  note(
    ncodes: readonly string[],
    of: OfSelection,
    novels: ReadonlyMap<string, NovelRecord>,
    now: number,
  ): void {
    for (const ncode of ncodes) {
      const novel = novels.get(ncode);
      const json = novel === undefined ? null : JSON.stringify(novel);
      this.#known.set(ncode, { json, of, fetchedAt: now });
    }
  }

  /** All of these novels with these fields. Undefined where one is not known so, or no longer fresh. */
  find(
    ncodes: readonly string[],
    of: OfSelection,
    policy: CachePolicy,
    now: number,
  ): KnownNovels | undefined {
    const found: [ncode: string, json: string | null][] = [];
    let oldest = ncodes.length === 0 ? now : Infinity;
    for (const ncode of ncodes) {
      const known = this.#known.get(ncode);
      if (known === undefined || !isWithin(of, known.of)) return undefined;
      oldest = Math.min(oldest, known.fetchedAt);
      found.push([ncode, known.json]);
    }
    const part = keepAnswer({ data: null, meta: {} }, policy, oldest);
    if (!isFresh(part, now)) return undefined;
    const names = of?.flatMap(fieldsOf);
    const novels = new Map<string, NovelRecord>();
    for (const [ncode, json] of found) {
      if (json === null) continue;
      const record = JSON.parse(json) as NovelRecord;
      novels.set(ncode, names ? selectFields(record, names) : record);
    }
    return { novels, part };
  }
}
