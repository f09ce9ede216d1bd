import { describe, expect, test } from 'vitest';
import { upstreamUnderTest } from '../../packages/narou/test/upstream-under-test.ts';
import { ADULT_RECORD, RECORD_OF_2026 } from '../../packages/narou/test/invented-records.ts';
import type { CatalogueNovel } from '../../packages/narou/src/scan/catalogue-novel.ts';
import { SERVED_CODES, findOfField } from '../../packages/narou/src/novels/of-fields.ts';
import type { NovelInterface } from '../../packages/narou/src/novels/of-fields.ts';

const { catalogue, rows, text } = upstreamUnderTest();

const recorded = (record: object, keys: readonly string[]) => keys.filter((key) => key in record);
const known = (source: NovelInterface) => [
  'gensaku',
  ...SERVED_CODES[source].map((code) => (code === 'nt' ? 'novel_type' : findOfField(code)!.field)),
];

describe('records of novels', () => {
  test.each([
    ['novelapi', 38, RECORD_OF_2026],
    ['novel18api', 35, ADULT_RECORD],
  ] as const)(
    '%s without of: the %i keys of the recorded answers in their order, and later ones of the table',
    async (source, count, record) => {
      const [, first = {}] = await rows(`${source}/api/?lim=1`);
      const keys = Object.keys(first);
      expect(recorded(record, keys)).toEqual(Object.keys(record));
      expect(Object.keys(record)).toHaveLength(count);
      expect(new Set(keys)).toEqual(new Set(known(source)));
      expect(first).toMatchObject({
        gensaku: '',
        ncode: expect.stringMatching(/^N\d{4}[A-Z]{2}$/) as string,
      });
    },
  );

  test('the count of all matches comes first', async () => {
    expect((await rows('novelapi/api/?lim=1'))[0]).toEqual({ allcount: catalogue.novels().length });
  });

  test.each(['novelapi', 'novel18api'] as const)(
    '%s: each code of of selects its field alone',
    async (source) => {
      for (const code of SERVED_CODES[source]) {
        const [, first] = await rows(`${source}/api/?lim=1&of=${code}`);
        expect(Object.keys(first ?? {})).toEqual([findOfField(code)?.field]);
      }
    },
  );

  test('of: noveltype instead of novel_type; unknown and duplicate codes are ignored, in any order', async () => {
    const [, first] = await rows('novelapi/api/?lim=1&of=nt-ng-xx-t-t-N');
    expect(Object.keys(first ?? {})).toEqual(['title', 'noveltype']);
    const [, adult] = await rows('novel18api/api/?lim=1&of=u-bg-g-ir-ng');
    expect(Object.keys(adult ?? {})).toEqual(['nocgenre']);
  });

  test('strings are escaped for HTML but for the apostrophe; numbers in titles stay strings', async () => {
    const title = async (word: string) => {
      const [, first] = await rows(
        `novelapi/api/?lim=1&of=t&order=old&title=1&word=${encodeURIComponent(word)}`,
      );
      return first?.['title'];
    };
    expect(await title('灯台守の目録')).toBe("&lt;b&gt;&amp;&quot;'&lt;/b&gt; 灯台守の目録");
    expect(await title('&amp;')).toBe('&amp;amp; と &amp;lt; の違いを説明できない司書');
    expect(await title('029')).toBe('029');
  });

  test('opt=weekly adds weekly_unique, with and without of', async () => {
    const [, full] = await rows('novelapi/api/?lim=1&opt=weekly');
    expect(Object.keys(full ?? {}).at(-1)).toBe('weekly_unique');
    const [, chosen] = await rows('novelapi/api/?lim=1&opt=weekly&of=n');
    expect(Object.keys(chosen ?? {})).toEqual(['ncode', 'weekly_unique']);
  });

  test('no match is only allcount 0', async () => {
    expect(await text('novelapi/api/?out=json&ncode=N0000A')).toBe('[{"allcount":0}]');
  });

  test('a withdrawn novel of a ranking is not found by its Ncode', async () => {
    const ranked = (await rows('rank/rankget/?rtype=20261121-d')).map((row) => String(row['ncode']));
    const [count, ...rowsFound] = await rows(
      `novelapi/api/?of=n&lim=500&ncode=${ranked.join('-').toLowerCase()}`,
    );
    expect(count).toEqual({ allcount: rowsFound.length });
    expect(rowsFound.length).toBeGreaterThan(250);
    expect(rowsFound.length).toBeLessThan(300);
  });

  test('adult and general novels are never returned by the interface of the other', async () => {
    const adult = catalogue.adultNovels()[0]?.ncode ?? '';
    const general = catalogue.novels()[0]?.ncode ?? '';
    expect(await rows(`novelapi/api/?of=n&ncode=${adult}`)).toEqual([{ allcount: 0 }]);
    expect(await rows(`novel18api/api/?of=n&ncode=${general}`)).toEqual([{ allcount: 0 }]);
    expect(await rows(`novel18api/api/?of=n&ncode=${adult}`)).toEqual([{ allcount: 1 }, { ncode: adult }]);
  });
});

describe('window', () => {
  const ncodes = async (query: string) =>
    (await rows(`novelapi/api/?of=n&order=ncodeasc${query}`)).slice(1).map((row) => row['ncode']);

  test('20 rows by default, also for a list of more Ncodes; at most 500', async () => {
    const all = catalogue.novels().map((novel) => novel.ncode);
    expect(await ncodes('')).toEqual(all.slice(0, 20));
    expect(await ncodes(`&ncode=${all.slice(0, 30).join('-')}`)).toEqual(all.slice(0, 20));
    expect(await ncodes('&lim=501')).toEqual(all.slice(0, 500));
  });

  test('pages neither overlap nor skip, in an order full of ties', async () => {
    const page = async (st: number) =>
      (await rows(`novelapi/api/?of=n&order=reviewcnt&lim=300&st=${st}`)).slice(1).map((row) => row['ncode']);
    const seen = [...(await page(1)), ...(await page(301)), ...(await page(601))];
    expect(new Set(seen).size).toBe(900);
  });
});

test('an author of the adult site is found by an id in any case', async () => {
  const [count] = await rows('novel18api/api/?xid=X2201AG&of=n');
  expect(count).toEqual((await rows('novel18api/api/?xid=x2201ag&of=n'))[0]);
  expect(count?.['allcount']).toBeGreaterThan(0);
});

// The service sends most filters and compares their results with a plain search (endpoints/search-novels.test.ts,
// search-adult-novels.test.ts). These are forms that it does not send, or seldom.

type Novel = Required<Omit<CatalogueNovel, 'nocgenre' | 'xid' | 'userid' | 'biggenre' | 'genre' | 'isr15'>>;
type Filter = (novel: Novel) => boolean;
const lastup =
  (first: string, end = '~'): Filter =>
  ({ general_lastup }) =>
    general_lastup >= first && general_lastup < end;
const has =
  (word: string): Filter =>
  ({ title, story, keyword, writer }) =>
    [title, story, keyword, writer].some((text) => text.includes(word));

test.each<[string, Filter]>([
  ['word=の+竜', (novel) => has('の')(novel) && has('竜')(novel)],
  ['notword=魔法　恋', (novel) => !has('魔法')(novel) && !has('恋')(novel)],
  ['mintime=30&maxtime=90', ({ time }) => time >= 30 && time <= 90],
  ['kaiwaritu=-40', ({ kaiwaritu }) => kaiwaritu <= 40],
  ['sasie=3', ({ sasie_cnt }) => sasie_cnt === 3],
  ['isbl=0&notgl=0', () => true],
  // The Saturday's week began on Sunday, the 15th.
  ['lastup=thisweek', lastup('2026-11-15')],
  ['lastup=lastweek', lastup('2026-11-08', '2026-11-15')],
  ['lastup=sevenday', lastup('2026-11-14')],
  ['lastup=thismonth', lastup('2026-11-01')],
  ['lastup=lastmonth', lastup('2026-10-01', '2026-11-01')],
])('%s finds the same as a plain filter', async (query, isWanted) => {
  for (const [source, novels] of [
    ['novelapi', catalogue.novels()],
    ['novel18api', catalogue.adultNovels()],
  ] as const) {
    const [count] = await rows(`${source}/api/?lim=1&of=n&${query}`);
    expect(count).toEqual({ allcount: novels.filter(isWanted).length });
  }
});

test('a word that is an Ncode finds that novel, whatever the targets; with other words it is a word', async () => {
  const ncode = catalogue.novels()[123]?.ncode ?? '';
  const rowsFound = [{ allcount: 1 }, { ncode }];
  expect(await rows(`novelapi/api/?of=n&keyword=1&word=${ncode.toLowerCase()}`)).toEqual(rowsFound);
  expect(await rows(`novelapi/api/?of=n&word=${encodeURIComponent(`　${ncode} `)}`)).toEqual(rowsFound);
  expect(await rows(`novelapi/api/?of=n&word=${ncode}+竜`)).toEqual([{ allcount: 0 }]);
});

test('a blank word does not filter; the last of several values of one parameter counts', async () => {
  const all = catalogue.novels().length;
  expect((await rows('novelapi/api/?of=n&lim=1&word=%E3%80%80'))[0]).toEqual({ allcount: all });
  expect((await rows('novelapi/api/?of=n&lim=1&type=t&type='))[0]).toEqual({ allcount: all });
});

test('a range and the bounds beside it must all be met', async () => {
  const total = async (query: string) => (await rows(`novelapi/api/?of=n&lim=1&${query}`))[0];
  const narrow = await total('length=20000-90000');
  expect(await total('length=20000-90000&minlen=1&maxlen=9999999')).toEqual(narrow);
  expect(await total('length=1-9999999&minlen=20000&maxlen=90000')).toEqual(narrow);
});

describe('records of users', () => {
  const users = catalogue.users();

  test('have eight fields: userid is a number, name1st null if absent', async () => {
    const [count, ...rowsFound] = await rows('userapi/api/?lim=500');
    expect(count).toEqual({ allcount: users.length });
    expect(Object.keys(rowsFound[0] ?? {}).join(' ')).toBe(
      'userid name yomikata name1st novel_cnt review_cnt novel_length sum_global_point',
    );
    expect(rowsFound.map((row) => typeof row['userid'])).toEqual(rowsFound.map(() => 'number'));
    expect(rowsFound.filter((row) => row['name1st'] === null).length).toBeGreaterThan(10);
  });

  test('of selects fields, unknown codes are ignored', async () => {
    const [, first] = await rows('userapi/api/?lim=1&of=sg-1-u-zz');
    expect(Object.keys(first ?? {})).toEqual(['userid', 'name1st', 'sum_global_point']);
  });

  test('names are escaped for HTML', async () => {
    const [, first] = await rows('userapi/api/?lim=1&of=n&word=Lantern');
    expect(first).toEqual({ name: 'Owl &amp; Lantern' });
  });
});
