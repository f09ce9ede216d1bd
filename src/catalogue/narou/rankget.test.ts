import { afterEach, describe, expect, it } from 'vitest';
import { answeredSources, codeOf } from '../../../test/catalogue/answered-source.ts';
import { packed, plain } from '../../../test/catalogue/loopback-upstream.ts';

const { start, closeAll } = answeredSources();
afterEach(closeAll);

describe('a ranking', () => {
  const RANKING = [
    { ncode: 'N0011AB', pt: 7700, rank: 1 },
    { ncode: 'n0012ab', pt: '7300', rank: 2 },
  ];

  it('has rank, pt and ncode', async () => {
    const { source, upstream } = await start(packed(RANKING));
    const { value } = await source.getRanking('daily', '2021-07-18');
    expect(JSON.stringify(value)).toBe(
      '[{"rank":1,"pt":7700,"ncode":"N0011AB"},{"rank":2,"pt":7300,"ncode":"N0012AB"}]',
    );
    expect(upstream.seen[0]?.query.get('rtype')).toBe('20210718-d');
  });

  it('of a week is requested by its Tuesday', async () => {
    const { source, upstream } = await start(packed(RANKING));
    await source.getRanking('weekly', '2024-04-08');
    expect(upstream.seen[0]?.query.get('rtype')).toBe('20240409-w');
  });

  const ERROR_TEXTS = ['Error: Invalid date.', 'DATE ERROR[1]'];

  const QUOTED_TEXTS = ERROR_TEXTS.map((text) => JSON.stringify(text));

  it.each([...ERROR_TEXTS, ...QUOTED_TEXTS])(
    'that is not published yet may be reported as %s',
    async (text) => {
      const { source } = await start(plain(text));
      expect(await source.getRanking('monthly', '2924-04-01')).toEqual({ absent: 'stated' });
    },
  );

  it.each(ERROR_TEXTS)('that must have been published is not absent because of %s', async (text) => {
    const { source } = await start(plain(text));
    expect(await codeOf(source.getRanking('monthly', '2024-04-01'))).toBe('upstream_invalid');
    expect(await codeOf(source.getRanking('weekly', '2024-04-08'))).toBe('upstream_invalid');
  });

  it.each(['Error: Too many accesses.', 'Error: Try later.', '"Error: Too many accesses."'])(
    'is not absent because the upstream says %s',
    async (text) => {
      const { source } = await start(plain(text));
      expect(await codeOf(source.getRanking('monthly', '2924-04-01'))).toBe('upstream_invalid');
    },
  );

  it('may be late by a day', async () => {
    const now = Date.UTC(2026, 10, 20, 23, 0, 0);
    const time = { ms: now };
    const clock = { now: () => time.ms, monotonic: () => performance.now() };
    const { source } = await start(plain('Error: Invalid date.'), { clock });
    expect(await source.getRanking('daily', '2026-11-21')).toEqual({ absent: 'stated' });
    time.ms += 23 * 3_600_000 - 1;
    expect(await source.getRanking('daily', '2026-11-21')).toEqual({ absent: 'stated' });
    time.ms += 1;
    expect(await codeOf(source.getRanking('daily', '2026-11-21'))).toBe('upstream_invalid');
  });

  it('whose date the upstream rejects is an error', async () => {
    const { source, problems } = await start(plain('DATE ERROR[2]'));
    await source.getRanking('daily', '2924-04-01');
    expect(problems).toEqual([
      { upstream: 'rank', problem: 'unexpected_error_text', about: 'DATE ERROR[2]', count: 1 },
    ]);
  });

  it('without entries does not exist', async () => {
    const { source } = await start(plain('[]'));
    for (const date of ['2024-04-01', '2924-04-01'])
      expect(await source.getRanking('monthly', date)).toEqual({ absent: 'not_returned' });
  });

  it.each(['{}', '[{"rank":1}]', '[null]', '[1,2,3]', '[{"allcount":300}]'])(
    'is invalid in the form of %s',
    async (text) => {
      const { source } = await start(plain(text));
      expect(await codeOf(source.getRanking('daily', '2024-04-01'))).toBe('upstream_invalid');
    },
  );
});
