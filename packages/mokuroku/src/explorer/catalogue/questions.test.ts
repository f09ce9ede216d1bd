import { beforeAll, describe, expect, it } from 'vitest';
import { say, startAnsweringServer } from '../../../../../test/client/answering-server.ts';
import type { AnsweringServer } from '../../../../../test/client/answering-server.ts';
import { findOfField, SERVED_CODES, NOVEL18API_ORDERS, NOVELAPI_ORDERS } from '@mokuroku/narou';
import type { Answered, ApiQuestion } from '../shell/answers.ts';
import { domainQuestion } from '../domain/domain-url.ts';
import * as questions from './questions.ts';
import { ANY_NOVEL, readView, viewOf } from './view.ts';

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
const queryOf = async (question: ApiQuestion<Answered>): Promise<Record<string, string>> =>
  Object.fromEntries((await addressOf(question)).searchParams);

const firstOf = (address: string) => questions.firstQuestionOf(readView(address), false)!;
const NOVEL = viewOf('novel', { ncode: 'N1A' });
const RANKED = '/v1/rankings/daily/hydrated';

const { novelsQuestion, oneNovelQuestion } = questions;

describe('requests of the views', () => {
  it.each<[what: string, url: string, question: ApiQuestion<Answered>]>([
    [
      'filters, order and page',
      '/v1/novels?word=猫 犬&notword=馬&genre=201&notbl=1&length=-9&title=1&order=new&lim=30&st=31',
      firstOf('?word=猫 犬&notword=馬&genre=201&notbl=1&length=-9&title=1&order=new&st=31'),
    ],
    ['the usual order', '/v1/novels?order=weeklypoint&lim=30', firstOf('')],
    [
      'genres',
      '/v1/novels?genre=301,201,202&order=new&lim=30',
      firstOf('?genre=301,201&biggenre=2&order=new'),
    ],
    ['big genres', '/v1/novels?biggenre=2,4&order=new&lim=30', firstOf('?biggenre=2,4&order=new')],
    [
      'adult works',
      '/v1/r18/novels?order=weeklypoint&lim=30',
      novelsQuestion({ ...ANY_NOVEL, adult: true }, false),
    ],
    ['an adult work', '/v1/r18/novels/N1A', oneNovelQuestion({ ...NOVEL, adult: true })],
    ['a novel', '/v1/novels/N1A', firstOf('?ncode=N1A')],
    [
      'a path as a code',
      '/v1/novels/..%2Fmeta%2Fgenres',
      oneNovelQuestion({ ...NOVEL, ncode: '../meta/genres' }),
    ],
    [
      'a query as an id',
      '/v1/users/1%3Flim%3D5',
      questions.userQuestion(viewOf('author', { userid: '1?lim=5' })),
    ],
    [
      'a chart of a year',
      '/v1/novels/N1A/ranking-history?type=weekly&lim=53',
      questions.historyQuestion({ ...NOVEL, period: 'weekly' }),
    ],
    [
      'a chart of all time',
      '/v1/novels/N1A/ranking-history?type=daily&lim=800',
      questions.historyQuestion({ ...NOVEL, span: 0 }),
    ],
    ['a path as a name', '/a%2Fb%3Fc', domainQuestion('a/b?c')],
    ['a name', '/a.jp', domainQuestion('a.jp')],
    ['a name of the registrar', '/a.jp?follow=registrar', domainQuestion('a.jp', true)],
    [
      'works',
      '/v1/novels?userid=7&order=new&lim=30&st=31',
      questions.worksQuestion(viewOf('author', { userid: '7', st: 31 })),
    ],
    ['authors', '/v1/users?order=sumglobalpoint&lim=30&st=31', firstOf('?authors=&st=31')],
    ['some authors', '/v1/users?word=猫&order=sumglobalpoint&lim=30', firstOf('?authors=猫')],
    ['episodes', '/v1/changes?ncode=N1A&kind=episode&lim=500', questions.episodesQuestion('N1A')],
    ['the newest board', `${RANKED}?`, firstOf('?ranking=daily')],
    ['a board', `${RANKED}?date=2026-11-09`, firstOf('?ranking=daily&date=2026-11-09')],
    [
      'complete novels that rose',
      `${RANKED}?worktype=er&istt=1&order=rise`,
      firstOf('?ranking=daily&state=complete&istt=1&sort=rise'),
    ],
    [
      'ongoing novels of a big genre',
      `${RANKED}?worktype=r&stop=1&biggenre=2`,
      firstOf('?ranking=daily&state=ongoing&genre=2'),
    ],
    [
      'long stopped novels of a genre',
      `${RANKED}?worktype=r&stop=2&genre=201&minlen=9`,
      firstOf('?ranking=daily&state=stopped&genre=201&minlen=9'),
    ],
    ['short novels', `${RANKED}?worktype=t`, firstOf('?ranking=daily&state=short')],
    [
      'a link to the former flow of ranks',
      '/v1/rankings/weekly/hydrated?date=2026-11-16',
      firstOf('?ranking=weekly&date=2026-11-16&flow=1'),
    ],
  ])('for %s: %s', async (_what, expected, question) => {
    const requested = await addressOf(question);
    // Their own tests are below.
    for (const name of ['of', 'facets']) requested.searchParams.delete(name);
    const partsOf = ({ pathname, searchParams }: URL) => [pathname, Object.fromEntries(searchParams)];
    expect(partsOf(requested)).toEqual(partsOf(new URL(expected, requested)));
  });
  it('select only fields that the interface has, including the sort field', async () => {
    const codesOf = async (order: string, adult: boolean) =>
      (await queryOf(novelsQuestion({ ...ANY_NOVEL, order, adult }, false)))['of']?.split('-') ?? [];
    for (const order of Object.keys(NOVELAPI_ORDERS)) {
      expect((await codesOf(order, false)).filter((code) => !findOfField(code) || code === 'ng')).toEqual([]);
    }
    const adult = new Set<string>(SERVED_CODES.novel18api);
    for (const order of Object.keys(NOVEL18API_ORDERS)) {
      expect((await codesOf(order, true)).filter((code) => !adult.has(code))).toEqual([]);
    }
    expect(await codesOf('impressioncnt', false)).toContain('imp');
  });
  it('for adults are never sent before the confirmation, and to compare nothing not at all', () => {
    const unsent = ['?r18=1', '?r18=1&word=a', '?ncode=N0001A&r18=1', '?compare='];
    expect(unsent.map(firstOf)).toEqual([null, null, null, null]);
  });
  it('count all matches of a local catalogue', async () => {
    const ofNovels = [false, true].map((adult) => novelsQuestion({ ...ANY_NOVEL, adult }, true));
    const all = [...ofNovels, firstOf('')];
    const facets = await Promise.all(all.map(async (question) => (await queryOf(question))['facets']));
    const ofBoth = 'type,isstop,isbl,isgl,iszankoku,istensei,istenni';
    expect(facets).toEqual([`genre,biggenre,isr15,${ofBoth}`, `nocgenre,${ofBoth}`, undefined]);
  });
  it('have different keys for different requests', () => {
    const keys = [
      novelsQuestion(ANY_NOVEL, false),
      novelsQuestion({ ...ANY_NOVEL, adult: true }, false),
      novelsQuestion(ANY_NOVEL, true),
      novelsQuestion({ ...ANY_NOVEL, st: 31 }, false),
      questions.suggestQuestion('a'),
      oneNovelQuestion(NOVEL),
      oneNovelQuestion({ ...NOVEL, adult: true }),
      questions.historyQuestion(NOVEL),
      questions.historyQuestion({ ...NOVEL, span: 90 }),
      firstOf('?compare=N0001A'),
      firstOf('?compare=N0001A&period=weekly'),
      firstOf('?ranking=daily'),
      firstOf('?ranking=daily&date=2026-11-09'),
      firstOf('?userid=1'),
      questions.worksQuestion(viewOf('author', { userid: '1' })),
      questions.worksQuestion(viewOf('author', { userid: '1', st: 31 })),
      firstOf('?authors=1'),
      domainQuestion('a.jp'),
      domainQuestion('a.jp', true),
    ].map(({ key }) => key);
    expect(new Set(keys).size).toBe(keys.length);
  });
});

describe('responses of a catalogue', () => {
  let service: AnsweringServer;
  beforeAll(async () => {
    service = await startAnsweringServer();
    return service.close;
  });

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
    const question = novelsQuestion(ANY_NOVEL, true);
    const address = await addressOf(firstOf(''));
    const withoutCounts = { [`/v1/novels${address.search}`]: [{ ncode: 'N0001A' }] };
    expect((await load(question, withoutCounts)).data).toEqual([{ ncode: 'N0001A' }]);
    await expect(load(question, withoutCounts, 'internal')).rejects.toMatchObject({ code: 'internal' });
  });

  it('of a comparison have the order of the request, without unknown novels', async () => {
    const ncodes = ['N0003A', 'N0009A', 'N0001A'];
    const entry = { rtype: '20261120-d', rank: 1, pt: 1 };
    const { data, missing } = await load(questions.compareQuestion(viewOf('compare', { ncodes }))!, {
      '/v1/novels': [{ ncode: 'N0001A' }, { ncode: 'N0003A' }],
      '/v1/ranking-histories': { N0003A: [entry], N0009A: null, N0001A: null },
    });
    expect(data).toEqual([
      { novel: { ncode: 'N0003A' }, history: [entry] },
      { novel: { ncode: 'N0001A' }, history: [] },
    ]);
    expect(missing).toEqual(['N0009A']);
  });
});
