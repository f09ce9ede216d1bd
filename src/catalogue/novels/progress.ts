export const PROGRESSES = ['ongoing', 'complete', 'short', 'stopped'] as const;
export type Progress = (typeof PROGRESSES)[number];

/** What of a record tells where the novel stands: `noveltype` is 2 for shorts, `end` 0 for complete ones and shorts. */
interface ProgressFields {
  noveltype?: number;
  end?: number;
  isstop?: number;
}

/** Where a novel stands; undefined when the record does not say. */
export function progressOf({ noveltype, end, isstop }: ProgressFields): Progress | undefined {
  if (noveltype === 2) return 'short';
  if (end === undefined) return undefined;
  if (end === 0) return 'complete';
  return isstop === 1 ? 'stopped' : 'ongoing';
}
