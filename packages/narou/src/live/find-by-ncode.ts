import type { FoundNovel, NovelRecord } from '../source/index.ts';
import { invalidResponse } from './upstream-failure.ts';

/** Requests novels by Ncode and returns the received ones; none of a response with a novel twice, or another one. */
type FetchNovels = (ncodes: readonly string[]) => Promise<ReadonlyMap<string, NovelRecord>>;

interface FindOptions {
  /** So many novels that the upstream listed a moment ago. Default: the last received one of the request before. */
  readonly chooseWitnesses?: (count: number) => readonly string[];
  /** Novels of one request, beside witnesses. */
  readonly batch?: number;
}

const MIN_WITNESSES = 15;
/** If a first request without witnesses lacks more novels, it proves nothing. */
const MAX_MISSING = 50;
/** Of one list, without given witnesses. An upstream that returns so few novels of each is not asked for the rest. */
const MAX_REQUESTS = 6;
/** After so many requests for single novels without a proof, the upstream proves nothing today. */
const MAX_UNPROVEN = 3;

const UNPROVEN: FoundNovel = {
  state: 'unknown',
  reason: invalidResponse('the upstream did not return the witnesses of a list of Ncodes'),
};

const DENIED: FoundNovel = { state: 'denied' };

/** Witnesses at both ends and between: a list that the upstream cuts anywhere lacks one. */
export function amongWitnesses(asked: readonly string[], witnesses: readonly string[]): readonly string[] {
  const gaps = witnesses.length - 1;
  if (gaps < 1) return [...asked, ...witnesses];
  const bound = (index: number) => Math.floor((index * asked.length) / gaps);
  return witnesses.flatMap((witness, index) => [
    ...asked.slice(index === 0 ? 0 : bound(index - 1), bound(index)),
    witness,
  ]);
}

/**
 * Finds novels by Ncode. This alone proves that the upstream does not have one: each witness came, and a received novel
 * stood behind the missing one. An upstream that cuts a list, or its URL, or loses rows, does not say so. Without a
 * proof, fewer novels are requested at once; they are unknown if that proves nothing either. A novel requested alone
 * needs no witness, unless some are given.
 */
export async function findByNcode(
  ncodes: readonly string[],
  fetch: FetchNovels,
  { chooseWitnesses, batch = ncodes.length }: FindOptions = {},
): Promise<FoundNovel[]> {
  // Each request settles a novel, or halves the next one.
  const maxRequests = chooseWitnesses ? 2 * ncodes.length : MAX_REQUESTS;
  const isAlone = ncodes.length === 1 && chooseWitnesses === undefined;
  const results = new Map<string, FoundNovel>();
  let size = batch;
  let lastReceived: readonly string[] = [];
  let unproven = 0;
  for (let open = ncodes, sent = 0; open.length > 0 && sent < maxRequests; sent++) {
    const part = open.slice(0, size);
    const witnesses = chooseWitnesses?.(Math.max(MIN_WITNESSES, part.length + 1)) ?? lastReceived;
    const list = amongWitnesses(part, witnesses);
    const received = await fetch(list);
    const last = list.findLastIndex((ncode) => received.has(ncode));
    if (last !== -1) lastReceived = list.slice(last, last + 1);
    const missing = part.filter((ncode) => !received.has(ncode));
    const haveWitnessesCome =
      witnesses.length > 0 ? witnesses.every((each) => received.has(each)) : missing.length <= MAX_MISSING;
    const isProof = haveWitnessesCome && last !== -1;
    const proven = new Set(isProof ? list.slice(0, last) : []);
    for (const ncode of part) {
      const record = received.get(ncode);
      if (record !== undefined) results.set(ncode, { state: 'found', record });
      else if (isAlone || proven.has(ncode)) results.set(ncode, DENIED);
      else if (part.length === 1) results.set(ncode, UNPROVEN);
    }
    unproven = isProof || part.length > 1 ? 0 : unproven + 1;
    if (unproven === MAX_UNPROVEN || (lastReceived.length === 0 && chooseWitnesses === undefined)) break;
    if (!isProof) size = Math.ceil(part.length / 2);
    open = open.filter((ncode) => !results.has(ncode));
  }
  return ncodes.map((ncode) => results.get(ncode) ?? UNPROVEN);
}
