import { LRUCache } from 'lru-cache';
import type { OfSelection } from '../catalogue-source.ts';

/** Each of some kB at most. */
const MAX_LISTS = 5_000;
const MAX_SETS_OF_A_LIST = 8;

export const isWithin = (of: OfSelection, wider: OfSelection) =>
  wider === undefined || (of?.every((code) => wider.includes(code)) ?? false);

/** Remembers with which fields a list of novels has been fetched: an answer with more serves who wants fewer. */
export class FieldSets {
  readonly #fetched = new LRUCache<string, readonly OfSelection[]>({ max: MAX_LISTS });

  note(list: string, of: OfSelection): void {
    const others = (this.#fetched.get(list) ?? []).filter((known) => known?.join() !== of?.join());
    this.#fetched.set(list, [of, ...others].slice(0, MAX_SETS_OF_A_LIST));
  }

  /** Whether the list has been fetched with these fields and more. */
  hasWider(list: string, of: OfSelection): boolean {
    return (this.#fetched.get(list) ?? []).some((known) => isWithin(of, known));
  }

  /** The sets that hold these fields and more, the smallest first. All fields may have been fetched by others. */
  widerThan(list: string, of: OfSelection): OfSelection[] {
    if (of === undefined) return [];
    const fetched = (this.#fetched.get(list) ?? []).filter(
      (known) => known !== undefined && known.length > of.length && isWithin(of, known),
    );
    return [...fetched.sort((a, b) => (a?.length ?? 0) - (b?.length ?? 0)), undefined];
  }
}
