import type { FoundNovel, NovelRecord } from '../source/catalogue-source.ts';
import { invalidResponse } from './upstream-failure.ts';

/** Requests novels by Ncode, at most 500, and returns the received ones. */
type FetchNovels = (ncodes: readonly string[]) => Promise<ReadonlyMap<string, NovelRecord>>;

/** If more of a list are missing, all of them are requested once more. */
const MAX_MISSING = 50;

/** Of one list. An upstream that returns so few novels of each is not asked for the rest. */
const MAX_REQUESTS = 6;

const UNPROVEN: FoundNovel = {
  state: 'unknown',
  reason: invalidResponse(new Error('the upstream did not return the witness of a list of Ncodes')),
};

/**
 * Finds novels by Ncode. A missing one is denied only if the upstream read the list that far: one behind it came back.
 * An upstream that cuts a list, or its URL, does not say so. The others are requested once more, with a received novel
 * as the witness at the end; those behind the last received one are unknown if that brings nothing either. A novel
 * requested alone needs no witness.
 */
export async function findByNcode(ncodes: readonly string[], fetch: FetchNovels): Promise<FoundNovel[]> {
  const records = new Map<string, NovelRecord>();
  let open = ncodes;
  let witness: string | undefined;
  for (let request = 1; request <= MAX_REQUESTS && open.length > 0; request++) {
    const list = witness === undefined ? open : [...open, witness];
    const received = await fetch(list);
    for (const [ncode, record] of received) records.set(ncode, record);
    if (received.size === 0) break;
    const last = list.findLastIndex((ncode) => received.has(ncode));
    const missing = open.filter((ncode) => !received.has(ncode));
    const isDoubtful = request === 1 && missing.length > MAX_MISSING;
    open = isDoubtful ? missing : open.slice(last + 1);
    witness = list[last];
  }
  const isProven = open.length === 0 || ncodes.length === 1;
  const unproven = new Set(isProven ? [] : open);
  return ncodes.map((ncode) => {
    const record = records.get(ncode);
    if (record !== undefined) return { state: 'found', record };
    return unproven.has(ncode) ? UNPROVEN : { state: 'denied' };
  });
}
