// What following does next: decisions over plain values, so that weeks of it take milliseconds in a test.

import { japanDay, PUBLICATION_HOURS } from '@mokuroku/narou';
import type { FollowTimes, Task } from './harvest-journal.ts';
import type { Site } from './harvested-novel.ts';

const CHANGES_SECONDS = 600;
export const PAUSE_SECONDS = 600;
/** Longest pause after failed walks, each of which sent thousands of requests. */
const MAX_PAUSE_SECONDS = 86_400;

/** State of this process. Each step returns the next state; the journal has the rest. */
export interface Following {
  /** When changes were last requested, successfully or not, in Unix seconds. */
  readonly changesRequestedAt?: number;
  /** The last failed task: one failing interface must not block the others. */
  readonly failedTask?: Task | undefined;
  /** True if other requests have succeeded since. */
  readonly haveOthersSucceeded: boolean;
  /** Failed walks: their number, and when (seconds of the monotonic clock) the next may begin. */
  readonly walks: Partial<Readonly<Record<Site, { readonly times: number; readonly nextAt: number }>>>;
}

export const NOT_FAILED: Following = { haveOthersSucceeded: false, walks: {} };

export interface FollowFacts {
  /** Unix seconds. */
  readonly now: number;
  /** Seconds of the monotonic clock. */
  readonly elapsed: number;
  readonly sites: readonly Site[];
  readonly hasIndex: (site: Site) => boolean;
  /** The task under way, or next. */
  readonly task: Task | undefined;
  readonly follow: FollowTimes;
}

export type FollowStep =
  | { readonly kind: 'changes'; readonly sites: readonly Site[] }
  | { readonly kind: 'task'; readonly task: Task }
  | { readonly kind: 'begin'; readonly tasks: readonly Task[] }
  | { readonly kind: 'idle'; readonly seconds: number };

/**
 * The day of a round. Rounds begin at an hour in Japan at which the rankings of the day are published, with the same
 * figures.
 */
const roundDay = (seconds: number): number => japanDay((seconds - PUBLICATION_HOURS.to * 3_600) * 1_000);

/**
 * Seconds until changes are due. A future time of the last request comes from a clock that was set back: they are due
 * now.
 */
function changesDueIn({ changesRequestedAt }: Following, { now, follow }: FollowFacts): number {
  const last = changesRequestedAt ?? Math.max(0, ...Object.values(follow.changes));
  return now < last ? 0 : CHANGES_SECONDS - (now - last);
}

/** The most urgent step; `idle` until one is due. */
export function nextStep(following: Following, facts: FollowFacts): FollowStep {
  const { now, elapsed, sites, hasIndex, task, follow } = facts;
  const dueIn = changesDueIn(following, facts);
  const indexed = sites.filter(hasIndex);
  const missing = sites.filter((site) => !indexed.includes(site));
  if (follow.round > 0 && dueIn <= 0 && indexed.length > 0) return { kind: 'changes', sites: indexed };
  const hasLostIndex = task?.kind === 'round' && missing.includes(task.site);
  if (task && !hasLostIndex) return { kind: 'task', task };
  const walkDueIn = (site: Site) => (following.walks[site]?.nextAt ?? 0) - elapsed;
  const begin = (kind: 'walk' | 'round', of: readonly Site[]): FollowStep => ({
    kind: 'begin',
    tasks: [...of.map((site) => ({ kind, site })), { kind: 'rankings' }],
  });
  const dueWalks = missing.filter((site) => walkDueIn(site) <= 0);
  if (dueWalks.length > 0) return begin('walk', dueWalks);
  if (indexed.length > 0 && roundDay(now) !== roundDay(follow.round)) return begin('round', indexed);
  const waits = [...missing.map(walkDueIn), ...(indexed.length > 0 ? [dueIn] : [])];
  return { kind: 'idle', seconds: Math.max(1, Math.min(...waits)) };
}

/**
 * What a failure of a task means: it is retried after a pause, or `skipped` until the next round if it fails again while
 * other requests succeed. A walk then restarts after growing pauses.
 */
export function afterFailure(
  following: Following,
  task: Task,
  { isUpstream, isIncomplete, elapsed }: { isUpstream: boolean; isIncomplete: boolean; elapsed: number },
): { readonly following: Following; readonly kind: 'retried' | 'skipped'; readonly pauseSeconds?: number } {
  const failed = { ...following, failedTask: task, haveOthersSucceeded: false };
  const isOwn = following.failedTask === task && following.haveOthersSucceeded && isUpstream;
  if (!isOwn && !isIncomplete) return { following: failed, kind: 'retried' };
  if (task.kind !== 'walk') return { following: failed, kind: 'skipped' };
  const { times = 0 } = following.walks[task.site] ?? {};
  const pauseSeconds = Math.min(MAX_PAUSE_SECONDS, PAUSE_SECONDS * 2 ** times);
  const walks = { ...following.walks, [task.site]: { times: times + 1, nextAt: elapsed + pauseSeconds } };
  return { following: { ...failed, walks }, kind: 'skipped', pauseSeconds };
}
