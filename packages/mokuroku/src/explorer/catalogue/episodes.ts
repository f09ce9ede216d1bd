import type { Change } from 'mokuroku-client/source';
import { dayOfDate } from '@mokuroku/narou';
import type { AnyNovel } from './novel-record.ts';

/**
 * The days (since 1970, in Japan) with a known episode, unique, oldest first: the first and the latest of the record,
 * and those noticed by a local catalogue.
 */
export function episodeDays(novel: AnyNovel, changes: readonly Change[]): number[] {
  const times = [
    novel.general_firstup,
    novel.general_lastup,
    ...changes.filter(({ kind }) => kind === 'episode').map(({ general_lastup: time }) => time),
  ];
  const days = times.flatMap((time) => dayOfDate((time ?? '').slice(0, 10)) ?? []);
  return [...new Set(days)].sort((a, b) => a - b);
}
