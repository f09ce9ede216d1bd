import { describe, expect, it } from 'vitest';
import { feedsOfPage, pageOfQuestion, titleOfPage } from './question-page.ts';

const feed = (search: string, language: 'ja' | 'en' = 'ja') => {
  const found = feedsOfPage(search, true).find((each) => each.language === language);
  return found && [found.title, decodeURIComponent(found.href)];
};

describe('the feed of a page', () => {
  it.each([
    ['', '小説（週間ポイントの高い順）', '/v1/novels?order=weeklypoint&format=atom'],
    [
      '?word=猫&type=er&order=new&st=31&utm_source=x',
      '小説: 猫、完結済の連載（新着更新順）',
      '/v1/novels?word=猫&type=er&order=new&format=atom',
    ],
    [
      '?notword=追放&genre=101,201&notgenre=102&minlen=10000&isr15=1&notbl=1&stop=1&istt=1',
      '小説: 追放を除く、異世界〔恋愛〕・ハイファンタジー〔ファンタジー〕、現実世界〔恋愛〕を除く、長期停止中を除く、文字数 10000-、R15 の指定、ボーイズラブを除く、異世界転生か異世界転移（週間ポイントの高い順）',
      '/v1/novels?notword=追放&genre=101,201&notgenre=102&stop=1&length=10000-&isr15=1&notbl=1&istt=1&order=weeklypoint&format=atom',
    ],
    [
      '?genre=201&biggenre=4&word=https://ncode.syosetu.com/n0001aa/',
      '小説: N0001AA、ハイファンタジー〔ファンタジー〕・VRゲーム〔SF〕・宇宙〔SF〕・空想科学〔SF〕・パニック〔SF〕（週間ポイントの高い順）',
      '/v1/novels?word=N0001AA&genre=201,401,402,403,404&order=weeklypoint&format=atom',
    ],
    [
      '?userid=100003&order=old&word=a',
      '小説: 作者 100003（新着更新順）',
      '/v1/novels?userid=100003&order=new&format=atom',
    ],
    ['?userid=100003', '小説: 作者 100003（新着更新順）', '/v1/novels?userid=100003&order=new&format=atom'],
    ['?ncode=N7600WG&period=weekly', '最新話: N7600WG', '/v1/novels?ncode=N7600WG&feed=episodes&format=atom'],
    [
      '?compare=n0001aa N0002AA',
      '最新話: N0001AA,N0002AA',
      '/v1/novels?ncode=N0001AA,N0002AA&feed=episodes&format=atom',
    ],
    [
      '?compare=N0001AA,N0002AA,N0003AA,N0004AA',
      '最新話: N0001AA,N0002AA,N0003AA … (4)',
      '/v1/novels?ncode=N0001AA,N0002AA,N0003AA,N0004AA&feed=episodes&format=atom',
    ],
    [
      '?__proto__=1&constructor=2&toString=3',
      '小説（週間ポイントの高い順）',
      '/v1/novels?order=weeklypoint&format=atom',
    ],
    ['?ranking=weekly&notword=a&biggenre=2', '週間ランキング', '/v1/rankings/weekly/hydrated?format=atom'],
    ['?ranking=weekly', '週間ランキング', '/v1/rankings/weekly/hydrated?format=atom'],
    [
      '?ranking=daily&genre=2&state=ongoing&istt=1',
      '日間ランキング: ファンタジー、連載中、長期停止中を除く、異世界転生か異世界転移',
      '/v1/rankings/daily/hydrated?biggenre=2&worktype=r&stop=1&istt=1&format=atom',
    ],
    [
      '?ranking=daily&genre=201&sort=rise',
      '日間ランキング: ハイファンタジー〔ファンタジー〕（順位の上昇が大きい順）',
      '/v1/rankings/daily/hydrated?genre=201&order=rise&format=atom',
    ],
    [
      '?r18=1&nocgenre=1',
      '成人向け小説: ノクターンノベルズ(男性向け)（週間ポイントの高い順）',
      '/v1/r18/novels?nocgenre=1&order=weeklypoint&format=atom',
    ],
  ])('%s is its question, with a title for people', (search, title, href) => {
    expect(feed(search)).toEqual([title, href]);
  });

  it.each([
    ['', 'Novels (most points of the week first)'],
    [
      '?word=猫&type=er&stop=2&order=new',
      'Novels: 猫; complete serial; only novels on long hiatus (latest episode first)',
    ],
    [
      '?notword=追放&genre=101,201&notgenre=102&minlen=10000&notr15=1&isbl=1&title=1&buntai=1',
      "Novels: not 追放; Romance, another world or High fantasy; not Romance, this world; Length in characters 10000-; not an R15 rating; boys' love; in titles (most points of the week first)",
    ],
    [
      '?anykeyword=a b&notkeyword=c&episodes=5-9',
      'Novels: any of the keywords a b; not keywords c; Number of episodes 5-9 (most points of the week first)',
    ],
    ['?ncode=N7600WG', 'Latest episodes: N7600WG'],
    [
      '?ranking=daily&state=stopped&sort=rise',
      'Daily ranking: ongoing serial; only novels on long hiatus (risen most)',
    ],
    ['?r18=1&nocgenre=1', 'Adult novels: ノクターンノベルズ(男性向け) (most points of the week first)'],
  ])('%s has an English title too', (search, title) => {
    const [, href = ''] = feed(search) ?? [];
    expect(feed(search, 'en')).toEqual([title, `${href}&lang=en`]);
  });

  it.each([
    '?authors=a',
    '?shelf=1',
    '?order=best',
    '?genre=1',
    '?ncode=x',
    '?ranking=daily&state=constructor',
  ])('%s has none', (search) => {
    expect(feed(search)).toBeUndefined();
  });

  it('of adult novels is not named by a service without them', () => {
    expect(feedsOfPage('?r18=1', false)).toEqual([]);
  });
});

it.each([
  ['/v1/novels?word=猫&of=t&lim=5&st=2&format=atom', '/?word=猫'],
  ['/v1/novels?ncode=N0001AA&feed=episodes&format=atom', '/?ncode=N0001AA'],
  ['/v1/novels?ncode=N0001AA,N0002AA&feed=episodes&format=atom', '/?compare=N0001AA,N0002AA'],
  ['/v1/r18/novels?nocgenre=1&format=atom', '/?r18=1&nocgenre=1'],
  ['/v1/rankings/weekly?format=atom&lang=en', '/?ranking=weekly'],
  ['/v1/rankings/daily/hydrated?genre=201&order=rise&format=atom', '/?ranking=daily&genre=201&sort=rise'],
  [
    '/v1/rankings/daily/hydrated?istt=1&biggenre=2&worktype=r&stop=1&format=atom',
    '/?ranking=daily&genre=2&state=ongoing&istt=1',
  ],
  ['/v1/rankings/daily?from=2026-10-01&to=2026-10-09&format=atom', '/?ranking=daily&date=2026-10-09'],
  ['/v1/r18/novels?word=a&genre=201&nocgenre=1&utm_source=x&format=atom', '/?r18=1&word=a&nocgenre=1'],
  ['/v1/changes?since=now&kind=episode&lang=en&format=atom', '/'],
  ['/v1/changes?ncode=N0001AA&format=atom', '/?ncode=N0001AA'],
  ['/v1/changes?userid=7&kind=new&format=atom', '/?userid=7'],
])('the page of %s shows its question', (path, page) => {
  expect(decodeURIComponent(pageOfQuestion(`http://127.0.0.1${path}`))).toBe(page);
});

it.each([
  ['?ncode=n0001aa', '作品 N0001AA'],
  ['?ncode=n0002aa', '図書室の窓'],
  ['?ranking=weekly&date=2026-11-16', '週間ランキング 2026-11-16'],
  ['?word=猫&order=new', '小説: 猫（新着更新順）'],
  ['', undefined],
  ['?shelf=1', undefined],
  ['?r18=1&word=猫', undefined],
  ['?order=best', undefined],
])('the title of the page %s says what it shows', (search, title) => {
  expect(titleOfPage(search, true, (ncode) => (ncode === 'N0002AA' ? '図書室の窓' : undefined))).toBe(title);
});
