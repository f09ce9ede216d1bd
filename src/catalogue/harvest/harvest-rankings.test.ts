import path from 'node:path';
import { expect, it } from 'vitest';
import { followedUpstream, novel } from '../../../test/catalogue/followed-upstream.ts';
import { japan } from '../../../test/catalogue/upstream-under-test.ts';
import { rankingsHeld } from '../local/publish-rankings.ts';
import { harvest } from './harvest.ts';

const upstream = followedUpstream();

it(
  'rankings are published a thousand at a time, while the others are being fetched',
  { timeout: 120_000 },
  async () => {
    const dir = upstream.folders.next();
    upstream.clock.set(japan('2016-01-01T12:00:00'));
    upstream.novels = [novel(1)];
    upstream.own.ranking = () => [{ ncode: 'N0001AA', pt: 5, rank: 1 }];
    const controller = new AbortController();
    const held = new Map<number, number>();
    const ended = harvest(
      upstream.options(dir, {
        rankings: true,
        signal: controller.signal,
        onProgress: ({ step, done }) => {
          if (step !== 'rankings' || done < 999) return;
          held.set(done, [...rankingsHeld(path.join(dir, 'rankings'))].length);
          if (done === 1_001) controller.abort(new Error('interrupted'));
        },
      }),
    );
    await expect(ended).rejects.toThrow('interrupted');
    expect([...held]).toEqual([
      [999, 0],
      [1_000, 1_000],
      [1_001, 1_000],
    ]);
  },
);
