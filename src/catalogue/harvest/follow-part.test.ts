import { describe, expect, it } from 'vitest';
import { DAY, HOUR, THEN, followedUpstream, novel } from '../../../test/catalogue/followed-upstream.ts';
import { harvestedIn } from '../../../test/catalogue/harvest-under-test.ts';
import { japanDateTime } from '../novels/japan-date.ts';

const upstream = followedUpstream();
const fewNovels = () => Array.from({ length: 40 }, (_, place) => novel(place));
const fails = () => {
  throw new Error('out of order');
};
const options = { adult: true, rankings: true };

/** What a catalogue must have that was followed over the time: new novels within hours, all others young enough. */
function expectFollowed(dir: string): void {
  const held = [...harvestedIn(dir, 'novels').values()];
  expect(held.map(({ ncode }) => ncode)).toContain('N0050AA');
  expect(held).toHaveLength(41);
  const ages = held.map(({ fetched_at }) => upstream.clock.now() / 1_000 - fetched_at);
  expect(Math.max(...ages)).toBeLessThan((14 * DAY) / 1_000);
}

function addNovel(): void {
  const added = novel(50, { general_lastup: japanDateTime(upstream.clock.now()) });
  upstream.novels = [...(upstream.novels ?? []), added];
}

describe('an upstream of which one interface fails for weeks', { timeout: 300_000 }, () => {
  it.each(['adultNovelIndex', 'ranking'] as const)('is followed in all else: %s', async (broken) => {
    const dir = upstream.folders.next();
    upstream.novels = fewNovels();
    await upstream.followUntil(dir, THEN + HOUR, options);
    upstream.own = { [broken]: fails };
    addNovel();
    await upstream.followUntil(dir, THEN + 6 * HOUR, options);
    expect(harvestedIn(dir, 'novels').has('N0050AA')).toBe(true);
    await upstream.followUntil(dir, THEN + 20 * DAY, options);
    expectFollowed(dir);
  });

  it('is followed in all else where its novels were never fetched', async () => {
    const dir = upstream.folders.next();
    upstream.novels = fewNovels();
    upstream.own = { adultNovelIndex: fails };
    await upstream.followUntil(dir, THEN + HOUR, options);
    addNovel();
    await upstream.followUntil(dir, THEN + 20 * DAY, options);
    expectFollowed(dir);
    upstream.own = {};
    await upstream.followUntil(dir, THEN + 22 * DAY, options);
    expect(harvestedIn(dir, 'adult').size).toBe(41);
  });
});
