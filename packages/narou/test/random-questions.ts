import { ncodeFromNumber } from '../src/novels/ncode.ts';
import type { NovelQuery } from '../src/novels/novel-query.ts';
import { FIELD_ROWS, NOVEL_ROWS, TEXT_TARGETS, TIME_WORDS } from '../src/novels/search-conditions.ts';
import type { NovelConditions } from '../src/novels/search-conditions.ts';
import { japanDateTime } from '../src/novels/japan-date.ts';
import { NOVELAPI_ORDERS } from '../src/novels/orders.ts';
import type { CatalogueNovel } from '../src/scan/catalogue-novel.ts';
import { plainNovel } from './plain-novel.ts';

/** Numbers from 0 up to 1, deterministic by seed (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Noon of 2026-11-21 in Japan: the clock of requests about time. */
export const NOON = Date.parse('2026-11-21T12:00:00+09:00');

// Few letters, so that words match; among them surrogate pairs, lone surrogates, combining marks, signs of all kinds,
// and the last letter.
const LETTERS = [
  ...Array.from('ああいうかんの異世界転生猫竜ー%％_\\\'"<&aAzＡ１1é'),
  'e\u0301',
  'が',
  'か\u3099',
  '😀',
  '𠮷',
  '\uffff',
];
const ODD_LETTERS = ['\ud83d', '\ude00', '\0'];
const BLANKS = [' ', '　', '\n', '\t', '\u00a0', '\u2003', '\ufeff'];
const LONG_WORDS = [
  '異世界転生したら竜でした',
  '猫猫猫猫猫猫猫猫猫',
  'あいうかんの異世',
  'aaaaaaaaaaaaaaaaaaaa',
];

export interface Chance {
  readonly below: (end: number) => number;
  readonly pick: <Item>(items: readonly Item[]) => Item;
  readonly often: (share: number) => boolean;
}

export function chanceOf(random: () => number): Chance {
  const below = (end: number): number => Math.floor(random() * end);
  return {
    below,
    pick: (items) => items[below(items.length)] as (typeof items)[number],
    often: (share) => random() < share,
  };
}

function textOf({ below, pick, often }: Chance, most: number): string {
  let text = '';
  for (let left = below(most + 1); left > 0; left--) {
    if (often(0.04)) text += pick(LONG_WORDS);
    else if (often(0.1)) text += pick(BLANKS);
    else text += often(0.003) ? pick(ODD_LETTERS) : pick(LETTERS);
  }
  return text;
}

/** The same novel without some of its fields, or with invalid dates. */
export function withHoles({ pick, below }: Chance, novel: CatalogueNovel): CatalogueNovel {
  const names = Object.keys(novel).filter((name) => name !== 'ncode' && name !== 'fetched_at');
  const dropped = new Set(Array.from({ length: below(8) }, () => pick(names)));
  const members = Object.entries(novel).filter(([name]) => !dropped.has(name));
  const badDate = below(10) === 0 ? { general_lastup: pick(['', '0000-00-00 00:00:00', '2026-02-30']) } : {};
  return { ...(Object.fromEntries(members) as unknown as CatalogueNovel), ...badDate };
}

/** A novel with few different values, so that orders tie and filters match. */
export function randomNovel(chance: Chance, index: number): CatalogueNovel {
  const { below, pick, often } = chance;
  const date = (): string => japanDateTime(NOON - below(90 * 24) * 3_600_000);
  const bit = (): 0 | 1 => (often(0.3) ? 1 : 0);
  const genre = pick([0, 101, 102, 201, 202, 9901, 9999]);
  return plainNovel({
    ncode: ncodeFromNumber(index * 7919),
    userid: below(20) === 0 ? 4_294_967_294 : below(30),
    ...(often(0.3) ? { xid: pick(['x0001a', 'x0002a', 'x9999zz']) } : {}),
    title: textOf(chance, often(0.02) ? 200 : 12),
    writer: textOf(chance, often(0.02) ? 80 : 4),
    keyword: textOf(chance, 20),
    story: textOf(chance, often(0.02) ? 1800 : 60),
    genre,
    biggenre: Math.floor(genre / 100),
    nocgenre: below(5),
    general_firstup: date(),
    general_lastup: date(),
    novelupdated_at: date(),
    noveltype: pick([1, 2]),
    end: bit(),
    isstop: bit(),
    isr15: bit(),
    isbl: bit(),
    isgl: bit(),
    iszankoku: bit(),
    istensei: bit(),
    istenni: bit(),
    length: below(12) * 10_000,
    time: below(12) * 20,
    kaiwaritu: below(100),
    sasie_cnt: below(4),
    global_point: below(9),
    daily_point: below(4),
    weekly_point: below(5),
    monthly_point: below(6),
    quarter_point: below(7),
    yearly_point: below(8),
    fav_novel_cnt: below(9),
    impression_cnt: below(5),
    review_cnt: below(3),
    all_hyoka_cnt: below(9),
    weekly_unique: below(2 ** 31),
  });
}

/** A word that may or may not occur in the novels. */
function randomWord({ below, pick, often }: Chance, novels: readonly CatalogueNovel[]): string {
  if (often(0.15) || novels.length === 0)
    return pick([...LONG_WORDS, ...LETTERS, ...ODD_LETTERS, 'ない', '%']);
  const novel = pick(novels);
  const text = pick([novel.title, novel.writer, novel.keyword, novel.story]) ?? 'の';
  const at = below(text.length + 1);
  return text.slice(at, at + 1 + below(often(0.2) ? 25 : 5));
}

/** A number where the field is one. */
const exampleValue = (example: string | number) =>
  Number.isInteger(Number(example)) ? Number(example) : example;

export function randomConditions(chance: Chance, novels: readonly CatalogueNovel[]): NovelConditions {
  const { below, pick, often } = chance;
  const words = (): string =>
    Array.from({ length: 1 + below(3) }, () => randomWord(chance, novels)).join(pick(BLANKS));
  const range = (most: number) => ({
    ...(often(0.7) ? { min: below(most) } : {}),
    ...(often(0.7) ? { max: below(most) } : {}),
  });
  const times = () => {
    if (often(0.4)) return pick(TIME_WORDS);
    const from = NOON / 1000 - 90 * 86_400;
    return Object.fromEntries(
      Object.entries(range(90 * 86_400)).map(([end, value]) => [end, from + value] as const),
    );
  };
  const value = (row: (typeof FIELD_ROWS)[number]) => {
    const known = () => (novels.length === 0 ? undefined : pick(novels)[row.field]);
    switch (row.operator) {
      case 'oneOf':
      case 'noneOf':
        return [known(), known(), ...(often(0.2) ? [exampleValue(row.example)] : [])].filter(
          (each) => each !== undefined,
        );
      case 'someWord':
      case 'noWord':
        return words();
      case 'equal':
        return 1;
      case 'between':
        return range(2 * Number(known() ?? 5) + 2);
      case 'betweenTimes':
        return times();
    }
  };
  // The style is in no index.
  const rows = FIELD_ROWS.filter(({ name }) => name !== 'buntai');
  const makers = {
    ...Object.fromEntries(rows.map((row) => [row.name, () => value(row)])),
    type: () => pick(NOVEL_ROWS.type.values),
    stop: () => pick(NOVEL_ROWS.stop.values),
    istt: () => 1,
    ispickup: () => 1,
  } as Readonly<Record<string, () => unknown>>;
  const chosen = Array.from({ length: often(0.4) ? 1 + below(3) : 0 }, () => pick(Object.entries(makers)));
  return {
    ...(often(0.85) ? { word: words() } : {}),
    ...(often(0.25) ? { notword: words() } : {}),
    ...Object.fromEntries(
      often(0.4)
        ? [
            [pick(TEXT_TARGETS), 1],
            [pick(TEXT_TARGETS), 1],
          ]
        : [],
    ),
    ...Object.fromEntries(chosen.map(([name, make]) => [name, make()])),
  };
}

export function randomQuery(chance: Chance, novels: readonly CatalogueNovel[]): NovelQuery {
  const { below, pick, often } = chance;
  return {
    ...randomConditions(chance, novels),
    order: pick(Object.keys(NOVELAPI_ORDERS)) as NovelQuery['order'],
    st: often(0.5) ? 1 : 1 + below(novels.length + 10),
    lim: pick([1, 3, 20, 500]),
  };
}
