import path from 'node:path';
import { onTestFinished } from 'vitest';
import { plainNovel } from '../../narou/test/plain-novel.ts';
import { buildIndex } from '../src/engine/build-index.ts';
import { openLocalSource } from '../src/local/local-source.ts';
import type { LocalSource, LocalSourceOptions } from '../src/local/local-source.ts';
import { publishRankings } from '../src/local/ranking-files.ts';
import { recordedLog } from './recorded-log.ts';
import type { LogLine } from './recorded-log.ts';

/** A source on a folder, and the log that it writes. */
interface LoggedSource {
  readonly source: LocalSource;
  readonly log: LogLine[];
}

/** Opens sources, which are closed with their test. `now`: milliseconds UTC. */
export function localSources(now: number | (() => number)) {
  const clock = typeof now === 'number' ? () => now : now;
  return (
    dir: string,
    options: Partial<Pick<LocalSourceOptions, 'upstream' | 'loadWorker'>> = {},
  ): LoggedSource => {
    const { lines, logger } = recordedLog('info');
    const source = openLocalSource({
      dir,
      upstream: undefined,
      clock: { now: clock, monotonic: clock },
      logger,
      ...options,
    });
    onTestFinished(() => source.close());
    return { source, log: lines };
  };
}

/** Publishes a generation of three novels with a title, and one of two rankings, whose points are its length. */
export async function publishTitle(dir: string, title: string, now: number): Promise<void> {
  const fetchedAt = now / 1000;
  const novels = [1, 2, 3].map((number) =>
    plainNovel({ ncode: `N000${number}TA`, title, fetched_at: fetchedAt - title.length }),
  );
  await buildIndex(path.join(dir, 'novels'), novels, { spacing: 4 });
  const rows = [{ ncode: 'N0001TA', pt: title.length, rank: 1 }];
  const put = ['2026-11-19', '2026-11-20'].map((date) => ({ type: 'daily', date, fetchedAt, rows }) as const);
  await publishRankings(path.join(dir, 'rankings'), { put });
}
