import type { Clock } from '../process/clock.ts';
import { ServiceError, toErrorBody } from '../errors.ts';
import type { ErrorCode } from '../errors.ts';
import { JsonBytes } from './json-bytes.ts';
import type { BodyShape, CachePolicy, StoredAnswer } from './stored-answer.ts';
import { storeAnswer } from './stored-answer.ts';

/** What a source gives for one key. */
export interface Loaded {
  /** Anything that JSON can hold, or JsonBytes. */
  data: unknown;
  meta?: Record<string, unknown>;
  /** When this very answer deserves another policy than its route (a past ranking never changes). */
  policy?: CachePolicy;
}

/** Errors that are answers: they say that something does not exist. All others are failures and are never kept. */
const ABSENCE: ReadonlySet<ErrorCode> = new Set(['not_found', 'ranking_not_published', 'not_registered']);

/** Asks the source and makes what it says ready to be kept. Rejects with every failure of the source. */
export async function loadAnswer(
  load: () => Promise<Loaded>,
  { clock, shape, policy }: { clock: Clock; shape: BodyShape; policy: CachePolicy },
): Promise<StoredAnswer> {
  try {
    const loaded = await load();
    const { data } = loaded;
    return storeAnswer({
      status: 200,
      json: data instanceof JsonBytes ? data : JSON.stringify(data),
      meta: loaded.meta ?? {},
      storedAt: clock.now(),
      policy: loaded.policy ?? policy,
      shape,
    });
  } catch (error) {
    if (!(error instanceof ServiceError) || !ABSENCE.has(error.code)) throw error;
    const json = JSON.stringify(toErrorBody(error));
    return storeAnswer({ status: error.status, json, meta: {}, storedAt: clock.now(), policy, shape });
  }
}
