import { expect, test } from 'vitest';
import { upstreamUnderTest } from '../../test/upstream-under-test.ts';
import type { CatalogueNovel } from '../scan/catalogue-novel.ts';

// The service sends most filters and compares their results with a plain search (endpoints/search-novels.test.ts,
// search-adult-novels.test.ts). These are forms that it does not send, or seldom.

const { catalogue, rows } = upstreamUnderTest();

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
