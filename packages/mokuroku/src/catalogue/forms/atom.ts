import { pageOfQuestion } from './question-page.ts';
import type { Language } from '@mokuroku/kit';
import type { RequestTarget } from '@mokuroku/kit/http';

/** A feed of novels. */
export interface Feed {
  title: string;
  /** Of the title. Entries have the language of their novels. */
  language: Language;
  /** Permanent id, independent of the entries: derived from the request, percent-encoded. */
  id: string;
  /** Milliseconds since 1970; for a feed without entries. */
  updated: number;
  entries: readonly FeedEntry[];
}

export interface FeedEntry {
  /** Permanent id, unique in the feed, percent-encoded. */
  id: string;
  title: string;
  author: string;
  /** Milliseconds since 1970. */
  updated: number;
  /** URL of the novel or its episode. */
  href: string;
  summary?: string | undefined;
  categories: readonly { term: string; label: string }[];
}

/** What a feed lists and its language; where its novels can be read: at the site, or, invented ones, on this service. */
export interface FeedReading {
  origin: string;
  language: Language;
  isSample: boolean;
  isAdult?: boolean;
  /** Of each novel the latest episode. */
  isOfEpisodes?: boolean;
}

/** The year of the first tags: RFC 4151 requires a date on which the host belonged to the tag's author. */
const TAG_YEAR = '2026';

// XML 1.0 allows no other characters, escaped or not.
const NOT_XML = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;
const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  // A bare carriage return would be read as a line feed.
  '\r': '&#13;',
};

const escapeXml = (text: string) =>
  text.replace(NOT_XML, '\ufffd').replace(/[&<>"\r]/g, (sign) => ESCAPES[sign] ?? sign);

const element = (name: string, text: string) => `<${name}>${escapeXml(text)}</${name}>`;
const instant = (ms: number) => new Date(ms).toISOString().replace('.000Z', 'Z');
const link = (rel: string, type: string, href: string) =>
  `<link rel="${rel}" type="${type}" href="${escapeXml(href)}"/>`;

/** `tag:novels.example.org,2026:...` (RFC 4151): permanent and globally unique. */
const tag = (hostname: string, specific: string) => element('id', `tag:${hostname},${TAG_YEAR}:${specific}`);

function atomEntry(entry: FeedEntry, hostname: string): string {
  return [
    '<entry xml:lang="ja">',
    tag(hostname, entry.id),
    element('title', entry.title),
    element('updated', instant(entry.updated)),
    `<author>${element('name', entry.author)}</author>`,
    link('alternate', 'text/html', entry.href),
    ...entry.categories.map(
      ({ term, label }) => `<category term="${escapeXml(term)}" label="${escapeXml(label)}"/>`,
    ),
    ...(entry.summary === undefined ? [] : [element('summary', entry.summary)]),
    '</entry>',
  ].join('');
}

/** Atom 1.0 (RFC 4287), entry by entry. */
export function* writeAtom(feed: Feed, { hostname, origin, url }: RequestTarget): Generator<string> {
  const updated =
    feed.entries.length === 0 ? feed.updated : Math.max(...feed.entries.map((entry) => entry.updated));
  const head = [
    '<?xml version="1.0" encoding="utf-8"?>',
    `<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${feed.language}">`,
    tag(hostname, feed.id),
    element('title', feed.title),
    element('updated', instant(updated)),
    link('self', 'application/atom+xml', url),
    link('alternate', 'text/html', origin + pageOfQuestion(url)),
    '<author><name>mokuroku</name></author>',
    '<generator>mokuroku</generator>',
    '<rights xml:lang="ja">データ: なろうデベロッパー (https://dev.syosetu.com/)</rights>',
  ];
  yield `${head.join('\n')}\n`;
  for (const entry of feed.entries) yield `${atomEntry(entry, hostname)}\n`;
  yield '</feed>\n';
}
