import { findProblem } from '../../words/problems.ts';
import type { Language } from '../shell/preferences.ts';
import { HEADERS } from './openapi.ts';
import type { Reference, ServiceName } from './openapi.ts';
import type { ReferenceWords } from './words-ja.ts';

/** A target of the finder. */
export interface Place {
  kind: string;
  name: string;
  about: string;
  id: string;
  /** The searched text. */
  text: string;
}

export const parameterId = (endpoint: string, name: string): string => `parameter-${endpoint}-${name}`;

/** The general facts of a service, in the order of the first screen. */
export function generalFacts(words: ReferenceWords, service: ServiceName) {
  const { form, terms } = words.services[service];
  const { anyOrigin, limits, errorForm, caching } = words;
  const texts = { address: anyOrigin, limits, answers: form, errors: errorForm, caching, terms };
  return (Object.keys(words.facts) as (keyof typeof texts)[]).map((name) => ({
    id: `about-${name}`,
    name: words.facts[name],
    text: texts[name],
  }));
}

/** Words of one meaning. A text with one of them is found by each, in either language. */
const SYNONYMS: readonly (readonly string[])[] = [
  ['title', '題名', 'タイトル'],
  ['author', 'writer', '作者', '著者'],
  ['synopsis', 'story', 'あらすじ'],
  ['keyword', 'キーワード', 'タグ'],
  ['genre', 'ジャンル'],
  ['bookmark', 'favnovelcnt', 'fav_novel_cnt', 'ブックマーク', 'お気に入り'],
  ['review', 'レビュー'],
  ['impression', '感想'],
  ['point', 'ポイント', '評価'],
  ['length', 'characters', '文字数'],
  ['episode', '話数', '更新'],
  ['tensei', 'reincarnat', '転生'],
  ['tenni', 'transported', '転移'],
  ['ranking', 'ランキング', '順位'],
  ['ratelimit', 'rate limit', 'rate_limited', 'quota', 'レート制限'],
  ['cors', 'cross-origin', 'オリジン'],
  ['cache', 'etag', 'キャッシュ'],
  ['feed', 'atom', 'rss', 'フィード'],
  ['calendar', 'expiry.ics', 'カレンダー'],
  ['expir', '有効期限'],
  ['registrar', 'レジストラ'],
  ['nameserver', 'name server', 'ネームサーバー'],
  ['error', 'エラー'],
];

const normalized = (text: string): string => text.toLowerCase().normalize('NFKC');

function searchText(parts: readonly string[]): string {
  const text = normalized(parts.join(' '));
  const groups = SYNONYMS.filter((group) => group.some((word) => text.includes(word)));
  return [text, ...groups.flat()].join(' ');
}

interface PlaceTexts {
  words: ReferenceWords;
  language: Language;
}

/** All targets: tasks, general facts, endpoints, parameters and their values, fields, headers, errors. */
export function placesOf(reference: Reference, texts: PlaceTexts): Place[] {
  const { endpoints, tables, errors, service } = reference;
  const { words, language } = texts;
  /** What several endpoints share is one place. */
  const places = new Map<string, Place>();
  const add = (
    kind: keyof ReferenceWords['kinds'],
    id: string,
    name: string,
    about: string,
    text = about,
  ) => {
    const key = JSON.stringify([kind, name, text]);
    const place = { kind: words.kinds[kind], id, name, about, text: searchText([name, about, text]) };
    if (!places.has(key)) places.set(key, place);
  };
  for (const { calls, path } of endpoints)
    for (const { name, title } of calls) add('task', name, title, path);
  for (const { id, name, text } of generalFacts(words, service)) add('fact', id, name, '', text);
  for (const { name, path, summary, description } of endpoints)
    add('endpoint', name, path, summary, `${summary} ${description}`);
  for (const endpoint of endpoints) {
    for (const { name, description, values } of endpoint.parameters) {
      const id = parameterId(endpoint.name, name);
      add('parameter', id, name, endpoint.path, description);
      for (const value of values) if (/[a-z]/.test(value)) add('value', id, value, name);
    }
  }
  for (const { id, description, fields } of tables) {
    const kind = id === HEADERS ? 'header' : 'field';
    add(kind, id, id, description);
    for (const field of fields) add(kind, field.id, field.name, field.description);
  }
  for (const { fields } of endpoints)
    for (const { id, name, description } of fields) add('field', id, name, description);
  for (const { code, status, meaning } of errors) {
    const [title = '', text = ''] = findProblem(code)?.[language] ?? [];
    add('error', `error-${code}`, `${status} ${code}`, title, `${text} ${meaning}`);
  }
  return [...places.values()];
}

const MAX_FOUND = 40;

/** The targets that contain every word; names that begin with the typed text come first, then those that contain it. */
export function findPlaces(places: readonly Place[], typed: string): Place[] {
  const whole = normalized(typed.trim());
  const words = whole.split(/\s+/);
  const order = ({ name }: Place) => {
    const at = normalized(name).indexOf(whole);
    return at === 0 ? 0 : at > 0 ? 1 : 2;
  };
  return whole === ''
    ? []
    : places
        .filter(({ text }) => words.every((word) => text.includes(word)))
        .toSorted((a, b) => order(a) - order(b))
        .slice(0, MAX_FOUND);
}
