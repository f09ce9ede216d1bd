import { hash } from 'node:crypto';
import { errorOf } from '@mokuroku/kit/cache';
import type { CacheEntry, CachePolicy, Question } from '@mokuroku/kit/cache';
import { toErrorBody } from '@mokuroku/kit';
import type { ErrorBody, ServiceError } from '@mokuroku/kit';
import type { FoundNovel, NovelRecord, OfSelection } from '@mokuroku/narou/source';
import { WITH_UNKNOWN } from './cache-policies.ts';
import { questionOf, bytesANovel } from './catalogue-answer.ts';
import type { PartReader } from './catalogue-answer.ts';
import type { EndpointServices } from './endpoint.ts';

// The novels of rankings: cached in batches, which all rankings, spans and filters with the same novels share.

/** Maximum Ncodes of one `find`, see NovelSource. */
export const BATCH = 500;

/** What is known of a novel: its record, nothing if the upstream denied it, or why it is unknown. */
interface RankedNovel {
  record?: NovelRecord;
  unknown?: ErrorBody & { status: number };
}

function rankedNovel(novel: FoundNovel): RankedNovel {
  if (novel.state === 'found') return { record: novel.record };
  if (novel.state !== 'unknown') return {};
  return { unknown: { ...toErrorBody(novel.reason), status: novel.reason.status } };
}

function novelsOf(services: EndpointServices, ncodes: readonly string[], of: OfSelection): Question {
  const key = `novels-of-rankings/${hash('sha1', ncodes.join(), 'base64url')}?of=${of?.join('-') ?? '*'}`;
  return questionOf(services, { key, memoryBytes: ncodes.length * bytesANovel(of) }, async (requester) => {
    const found = await services.source.novels.novelapi.find(ncodes, of, requester);
    const data = found.value.map(rankedNovel);
    const policy = data.some(({ unknown }) => unknown !== undefined) ? WITH_UNKNOWN : undefined;
    return { data, meta: { source: 'hydrated' }, policy, from: [found] };
  });
}

/**
 * Calls with each of the novels, a batch a turn of the event loop, and returns the cache entries that they are in.
 * Throws the reason if all of them are unknown.
 */
export async function readNovels(
  services: EndpointServices,
  { ncodes, of, policy }: { ncodes: readonly string[]; of: OfSelection; policy: CachePolicy },
  { cache, nextTurn }: PartReader,
  use: (ncode: string, novel: RankedNovel) => void,
): Promise<CacheEntry[]> {
  const entries: CacheEntry[] = [];
  let unknownCount = 0;
  let reason: ServiceError | undefined;
  for (let start = 0; start < ncodes.length; start += BATCH) {
    const batch = ncodes.slice(start, start + BATCH);
    const entry = await cache.get(novelsOf(services, batch, of), policy);
    entries.push(entry);
    await nextTurn();
    for (const [at, novel] of (JSON.parse(entry.data.toString()) as RankedNovel[]).entries()) {
      use(batch[at] ?? '', novel);
      if (novel.unknown === undefined) continue;
      unknownCount++;
      reason ??= errorOf(novel.unknown, { status: novel.unknown.status });
    }
  }
  if (reason !== undefined && unknownCount === ncodes.length) throw reason;
  return entries;
}
