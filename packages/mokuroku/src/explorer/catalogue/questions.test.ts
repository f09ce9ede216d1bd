import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { say, startAnsweringServer } from '../../../../../test/client/answering-server.ts';
import type { AnsweringServer } from '../../../../../test/client/answering-server.ts';
import { findOfField, ofCodesServedBy, NOVEL18API_ORDERS, NOVELAPI_ORDERS } from '@mokuroku/narou';
import type { Answered, ApiQuestion } from '../shell/answers.ts';
import { domainQuestion } from '../domain/domain-url.ts';
import * as questions from './questions.ts';
import { ANY_NOVEL, rankingViewOf, readView } from './view.ts';
import type { ViewOf } from './view.ts';

/** The URL that a question requests. */
async function addressOf(question: ApiQuestion<Answered>): Promise<URL> {
  let requested = '';
  const options = {
    baseUrl: 'http://service',
    fetch: ((url: string) => {
      requested = url;
      return Promise.resolve(new Response('{}'));
    }) as typeof fetch,
  };
  await question.load(options, new AbortController().signal).catch(() => undefined);
  return new URL(requested);
}
const queryOf = async (question: ApiQuestion<Answered>) =>
  Object.fromEntries((await addressOf(question)).searchParams);
const pathOf = async (question: ApiQuestion<Answered>) => (await addressOf(question)).pathname;

const NOW = Date.parse('2026-11-21T12:00:00+09:00');

describe('requests of the views', () => {
  it('contain every filter of the search, its order, its page and the shown fields', async () => {
    const search = {
      ...ANY_NOVEL,
      word: '魔法 学園',
      notword: '悪役',
      genre: '201',
      notbl: '1',
      target: 'title' as const,
      length: '-10000',
      st: 31,
    };
    const question = questions.novelsQuestion(search, false, false);
    expect(await pathOf(question)).toBe('/v1/novels');
    expect(await queryOf(question)).toMatchObject({
      word: '魔法 学園',
      notword: '悪役',
      genre: '201',
      notbl: '1',
      title: '1',
      length: '-10000',
      order: 'weeklypoint',
      lim: '30',
      st: '31',
    });
  });
  it('combine the chosen genres and big genres', async () => {
    const both = { ...ANY_NOVEL, genre: '301,201', biggenre: '2' };
    const query = await queryOf(questions.novelsQuestion(both, false, false));
    expect([query['genre'], query['biggenre']]).toEqual(['301,201,202', undefined]);
    expect(
      await queryOf(questions.novelsQuestion({ ...ANY_NOVEL, biggenre: '2,4' }, false, false)),
    ).toMatchObject({
      biggenre: '2,4',
    });
  });
  it('select only fields that the interface has, including the sort field', async () => {
    const codesOf = async (order: string, adult: boolean) =>
      (await queryOf(questions.novelsQuestion({ ...ANY_NOVEL, order }, adult, false)))['of']?.split('-') ??
      [];
    for (const order of Object.keys(NOVELAPI_ORDERS)) {
      expect((await codesOf(order, false)).filter((code) => !findOfField(code) || code === 'ng')).toEqual([]);
    }
    const adult = new Set<string>(ofCodesServedBy('novel18api'));
    for (const order of Object.keys(NOVEL18API_ORDERS)) {
      expect((await codesOf(order, true)).filter((code) => !adult.has(code))).toEqual([]);
    }
    expect(await codesOf('impressioncnt', false)).toContain('imp');
  });
  it('use separate paths for adult works', async () => {
    expect(await pathOf(questions.novelsQuestion(ANY_NOVEL, true, false))).toBe('/v1/r18/novels');
    expect(await pathOf(questions.oneNovelQuestion('N0001A', true))).toBe('/v1/r18/novels/N0001A');
    expect(await pathOf(questions.oneNovelQuestion('N0001A', false))).toBe('/v1/novels/N0001A');
  });
  it('omit the date for the newest board', async () => {
    expect(await queryOf(questions.boardQuestion(rankingViewOf('weekly')))).not.toHaveProperty('date');
    expect(
      await queryOf(questions.boardQuestion({ ...rankingViewOf('weekly'), date: '2026-11-09' })),
    ).toHaveProperty('date', '2026-11-09');
  });
  it.each([
    ['state=complete&istt=1&sort=rise', { worktype: 'er', istt: '1', order: 'rise' }],
    ['state=ongoing&genre=2', { worktype: 'r', stop: '1', biggenre: '2' }],
    ['state=stopped&genre=201&minlen=1000000', { worktype: 'r', stop: '2', genre: '201', minlen: '1000000' }],
    ['state=short', { worktype: 't' }],
  ])('of a board have the filters of the page: %s', async (shown, filters) => {
    const view = readView(`?ranking=daily&${shown}`) as ViewOf<'ranking'>;
    const { of, facets, ...query } = (await queryOf(questions.boardQuestion(view))) as Record<string, string>;
    expect([of, facets, query]).toEqual([expect.any(String), 'genre,biggenre', filters]);
  });
  it('for adults are never sent before the confirmation', async () => {
    const adults = [readView('?r18=1'), readView('?r18=1&word=a'), readView('?ncode=N0001A&r18=1')];
    expect(adults.map((view) => questions.firstQuestionOf(view, true, NOW))).toEqual([null, null, null]);
    const first = questions.firstQuestionOf(readView('?ncode=N0001A'), true, NOW);
    expect(first && (await pathOf(first))).toBe('/v1/novels/N0001A');
  });
  it('for a flow cover the first places from the first day to the given or the newest one', async () => {
    const flow = questions.firstQuestionOf(readView('?ranking=daily&flow=1'), true, NOW)!;
    expect(await queryOf(flow)).toEqual({ from: '2026-10-23', lim: '20', of: 't-g' });
    const dated = questions.flowQuestion('weekly', '2026-11-16', NOW);
    expect(await queryOf(dated)).toEqual({ from: '2026-08-24', to: '2026-11-16', lim: '20', of: 't-g' });
    const impossible = readView('?ranking=weekly&date=2026-11-17&flow=1');
    expect(await queryOf(questions.firstQuestionOf(impossible, true, NOW)!)).toMatchObject({
      date: '2026-11-17',
    });
  });
  it('escape every value within its path segment', async () => {
    expect(await pathOf(questions.oneNovelQuestion('../meta/genres', false))).toBe(
      '/v1/novels/..%2Fmeta%2Fgenres',
    );
    expect(await pathOf(questions.userQuestion('1?lim=5'))).toBe('/v1/users/1%3Flim%3D5');
    expect(await pathOf(domainQuestion('a/b?c', false))).toBe('/a%2Fb%3Fc');
  });
  it('of a local catalogue count all matches', async () => {
    const facetsOf = async (adult: boolean, isLocal: boolean) =>
      (await queryOf(questions.novelsQuestion(ANY_NOVEL, adult, isLocal)))['facets'];
    expect(await Promise.all([facetsOf(false, true), facetsOf(true, true), facetsOf(false, false)])).toEqual([
      'genre,biggenre,type',
      'nocgenre,type',
      undefined,
    ]);
  });
  it('for the works of an author begin with the latest episode, for episodes have no other changes', async () => {
    expect(await queryOf(questions.worksQuestion('7', 31))).toMatchObject({
      userid: '7',
      order: 'new',
      st: '31',
    });
    expect(await queryOf(questions.episodesQuestion('N0001A'))).toMatchObject({
      ncode: 'N0001A',
      kind: 'episode',
    });
  });
  it('for users have a page, and a word only if there is one', async () => {
    expect(await queryOf(questions.usersQuestion('', 31))).toEqual({
      order: 'sumglobalpoint',
      lim: '30',
      st: '31',
    });
    expect(await queryOf(questions.usersQuestion('猫', 1))).toMatchObject({ word: '猫' });
  });
  it('to compare nothing do not exist', () => {
    expect(questions.firstQuestionOf(readView('?compare='), true, NOW)).toBeNull();
  });
  it("of a registrar's answer name the registrar", async () => {
    expect(await queryOf(domainQuestion('a.jp', true))).toEqual({ follow: 'registrar' });
    expect(await queryOf(domainQuestion('a.jp', false))).toEqual({});
  });
  it('have different keys for different requests', () => {
    const keys = [
      questions.novelsQuestion(ANY_NOVEL, false, false),
      questions.novelsQuestion(ANY_NOVEL, true, false),
      questions.novelsQuestion(ANY_NOVEL, false, true),
      questions.suggestQuestion('a'),
      questions.novelsQuestion({ ...ANY_NOVEL, st: 31 }, false, false),
      questions.oneNovelQuestion('N0001A', false),
      questions.oneNovelQuestion('N0001A', true),
      questions.historyQuestion('N0001A'),
      questions.boardQuestion(rankingViewOf('daily')),
      questions.boardQuestion({ ...rankingViewOf('daily'), date: '2026-11-09' }),
      questions.flowQuestion('daily', null, NOW),
      questions.flowQuestion('daily', '2026-11-21', NOW),
      questions.userQuestion('1'),
      questions.worksQuestion('1', 1),
      questions.worksQuestion('1', 31),
      questions.usersQuestion('1', 1),
      domainQuestion('a.jp', false),
      domainQuestion('a.jp', true),
    ].map(({ key }) => key);
    expect(new Set(keys).size).toBe(keys.length);
  });
});

describe('responses of a catalogue', () => {
  let service: AnsweringServer;
  beforeAll(async () => {
    service = await startAnsweringServer();
  });
  afterAll(() => service.close());

  /** Loads from a service with these data by path; `error` is the code of all other responses. */
  function load<Whole extends Answered>(
    question: ApiQuestion<Whole>,
    data: Record<string, unknown>,
    error = 'not_available_here',
  ): Promise<Whole> {
    service.answers = [
      (response, path) => {
        const { pathname, search } = new URL(path, service.baseUrl);
        const result = data[pathname + search] ?? data[pathname];
        const body =
          result === undefined ? { error: { code: error, message: 'no' } } : { data: result, meta: {} };
        say(result === undefined ? 501 : 200, body)(response, path);
      },
    ];
    return question.load(service, new AbortController().signal);
  }

  it('have no counts if the source cannot count', async () => {
    const question = questions.novelsQuestion(ANY_NOVEL, false, true);
    const { search } = await addressOf(questions.novelsQuestion(ANY_NOVEL, false, false));
    const withoutCounts = { [`/v1/novels${search}`]: [{ ncode: 'N0001A' }] };
    expect((await load(question, withoutCounts)).data).toEqual([{ ncode: 'N0001A' }]);
    await expect(load(question, withoutCounts, 'internal')).rejects.toMatchObject({ code: 'internal' });
  });

  it('of a comparison have the order of the request, without unknown novels', async () => {
    const ncodes = ['N0003A', 'N0009A', 'N0001A'];
    const entry = { rtype: '20261120-d', rank: 1, pt: 1 };
    const { data, missing } = await load(questions.compareQuestion(ncodes), {
      '/v1/novels': [{ ncode: 'N0001A' }, { ncode: 'N0003A' }],
      '/v1/ranking-histories': { N0003A: [entry], N0009A: null, N0001A: null },
    });
    expect(data).toEqual([
      { novel: { ncode: 'N0003A' }, history: [entry] },
      { novel: { ncode: 'N0001A' }, history: [] },
    ]);
    expect(missing).toEqual(['N0009A']);
  });

  const board = (day: number) => ({
    date: `2026-10-${String(day).padStart(2, '0')}`,
    entries: [{ ncode: `N${day}`, rank: 1, pt: 1, title: `title ${day}` }],
  });
  const boards = Array.from({ length: 31 }, (_, place) => board(place + 1));

  it('of a flow are the last thirty rankings, with the novels of each', async () => {
    const { data } = await load(questions.flowQuestion('daily', null, NOW), {
      '/v1/rankings/daily/hydrated': boards,
    });
    expect(data.dates).toEqual(boards.slice(1).map(({ date }) => date));
    expect([data.novels.has('N1'), data.novels.get('N31')?.title]).toEqual([false, 'title 31']);
  });

  it('of a flow without its last ranking are the error of that ranking', async () => {
    for (const [date, data] of [
      ['2026-11-01', boards],
      ['2026-11-01', []],
      [null, []],
    ] as const) {
      const question = questions.flowQuestion('daily', date, NOW);
      const loading = load(question, { '/v1/rankings/daily/hydrated': data }, 'ranking_not_published');
      await expect(loading).rejects.toMatchObject({ code: 'ranking_not_published' });
    }
  });
});
