export const PROGRESSES = ['ongoing', 'complete', 'short', 'stopped'] as const;
export type Progress = (typeof PROGRESSES)[number];

/**
 * The fields that determine a novel's progress: `noveltype` is 2 for shorts, `end` is 0 for complete novels and
 * shorts.
 */
interface ProgressFields {
  noveltype?: number;
  end?: number;
  isstop?: number;
}

/** The progress of a novel; undefined if the record lacks the fields. */
export function progressOf({ noveltype, end, isstop }: ProgressFields): Progress | undefined {
  if (noveltype === 2) return 'short';
  if (end === undefined) return undefined;
  if (end === 0) return 'complete';
  return isstop === 1 ? 'stopped' : 'ongoing';
}

/** The filters of a ranking for each progress. */
export const PROGRESS_FILTERS: Readonly<Record<Progress, Readonly<Record<string, string>>>> = {
  ongoing: { worktype: 'r', stop: '1' },
  complete: { worktype: 'er' },
  short: { worktype: 't' },
  stopped: { worktype: 'r', stop: '2' },
};
