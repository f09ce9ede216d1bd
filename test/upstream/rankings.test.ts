import { describe, expect, test } from 'vitest';
import { japan, standingClock, upstreamUnderTest } from '../../packages/narou/test/upstream-under-test.ts';
import { startNarouServer } from './server.ts';

const upstream = upstreamUnderTest();
const { catalogue, rows, text } = upstream;

describe('rankget', () => {
  test('300 rows of ncode, pt and rank in this order, without allcount', async () => {
    const body = await text('rank/rankget/?out=json&rtype=20261117-w');
    expect(body).toMatch(/^\[\{"ncode":"N\d{4}[A-Z]{2}","pt":\d+,"rank":1\},\{"ncode":/);
    expect(JSON.parse(body)).toHaveLength(300);
  });

  test.each([
    ['20140501-w', 'DATE ERROR[2]'],
    ['20261116-w', 'DATE ERROR[2]'],
    ['20140402-m', 'DATE ERROR[1]'],
    ['20140402-q', 'DATE ERROR[1]'],
    ['', 'Error: Invalid date.'],
    ['20140230-d', 'Error: Invalid date.'],
    ['2014-04-08-w', 'Error: Invalid date.'],
    ['20140408', 'Error: Invalid date.'],
    ['20140408-y', 'Error: Invalid date.'],
    ['20130430-d', 'Error: Invalid date.'],
  ])('rtype=%s responds with %s', async (rtype, expected) => {
    expect(await text(`rank/rankget/?out=json&rtype=${rtype}`)).toBe(expected);
  });

  test.each(['20130501-m', '20130502-d', '20140401-q', '20140408-w', '20130507-w'])(
    "rtype=%s, from the manual's examples, has a ranking",
    async (rtype) => {
      expect(await rows(`rank/rankget/?rtype=${rtype}`)).toHaveLength(300);
    },
  );

  test('a ranking of the future is an empty list', async () => {
    expect(await text('rank/rankget/?out=json&rtype=20261122-d')).toBe('[]');
  });

  test("with rankingReadyHour=7 today's ranking exists from 07:00 in Japan, also in rankin", async () => {
    upstream.server.switches.rankingReadyHour = 7;
    upstream.clock.set(japan('2026-11-21T06:59:59'));
    const send = async () => (await rows('rank/rankget/?rtype=20261121-d')).length;
    const [first] = await rows('rank/rankget/?rtype=20261120-d');
    const last = async () => (await rows(`rank/rankin/?ncode=${String(first?.['ncode'])}`)).at(-1)?.['rtype'];
    expect([await send(), await last()]).toEqual([0, '20261120-d']);
    upstream.clock.set(japan('2026-11-21T07:00:00'));
    expect([await send(), await last()]).toEqual([300, '20261121-d']);
  });
});

describe('rankin', () => {
  test('pt, rank and rtype in this order, as rankget has them, whatever the case of the Ncode', async () => {
    const [row] = await rows('rank/rankget/?rtype=20261117-w');
    const body = await text(`rank/rankin/?out=json&ncode=${String(row?.['ncode']).toLowerCase()}`);
    expect(body).toMatch(/^\[\{"pt":\d+,"rank":\d+,"rtype":"\d{8}-[dwmq]"\}/);
    expect(JSON.parse(body)).toContainEqual({ pt: row?.['pt'], rank: 1, rtype: '20261117-w' });
  });

  test.each(['', 'n0000a', 'N9999ZZ', 'x1234', 'あ'])('ncode=%s: the novel does not exist', async (ncode) => {
    expect(await text(`rank/rankin/?out=json&ncode=${encodeURIComponent(ncode)}`)).toBe(
      'Error: Novel not found.',
    );
  });

  test('an adult entry is unknown to rankin; a novel that never ranked has an empty list', async () => {
    const adult = catalogue.adultNovels()[3]?.ncode ?? '';
    expect(await text(`rank/rankin/?ncode=${adult}`)).toBe('Error: Novel not found.');
    const never = catalogue.novels().find((novel) => catalogue.rankingHistory(novel.ncode)?.length === 0);
    expect(await text(`rank/rankin/?out=json&ncode=${never?.ncode ?? ''}`)).toBe('[]');
  });

  test('with neverRanked=error a novel whose only ranking is not published yet does not exist', async () => {
    const clock = standingClock(japan('2026-11-21T06:00:00'));
    const rankingHistory = () => [{ pt: 5, rank: 1, rtype: '20261121-d' }];
    const switches = { neverRanked: 'error', rankingReadyHour: 7 } as const;
    const server = await startNarouServer({ catalogue: { ...catalogue, rankingHistory }, clock, switches });
    const get = async () => (await fetch(`${server.url}/rank/rankin/?out=json&ncode=N0001AA`)).text();
    try {
      expect(await get()).toBe('Error: Novel not found.');
      clock.set(japan('2026-11-21T07:00:00'));
      expect(await get()).toBe('[{"pt":5,"rank":1,"rtype":"20261121-d"}]');
    } finally {
      await server.close();
    }
  });
});
