import { describe, expect, it } from 'vitest';
import { writeAtom } from './atom.ts';
import type { Feed, FeedEntry } from './atom.ts';
import { novelEntry, rankedEntry } from './novel-feed.ts';

const target = {
  origin: 'https://novels.example.org',
  hostname: 'novels.example.org',
  url: 'https://novels.example.org/v1/novels?userid=1&format=atom',
};
const live = { isAdult: false, isSample: false, origin: target.origin, language: 'ja' as const };

const entry = (more: Partial<FeedEntry> = {}): FeedEntry => ({
  id: 'novels/N0001A',
  title: '題',
  author: '人',
  updated: Date.UTC(2026, 0, 2),
  href: 'https://ncode.syosetu.com/n0001a/',
  categories: [],
  ...more,
});
const textOf = (...args: Parameters<typeof writeAtom>) => [...writeAtom(...args)].join('');
const feed = (entries: FeedEntry[]): Feed => ({
  title: 'f',
  language: 'ja',
  id: 'novels?x',
  updated: Date.UTC(2025, 0, 1),
  entries,
});

describe('a feed', () => {
  it('escapes markup, and replaces characters that XML forbids', () => {
    const text = textOf(feed([entry({ title: '<b>&"]]>\u0000\u000b\ud800\uffff\r' })]), target);
    expect(text).toContain('<title>&lt;b&gt;&amp;&quot;]]&gt;\ufffd\ufffd\ufffd\ufffd&#13;</title>');
    expect(text).toContain('href="https://novels.example.org/v1/novels?userid=1&amp;format=atom"');
  });

  it('escapes keywords, as term and as label', () => {
    const categories = [{ term: 'R&B "生"', label: 'R&B "生"' }];
    const escaped = 'R&amp;B &quot;生&quot;';
    expect(textOf(feed([entry({ categories })]), target)).toContain(
      `<category term="${escaped}" label="${escaped}"/>`,
    );
  });

  it('has the time of its newest entry, or of its data if it is empty', () => {
    const entries = [entry(), entry({ id: 'novels/N0002A', updated: Date.UTC(2026, 5, 1) })];
    expect(/<updated>(.*?)</.exec(textOf(feed(entries), target))?.[1]).toBe('2026-06-01T00:00:00Z');
    expect(/<updated>(.*?)</.exec(textOf(feed([]), target))?.[1]).toBe('2025-01-01T00:00:00Z');
  });

  it('and its entries have tag URIs of the host as ids', () => {
    const ids = [...textOf(feed([entry()]), target).matchAll(/<id>(.*?)<\/id>/g)].map(([, id]) => id);
    expect(ids).toEqual([
      'tag:novels.example.org,2026:novels?x',
      'tag:novels.example.org,2026:novels/N0001A',
    ]);
  });
});

describe('a novel in a feed', () => {
  it('has the time of its latest episode and links to the site', () => {
    const novel = {
      ncode: 'N0001A',
      title: '題',
      writer: '人',
      story: '',
      genre: 201,
      keyword: '猫　猫 犬',
      general_lastup: '2026-02-01 12:00:00',
    };
    expect(novelEntry(novel, live)).toEqual({
      id: 'novels/N0001A',
      title: '題',
      author: '人',
      updated: Date.parse('2026-02-01T12:00:00+09:00'),
      href: 'https://ncode.syosetu.com/n0001a/',
      summary: undefined,
      categories: [
        { term: '201', label: 'ハイファンタジー〔ファンタジー〕' },
        { term: '猫', label: '猫' },
        { term: '犬', label: '犬' },
      ],
    });
    expect(novelEntry(novel, { ...live, isAdult: true }).href).toBe('https://novel18.syosetu.com/n0001a/');
    expect(novelEntry(novel, { ...live, isSample: true, isAdult: true }).href).toBe(
      'https://novels.example.org/?ncode=N0001A&r18=1',
    );
  });

  it('that was withdrawn still has a title, an author and a time', () => {
    const gone = novelEntry({ ncode: 'N0001A' }, live);
    expect([gone.title, gone.author, gone.updated]).toEqual(['N0001A', '?', 0]);
  });

  it.each([
    ['daily', '2026-10-01', '2026-10-01T03:59:58+09:00'],
    ['weekly', '2026-10-05', '2026-10-06T03:59:58+09:00'],
  ] as const)('of the %s ranking of %s is a second older than the place above it', (type, date, updated) => {
    const second = rankedEntry({ ncode: 'N0001A', rank: 2, title: '題' }, type, date, live);
    expect(second).toMatchObject({
      id: `rankings/${type}/N0001A`,
      title: '2. 題',
      updated: Date.parse(updated),
    });
  });
});
