import { afterEach, describe, expect, it } from 'vitest';
import { answeredSources, codeOf } from '../../test/answered-source.ts';
import { plain } from '../../../../test/catalogue/loopback-upstream.ts';
import type { UpstreamHandler } from '../../../../test/catalogue/loopback-upstream.ts';

const { start, closeAll } = answeredSources();
afterEach(closeAll);

describe('a ranking history', () => {
  /** rankin responds with `history`; novelapi knows the novel or not. */
  const answer =
    (history: string, isKnown: boolean): UpstreamHandler =>
    (request, response) => {
      const isRankin = request.path === '/rank/rankin/';
      response.end(isRankin ? history : isKnown ? '[{"allcount":1},{"ncode":"N0001A"}]' : '[{"allcount":0}]');
    };

  it('has the upstream’s order, without a request for the novel', async () => {
    const raw = '[{"pt":129,"rank":221,"rtype":"20191227-d"},{"pt":12062,"rank":6,"rtype":"20191231-w"}]';
    const { source, upstream } = await start(answer(raw, false));
    expect(JSON.stringify(await source.getRankingHistory('N0001A'))).toBe(
      '{"value":[{"rtype":"20191227-d","rank":221,"pt":129},{"rtype":"20191231-w","rank":6,"pt":12062}]}',
    );
    expect(upstream.seen).toHaveLength(1);
  });

  it.each(['[]', 'Error: Novel not found.'])(
    'of %s is empty for an existing novel, absent for one that does not exist',
    async (text) => {
      const { source, upstream } = await start(answer(text, true));
      expect(await source.getRankingHistory('N0001A')).toEqual({ value: [] });
      upstream.answer = answer(text, false);
      expect(await source.getRankingHistory('N0001A')).toEqual({ absent: 'not_returned' });
      expect(upstream.seen.map((request) => request.path)).toEqual([
        '/rank/rankin/',
        '/novelapi/api/',
        '/rank/rankin/',
        '/novelapi/api/',
      ]);
    },
  );

  it('with any other error text is a failure, not an absence', async () => {
    const { source } = await start(answer('Error: Try later.', true));
    expect(await codeOf(source.getRankingHistory('N0001A'))).toBe('upstream_invalid');
  });

  it.each(['{}', '[{"rank":1}]', '[null]'])('is invalid in the form of %s', async (text) => {
    const { source } = await start(plain(text));
    expect(await codeOf(source.getRankingHistory('N0001A'))).toBe('upstream_invalid');
  });
});
