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

  it('comes as rank, pt, ncode', async () => {
    const { source, upstream } = await start(packed(RANKING));
    const entries = await source.getRanking('daily', '2021-07-18');
    expect(JSON.stringify(entries)).toBe(
      '[{"rank":1,"pt":7700,"ncode":"N0011AB"},{"rank":2,"pt":7300,"ncode":"N0012AB"}]',
    );
    expect(upstream.seen[0]?.query.get('rtype')).toBe('20210718-d');
  });

  it('of a week is asked for by its Tuesday', async () => {
    const { source, upstream } = await start(packed(RANKING));
    await source.getRanking('weekly', '2024-04-08');
    expect(upstream.seen[0]?.query.get('rtype')).toBe('20240409-w');
  });

  it.each(['[]', 'Error: Invalid date.', 'DATE ERROR[1]'])(
    'that is not there may be told as %s',
    async (text) => {
      const { source } = await start(plain(text));
      expect(await source.getRanking('monthly', '2024-04-01')).toBeNull();
    },
  );

  it.each(['{}', '[{"rank":1}]', '[null]'])('cannot be read out of %s', async (text) => {
    const { source } = await start(plain(text));
    expect(await codeOf(source.getRanking('daily', '2024-04-01'))).toBe('upstream_invalid');
  });
});
