import { describe, expect, it } from 'vitest';
import { startAnsweredSource, codeOf } from '../../test/narou-test-source.ts';
import { manualClock } from '../../../kit/test/manual-clock.ts';
import { packed, plain } from '../../../../test/catalogue/loopback-upstream.ts';
import type { UpstreamHandler } from '../../../../test/catalogue/loopback-upstream.ts';
import type { RankingType } from '../novels/ranking-date.ts';

describe('a ranking', () => {
  /** A ranking that the upstream answers so. */
  const rankingOf = async (
    answer: UpstreamHandler | readonly unknown[],
    type: RankingType = 'daily',
    date = '2024-04-01',
  ) => (await startAnsweredSource(answer)).source.getRanking(type, date);
  /** One that nobody has published yet. */
  const futureOf = (text: string) => rankingOf(plain(text), 'monthly', '2924-04-01');

  it.each([
    ['daily', '2021-07-18', '20210718-d'],
    // By its Tuesday.
    ['weekly', '2024-04-08', '20240409-w'],
  ] as const)('has rank, pt and ncode: %s %s', async (type, date, rtype) => {
    const { source, upstream } = await startAnsweredSource([
      { ncode: 'N0011AB', pt: 7700, rank: 1 },
      { ncode: 'n0012ab', pt: '7300', rank: 2 },
    ]);
    const { value } = await source.getRanking(type, date);
    expect(JSON.stringify(value)).toBe(
      '[{"rank":1,"pt":7700,"ncode":"N0011AB"},{"rank":2,"pt":7300,"ncode":"N0012AB"}]',
    );
    expect(upstream.seen[0]?.query.get('rtype')).toBe(rtype);
  });

  const ERROR_TEXTS = ['Error: Invalid date.', 'DATE ERROR[1]'];

  it.each([...ERROR_TEXTS, ...ERROR_TEXTS.map((text) => JSON.stringify(text))])(
    'that is not published yet may be reported as %s',
    async (text) => {
      expect(await futureOf(text)).toEqual({ absent: 'stated' });
    },
  );

  it.each(ERROR_TEXTS)('that must have been published is not absent because of %s', async (text) => {
    expect(await codeOf(rankingOf(plain(text), 'monthly'))).toBe('upstream_invalid');
    expect(await codeOf(rankingOf(plain(text), 'weekly', '2024-04-08'))).toBe('upstream_invalid');
  });

  it.each(['Error: Too many accesses.', 'Error: Try later.', '"Error: Too many accesses."'])(
    'is not absent because the upstream says %s',
    async (text) => {
      expect(await codeOf(futureOf(text))).toBe('upstream_invalid');
    },
  );

  it('may be late by a day', async () => {
    const time = { ms: Date.UTC(2026, 10, 20, 23, 0, 0) };
    const clock = { now: () => time.ms, monotonic: () => performance.now() };
    const { source } = await startAnsweredSource(plain('Error: Invalid date.'), { clock });
    const get = () => source.getRanking('daily', '2026-11-21');
    expect(await get()).toEqual({ absent: 'stated' });
    time.ms += 23 * 3_600_000 - 1;
    expect(await get()).toEqual({ absent: 'stated' });
    time.ms += 1;
    expect(await codeOf(get())).toBe('upstream_invalid');
  });

  it('whose date the upstream rejects is an error', async () => {
    const { source, problems } = await startAnsweredSource(plain('DATE ERROR[2]'));
    await source.getRanking('daily', '2924-04-01');
    expect(problems).toEqual([
      { upstream: 'rank', problem: 'unexpected_error_text', about: 'DATE ERROR[2]', count: 1 },
    ]);
  });

  it('without entries is not published yet, or a failure if it was due a day ago', async () => {
    expect(await futureOf('[]')).toEqual({ absent: 'not_returned' });
    expect(await codeOf(rankingOf([]))).toBe('upstream_invalid');
  });

  const ENTRIES = Array.from({ length: 300 }, (_, index) => ({
    ncode: `N${1_000 + index}AB`,
    pt: 9_000 - index,
    rank: index + 1,
  }));
  const without = (rank: number) => ENTRIES.filter((entry) => entry.rank !== rank);
  const changed = (rank: number, change: object) =>
    ENTRIES.map((entry) => (entry.rank === rank ? { ...entry, ...change } : entry));

  it('has its entries by rank, in whatever order they come', async () => {
    expect((await rankingOf(ENTRIES.toReversed())).value).toEqual(ENTRIES);
  });

  it.each<[string, UpstreamHandler | readonly unknown[]]>([
    ['without its first entry', without(1)],
    ['with a hole', without(150)],
    ['with a rank twice', changed(150, { rank: 151 })],
    ['with an entry twice', [...ENTRIES, ENTRIES[0]]],
    ['with a novel twice', changed(150, { ncode: 'n1000ab' })],
    ['with an Ncode that is none', changed(300, { ncode: 'X1' })],
    ['without the points of its last entry', changed(300, { pt: null })],
    ['with negative points', changed(300, { pt: -1 })],
    ['without points', ENTRIES.map((entry) => ({ ...entry, pt: 0 }))],
    ['with points that rise with the rank', changed(150, { pt: 9_000 })],
    ['with points that cannot be stored', changed(300, { pt: 2 ** 32 })],
    ['of another date', changed(300, { rtype: '20240331-d' })],
    ['of an entry without its novel', [{ rank: 1 }]],
    ['of no entry', [null]],
    ['of numbers', [1, 2, 3]],
    ['of a count', [{ allcount: 300 }]],
    ['in the form of an object', plain('{}')],
  ])('%s is a failure', async (_, answer) => {
    expect(await codeOf(rankingOf(answer))).toBe('upstream_invalid');
  });
});

describe('a list that may still change', () => {
  const list = (points: number, entries = 300) =>
    Array.from({ length: entries }, (_, at) => ({
      ncode: `N${1_000 + at}AB`,
      pt: points - at,
      rank: at + 1,
    }));

  /** The source at a time that moves, and what it says of a ranking with these entries. */
  async function started() {
    const time = { ms: Date.UTC(2026, 10, 20, 23) };
    const clock = { now: () => time.ms, monotonic: () => performance.now() };
    const { source, upstream } = await startAnsweredSource([], { clock });
    const look = async (date: string, rows: readonly unknown[], type: RankingType = 'daily') => {
      upstream.answer = packed(rows);
      const ranking = await source.getRanking(type, date);
      return 'absent' in ranking ? 'absent' : ranking.standing;
    };
    const wait = (hours: number) => {
      time.ms += hours * 3_600_000;
    };
    return { look, wait };
  }

  it('is final at a second look of another day that says the same', async () => {
    const { look, wait } = await started();
    expect(await look('2024-04-01', list(900))).toBe('unconfirmed');
    wait(21);
    expect(await look('2024-04-01', list(900))).toBe('unconfirmed');
    wait(1);
    expect(await look('2024-04-01', list(900))).toBe('confirmed');
    expect(await look('2024-04-01', list(901))).toBe('unconfirmed');
  });

  it.each([1, 150, 299])('is doubtful if it ends after %i of 300 ranks', async (entries) => {
    const { look, wait } = await started();
    expect(await look('2024-04-01', list(900, entries))).toBe('doubtful');
    expect(await look('2024-04-02', list(901))).toBe('unconfirmed');
    expect(await look('2024-04-01', list(900, entries))).toBe('doubtful');
    wait(22);
    expect(await look('2024-04-01', list(900, entries))).toBe('confirmed');
  });

  it('is doubtful if it is that of another date, not of another type', async () => {
    const { look } = await started();
    await look('2024-04-01', list(900));
    expect(await look('2024-04-02', list(900))).toBe('doubtful');
    expect(await look('2024-04-01', list(900), 'monthly')).toBe('unconfirmed');
  });

  it('is doubtful if it is cut after another cut one, where whole ones were seen', async () => {
    const { look } = await started();
    expect(await look('2024-04-01', list(900))).toBe('unconfirmed');
    expect(await look('2024-04-02', list(901, 150))).toBe('doubtful');
    expect(await look('2024-04-03', list(902, 150))).toBe('doubtful');
  });

  it('may be as short as the others of a small site', async () => {
    const { look } = await started();
    await look('2024-04-01', list(900, 29));
    expect(await look('2024-04-02', list(901, 27))).toBe('unconfirmed');
    expect(await look('2024-04-03', list(902, 14))).toBe('doubtful');
  });
});

describe('a ranking history', () => {
  const RANKED = '[{"pt":129,"rank":2,"rtype":"20191227-d"}]';
  const RANKING = [1, 2].map((rank) => ({ ncode: `N000${rank + 1}A`, pt: 9 - rank, rank }));
  /** rankin responds with `history`, but for the second novel of the ranking; novelapi knows the novel or not, or proves nothing. */
  const answer =
    (history: string, isKnown: boolean, isProving = true, ofRanked = RANKED): UpstreamHandler =>
    ({ path, query }, response) => {
      if (path === '/rank/rankget/') return response.end(JSON.stringify(RANKING));
      if (path === '/rank/rankin/') return response.end(query.get('ncode') === 'N0003A' ? ofRanked : history);
      const ends = [query.get('order') === 'ncodedesc' ? 'N9999ZZ' : 'N0000A'];
      const asked = query.get('ncode')?.split('-') ?? ends;
      const rows = isProving ? asked.filter((ncode) => ncode !== 'N0001A' || isKnown) : [];
      const novels = [{ allcount: rows.length }, ...rows.map((ncode) => ({ ncode }))];
      response.end(JSON.stringify(novels));
    };

  it.each([
    '[{"pt":129,"rank":221,"rtype":"20191227-d"},{"pt":12062,"rank":6,"rtype":"20191231-w"}]',
    '[{"pt":12062,"rank":6,"rtype":"20191231-w"},{"pt":129,"rank":221,"rtype":"20191227-d"}]',
  ])('is sorted by date, without a request for the novel: %s', async (raw) => {
    const { source, upstream } = await startAnsweredSource(answer(raw, false));
    expect(JSON.stringify(await source.getRankingHistory('N0001A'))).toBe(
      '{"value":[{"rtype":"20191227-d","rank":221,"pt":129},{"rtype":"20191231-w","rank":6,"pt":12062}]}',
    );
    expect(upstream.seen).toHaveLength(1);
  });

  it.each([
    { rank: -1 },
    { rank: 0 },
    { pt: -2 },
    { pt: 2 ** 40 },
    { rtype: 'x' },
    { rtype: '20191227-d' },
    { ncode: 'N0002A' },
  ])('lacks an entry that no ranking has, comes again or is of another novel: %j', async (wrong) => {
    const row = { pt: 129, rank: 221, rtype: '20191227-d' };
    const { source } = await startAnsweredSource([row, { ...row, rtype: '20191228-d', ...wrong }]);
    expect(await source.getRankingHistory('N0001A')).toEqual({ value: [row], unreadable: 1 });
  });

  it.each(['[]', 'Error: Novel not found.'])(
    'of %s is empty for an existing novel, absent for one that does not exist',
    async (text) => {
      const { source, upstream } = await startAnsweredSource(answer(text, true));
      expect(await source.getRankingHistory('N0001A')).toEqual({ value: [] });
      upstream.answer = answer(text, false);
      expect(await source.getRankingHistory('N0001A')).toEqual({ absent: 'not_returned' });
      upstream.answer = answer(text, false, false);
      expect(await codeOf(source.getRankingHistory('N0001A'))).toBe('upstream_invalid');
    },
  );

  it.each(['[]', 'Error: Novel not found.'])(
    'of %s is a failure while the upstream says the same of a ranked novel',
    async (text) => {
      const { time, clock } = manualClock();
      const { source, upstream } = await startAnsweredSource(answer(text, true, true, text), { clock });
      expect(await codeOf(source.getRankingHistory('N0001A'))).toBe('upstream_invalid');
      // On 9 September: that of the day before may still be late.
      expect(upstream.seen.map(({ query }) => query.get('rtype'))).toContain('20010907-d');
      upstream.answer = answer(text, true);
      expect(await source.getRankingHistory('N0001A')).toEqual({ value: [] });
      // Seen a moment ago.
      upstream.answer = answer(text, true, true, text);
      expect(await source.getRankingHistory('N0001A')).toEqual({ value: [] });
      time.ms += 600_000;
      expect(await codeOf(source.getRankingHistory('N0001A'))).toBe('upstream_invalid');
    },
  );

  it.each(['Error: Try later.', '{}', '[{"rank":1}]', '[null]'])(
    'of %s is a failure, not an absence',
    async (text) => {
      const { source } = await startAnsweredSource(answer(text, true));
      expect(await codeOf(source.getRankingHistory('N0001A'))).toBe('upstream_invalid');
    },
  );
});
