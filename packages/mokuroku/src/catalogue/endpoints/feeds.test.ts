import { EXAMPLES } from '@mokuroku/narou';
import { describe, expect, it } from 'vitest';
import { TEST_NOW, startTestCatalogue } from '../../../test/catalogue/start-test-catalogue.ts';
import { serviceOn } from '../../../test/catalogue/three-sources.ts';
import { searchFeed } from '../forms/novel-feed.ts';

const service = serviceOn('upstream');

/** Elements of a name, in order. */
const all = (xml: string, name: string) =>
  [...xml.matchAll(new RegExp(`<${name}>([^<]*)</${name}>`, 'g'))].map(([, text]) => text ?? '');

describe('a list as a feed', () => {
  const headers = { accept: 'application/atom+xml' };

  it.each([
    '/v1/novels?userid=100003&lim=100',
    '/v1/r18/novels?order=old&lim=50',
    '/v1/rankings/daily',
    '/v1/rankings/monthly/hydrated?date=2026-03-01',
    '/v1/rankings/weekly?from=2026-10-01&to=2026-10-20',
    '/v1/novels?word=%E9%BE%98%E9%BE%98',
  ])('%s conforms to the Atom specification', async (path) => {
    const { text, status, headers: said } = await service.get(path, { headers });
    expect([status, said['content-type']]).toEqual([200, 'application/atom+xml; charset=utf-8']);
    const entries = text.match(/<entry .*?<\/entry>/gs) ?? [];
    const ids = all(text, 'id');
    expect(new Set(ids).size).toBe(entries.length + 1);
    for (const id of ids) expect(id).toMatch(/^tag:127\.0\.0\.1,2026:[!-~]+$/);
    for (const time of all(text, 'updated')) expect(time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    for (const entry of entries) {
      expect(all(entry, 'title')[0]).not.toBe('');
      expect(all(entry, 'name')[0]).not.toBe('');
      expect(entry).toMatch(/<link rel="alternate" type="text\/html" href="http/);
    }
    expect(text).toContain(
      `<link rel="self" type="application/atom+xml" href="${service.base}${path.replaceAll('&', '&amp;')}"/>`,
    );
    expect(text.slice(0, text.indexOf('<entry ') >>> 0)).toContain('<author><name>');
  });

  it("of an author lists the author's works, the newest episode first", async () => {
    const { text } = await service.get('/v1/novels?userid=100003&format=atom&lim=5');
    const { body } = await service.get('/v1/novels?userid=100003&lim=5');
    const works = body.data as { title: string }[];
    expect(all(text, 'title').slice(1)).toEqual(works.map(({ title }) => title));
    expect(text).toContain('<title>白瀬しおり</title>');
  });

  it.each([
    ['/v1/novels?userid=100003', 'novels?lim=2&amp;', '/?ncode='],
    ['/v1/novels?userid=100003&feed=episodes', 'novels?lim=2&amp;', '/?ncode='],
    ['/v1/r18/novels?order=new', 'r18/novels?lim=2&amp;', '&amp;r18=1'],
  ])('%s has an id of its own, and entries that link to the page', async (path, id, link) => {
    const { text } = await service.get(`${path}&format=atom&lim=2`);
    const [own = ''] = all(text, 'id');
    expect(own).toContain(`:${id}`);
    expect(own.endsWith('&amp;feed=episodes')).toBe(path.includes('episodes'));
    const entries = text.match(/<entry .*?<\/entry>/gs) ?? [];
    expect(entries).toHaveLength(2);
    for (const entry of entries) expect(entry).toContain(link);
  });

  it('of several authors, or of several pen names, has no author in its title', async () => {
    for (const users of ['100003-100004', '100003-999999999']) {
      const { text } = await service.get(`/v1/novels?userid=${users}&format=atom&lim=1`);
      expect(text).toContain(`<title>小説: 作者 ${users}（新着更新順）</title>`);
    }
    const data = ['白瀬しおり', 'しおり'].map((writer) => ({ writer }));
    const query = { userid: [100003], order: 'new', lim: 2, st: 1 } as const;
    const reading = { feed: 'novels', isAdult: false, isSample: true, origin: '', language: 'ja' } as const;
    expect(searchFeed({ data, meta: {} as never, fetchedAt: TEST_NOW }, query, reading).title).toBe(
      '小説: 作者 100003（新着更新順）',
    );
  });

  it('of one novel has its title, and leads to its page', async () => {
    const { text } = await service.get(`/v1/novels?ncode=${EXAMPLES.ncode}&feed=episodes&format=atom`);
    const [novel] = (await service.get(`/v1/novels?ncode=${EXAMPLES.ncode}`)).body.data as {
      title: string;
    }[];
    expect(all(text, 'title')[0]).toBe(novel!.title);
    expect(text).toContain(
      `<link rel="alternate" type="text/html" href="${service.base}/?ncode=${EXAMPLES.ncode}"/>`,
    );
  });

  it('of a ranking with filters names them, and leads to their view', async () => {
    const { text } = await service.get('/v1/rankings/daily/hydrated?genre=201&order=rise&format=atom');
    expect(all(text, 'title')[0]).toBe(
      '日間ランキング: ハイファンタジー〔ファンタジー〕（順位の上昇が大きい順）',
    );
    const path = '/v1/rankings/daily/hydrated?genre=201&order=rise';
    const english = (await service.get(`${path}&format=atom&lang=en`)).text;
    expect(english).toContain('<title>Daily ranking: High fantasy (risen most)</title>');
    expect(english.match(/<entry .*?<\/entry>/gs)).toEqual(text.match(/<entry .*?<\/entry>/gs));
    expect((await service.get(`${path}&lang=en`)).body.meta.ignored).toEqual(['lang']);
    expect(text).toContain('/?ranking=daily&amp;genre=201&amp;sort=rise"/>');
  });

  it.each([
    ['/v1/novels?lim=2&lang=en', 'en'],
    ['/v1/novels?lim=2', 'ja'],
    ['/v1/rankings/daily/hydrated?genre=201&lang=en', 'en'],
    ['/v1/rankings/weekly?from=2026-10-01&to=2026-10-20&lang=en', 'en'],
    ['/v1/novels?userid=100003&type=er&lang=en', 'en'],
    // The name of an author, the title of a novel.
    ['/v1/novels?userid=100003&lang=en', 'ja'],
    [`/v1/novels?ncode=${EXAMPLES.ncode}&lang=en`, 'ja'],
  ])('%s names the language of its title, and that of its novels', async (path, language) => {
    const { text } = await service.get(`${path}&format=atom`);
    expect(/<feed[^>]* xml:lang="(\w+)"/.exec(text)?.[1]).toBe(language);
    const entries = text.match(/<entry.*?>/gs) ?? [];
    expect([entries.length > 0, new Set(entries)]).toEqual([true, new Set(['<entry xml:lang="ja">'])]);
  });

  it('lists of and opt as ignored: a feed has its own fields', async () => {
    const { headers: said, text } = await service.get('/v1/novels?format=atom&of=t&opt=weekly&lim=2');
    expect(said['x-ignored']).toBe('of, opt');
    const usual = (await service.get('/v1/novels?format=atom&lim=2')).text;
    expect(text.match(/<entry .*?<\/entry>/gs)).toEqual(usual.match(/<entry .*?<\/entry>/gs));
  });

  it('omits novels without an Ncode, and names no author that the upstream omits', () => {
    const data = [{ title: '題' }, { title: '題', ncode: 'N0001A' }];
    const reading = { feed: 'novels', isAdult: false, isSample: true, origin: '', language: 'ja' } as const;
    const answer = { data, meta: {} as never, fetchedAt: TEST_NOW };
    const { title, entries } = searchFeed(answer, { userid: [100003], order: 'new', lim: 2, st: 1 }, reading);
    expect(title).toBe('小説: 作者 100003（新着更新順）');
    expect(entries.map(({ id }) => id)).toEqual(['novels/N0001A']);
  });

  it('of the newest ranking has the same ids every day, with a separate time for each rank', async () => {
    const later = await startTestCatalogue();
    const today = (await later.get('/v1/rankings/daily?format=atom')).text;
    later.advance(86_400);
    const tomorrow = (await later.get('/v1/rankings/daily?format=atom')).text;
    await later.close();
    service.setTime(TEST_NOW);
    expect(all(tomorrow, 'id')[0]).toBe(all(today, 'id')[0]);
    const ids = new Set(all(today, 'id'));
    expect(all(tomorrow, 'id').filter((id) => ids.has(id)).length).toBeGreaterThan(100);
    expect(new Set(all(today, 'updated')).size).toBe(300);
    expect(all(today, 'title')[1]).toMatch(/^1\. ./);
  });
});

describe('a feed of episodes', () => {
  const idsOf = (text: string) =>
    [...text.matchAll(/<entry .*?>\n?<id>(.+?)<\/id>/g)].map(([, id = '']) => id.replace(/^tag:[^:]+:/, ''));

  it('has an id for each novel, episode and time, and the same novels as the feed of novels', async () => {
    const path = '/v1/novels?userid=100003&order=new&lim=5&format=atom';
    const episodes = idsOf((await service.get(`${path}&feed=episodes`)).text);
    const { body } = await service.get('/v1/novels?userid=100003&order=new&lim=5&of=n-ga-gl');
    const rows = body.data as { ncode: string; general_all_no: number; general_lastup: string }[];
    const expected = rows.map(
      ({ ncode, general_all_no: count, general_lastup: time }) =>
        `novels/${ncode}/episodes/${count}/${time.replace(/\D/g, '')}`,
    );
    expect(episodes).toEqual(expected);
    expect(idsOf((await service.get(path)).text)).toEqual(rows.map(({ ncode }) => `novels/${ncode}`));
  });

  it('is listed as ignored in any other format', async () => {
    const { body } = await service.get('/v1/novels?lim=1&of=n&feed=episodes');
    expect(body.meta.ignored).toEqual(['feed']);
  });
});

describe('the URL of a feed', () => {
  const self = (text: string) => /rel="self"[^>]*href="([^"]*)"/.exec(text)?.[1];
  const send = async (host: string) =>
    (await service.get('/v1/novels?lim=1&format=atom', { headers: { host, 'x-forwarded-proto': 'https' } }))
      .text;

  it('is the requested one; only a trusted proxy can make it https', async () => {
    expect(self(await send('novels.example.org:8443'))).toMatch(
      /^http:\/\/novels\.example\.org:8443\/v1\/novels/,
    );
    expect(JSON.parse(await send('"><x>'))).toMatchObject({ error: { code: 'invalid_parameter' } });
    expect(all(await send('[::1]:80'), 'id')[0]).toMatch(/^tag:localhost,2026:/);
  });
});
