import { describe, expect, it } from 'vitest';
import { opmlOf } from './opml.ts';

const ORIGIN = 'https://novels.example.org';
const followed = (kind: 'novel' | 'author' | 'domain', id: string, label: string) => ({
  kind,
  id,
  label,
  seen: null,
  latest: null,
});

/** The text and the feed of each outline, as a reader of XML gets them. */
const outlinesOf = (opml: string) =>
  [...opml.matchAll(/<outline type="rss" text="([^"<]*)" xmlUrl="([^"<]*)" \/>/g)].map(([, ...parts]) =>
    parts.map((part) => part.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)))),
  );

describe('the shelf as OPML', () => {
  it('has a feed of the episodes of each novel and of the novels of each author, but none of a domain', () => {
    const shelf = [
      followed('novel', 'N0001A', '灯台'),
      followed('author', '7', '人'),
      followed('domain', 'example.jp', 'example.jp'),
    ];
    expect(outlinesOf(opmlOf(shelf, ORIGIN))).toEqual([
      ['灯台', `${ORIGIN}/v1/novels?ncode=N0001A&feed=episodes&format=atom`],
      ['人', `${ORIGIN}/v1/novels?userid=7&order=new&format=atom`],
    ]);
  });

  it('escapes markup, keeps rare characters, and drops those that XML forbids', () => {
    const label = '<b> & "𠮷野家" 🐈\u0000\u000b\ud800\uffff';
    const opml = opmlOf([followed('novel', 'N0001A', label)], ORIGIN);
    expect(outlinesOf(opml)[0]?.[0]).toBe('<b> & "𠮷野家" 🐈');
  });
});
