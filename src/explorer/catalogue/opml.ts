import { feedOfNovel } from '../shell/other-forms.ts';
import type { FollowedItem } from '../shell/shelf.ts';

const escapeOpml = (text: string): string =>
  text
    .replace(/[&<>"]/g, (letter) => `&#${letter.charCodeAt(0)};`)
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '');

/** OPML 2.0 for feed readers: a feed of the episodes of each novel, and one of the novels of each author. */
export function opmlOf(followed: readonly FollowedItem[], origin: string): string {
  const feeds = followed.flatMap(({ kind, id, label }) => {
    if (kind === 'domain') return [];
    const feed = kind === 'novel' ? feedOfNovel(id) : `/v1/novels?userid=${id}&order=new&format=atom`;
    const address = origin + feed;
    return [`    <outline type="rss" text="${escapeOpml(label)}" xmlUrl="${escapeOpml(address)}" />`];
  });
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<opml version="2.0">',
    '  <head><title>mokuroku</title></head>',
    '  <body>',
    ...feeds,
    '  </body>',
    '</opml>',
    '',
  ].join('\n');
}
