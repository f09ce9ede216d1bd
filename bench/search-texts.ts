/**
 * Invented novels with realistic texts. The vocabulary has 200,000 words with the frequencies of a language, function
 * words between them, and compounds shared by a third of all novels. There are 30,000 keywords, and kanji, kana,
 * Latin, digits, full width and surrogate pairs. A novel has some 470 letters and 380 distinct bigrams. A number
 * gives the same novel on every machine.
 */
import type { CatalogueNovel } from '@mokuroku/narou/scan';
import { GENRES, japanDateTime, ncodeFromNumber } from '@mokuroku/narou';
import { chanceOf, seededRandom } from '../packages/narou/test/random-questions.ts';

const VOCABULARY = 200_000;
const KEYWORDS = 30_000;
const PEN_NAMES = 350_000;
const KANJI = 3_000;

/** Noon of 2026-11-21 in Japan. */
export const BENCH_NOW = Date.parse('2026-11-21T12:00:00+09:00');

const HIRAGANA = Array.from(
  'あいうえおかきくけこさしすせそたちつてとなにぬねのはひふへほまみむめもやゆよらりるれろわをんがぎぐげござじずぜぞだでどばびぶべぼぱぴぷぺぽっゃゅょ',
);
const KATAKANA = Array.from(
  'アイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワンガギグゲゴザジズゼゾダデドバビブベボパピプペポッャュョー',
);
const PIECES = Array.from('のはがをにでともへや').concat(
  'から まで より だけ など して した する いる ある ない なる なった という ために として による だった である ので のに けど しかし そして また だが でも ここ その この あの それ これ ような ように ながら たち さん てい られ させ たい ました です ます でした'.split(
    ' ',
  ),
);
const KNOWN_COMPOUNDS =
  '異世界 魔法 追放 異世界転生 少女 悪役令嬢 勇者 冒険 恋愛 学園 魔王 転生 婚約破棄 貴族 王子 聖女 最強 チート 日常 ほのぼの 幼馴染 剣と魔法 現代 高校生 ダンジョン スローライフ ハッピーエンド 溺愛 無双 死に戻り'.split(
    ' ',
  );

type Random = () => number;

/** A table that maps a random number to a rank with the frequency 1 / (rank + shift). */
function zipfTable(count: number, shift: number, size: number): Uint32Array {
  const table = new Uint32Array(size);
  let total = 0;
  for (let rank = 0; rank < count; rank++) total += 1 / (rank + shift);
  let rank = 0;
  let sum = 1 / shift / total;
  for (let at = 0; at < size; at++) {
    while (sum < (at + 0.5) / size && rank < count - 1) {
      rank += 1;
      sum += 1 / (rank + shift) / total;
    }
    table[at] = rank;
  }
  return table;
}

function makeWord(random: Random, kanji: Uint32Array): string {
  const { below, pick } = chanceOf(random);
  const kanjiOf = (): string =>
    String.fromCharCode(0x4e00 + (((kanji[below(kanji.length)] ?? 0) * 6_967) % 20_900));
  const many = (make: () => string, least: number, most: number): string =>
    Array.from({ length: least + below(most - least + 1) }, make).join('');
  const kind = random();
  if (kind < 0.005) return String.fromCodePoint(0x20000 + below(20_000)) + kanjiOf();
  if (kind < 0.45) return many(kanjiOf, 1, 4);
  if (kind < 0.65) return many(kanjiOf, 1, 2) + many(() => pick(HIRAGANA), 1, 3);
  if (kind < 0.82) return many(() => pick(KATAKANA), 2, 7);
  if (kind < 0.95) return many(() => pick(HIRAGANA), 2, 5);
  if (kind < 0.98) return many(() => String.fromCharCode(97 + below(26)), 2, 8);
  if (kind < 0.99) return many(() => String.fromCharCode(0xff21 + below(26)), 1, 4);
  return String(below(3000));
}

/** Creates the novels of a catalogue by number, from 0. */
export function createTexts(seed = 1): (index: number) => CatalogueNovel {
  const random = seededRandom(seed);
  const kanji = zipfTable(KANJI, 60, 1 << 14);
  const words = Array.from({ length: VOCABULARY }, () => makeWord(random, kanji));
  const compounds = [
    ...KNOWN_COMPOUNDS,
    ...Array.from({ length: 210 }, () => makeWord(random, kanji) + makeWord(random, kanji)),
  ].map((word) => word.slice(0, 8));
  const keywords = Array.from({ length: KEYWORDS }, (_, rank) => compounds[rank] ?? words[rank * 5] ?? '');
  const penNames = Array.from({ length: PEN_NAMES }, () => {
    const name = makeWord(random, kanji) + (random() < 0.6 ? makeWord(random, kanji) : '');
    return name.slice(0, 12);
  });
  const wordTable = zipfTable(VOCABULARY, 75, 1 << 21);
  const keywordTable = zipfTable(KEYWORDS, 4, 1 << 18);
  const compoundTable = zipfTable(compounds.length, 4, 1 << 14);
  const pieceTable = zipfTable(PIECES.length, 3, 1 << 12);
  const draw = (table: Uint32Array, value: number): number => table[Math.floor(value * table.length)] ?? 0;

  const write = (next: Random, letters: number, isStory: boolean): string => {
    let text = '';
    while (text.length < letters) {
      const kind = next();
      text += (kind < 0.032 ? compounds[draw(compoundTable, next())] : words[draw(wordTable, next())]) ?? '';
      if (kind < 0.85) text += PIECES[draw(pieceTable, next())] ?? '';
      if (isStory && kind > 0.93) text += kind > 0.99 ? '。\n' : kind > 0.96 ? '。' : '、';
    }
    return text;
  };
  return (index) => {
    const next = seededRandom(Math.imul(index + 1, 0x9e37_79b1) ^ seed);
    const { below } = chanceOf(next);
    const author = Math.floor(next() ** 2 * PEN_NAMES);
    const tags = Array.from({ length: 2 + below(8) }, () => keywords[draw(keywordTable, next())] ?? '');
    return {
      title: write(next, 6 + next() ** 2 * 50, false).slice(0, 100),
      ncode: ncodeFromNumber(index * 3),
      userid: 100_000 + author * 3,
      writer: penNames[author] ?? '',
      story: write(next, 40 + next() ** 1.6 * 950, true).slice(0, 1000),
      keyword: [...new Set(tags)].join(' '),
      ...numbersOf(next),
    };
  };
}

/** Counts of a novel: few novels have high ones. */
function numbersOf(
  next: Random,
): Omit<CatalogueNovel, 'title' | 'ncode' | 'userid' | 'writer' | 'story' | 'keyword'> {
  const { below } = chanceOf(next);
  const bit = (share: number): 0 | 1 => (next() < share ? 1 : 0);
  const genre = GENRES[1 + Math.floor(next() ** 1.7 * (GENRES.length - 1))]?.code ?? 201;
  const firstup = BENCH_NOW / 1000 - Math.floor(next() ** 1.3 * 18 * 365 * 86_400) - 86_400;
  const lastup = firstup + Math.floor(next() ** 4 * (BENCH_NOW / 1000 - firstup));
  const dateOf = (seconds: number): string => japanDateTime(seconds * 1000);
  const noveltype = next() < 0.4 ? 2 : 1;
  const length = 200 + Math.floor(Math.exp(next() * 6) * (noveltype === 2 ? 60 : 800) * next());
  const weight = Math.exp(next() * 12) * next();
  const fav = Math.floor(weight / 12);
  const raters = Math.floor(weight / 40);
  const all = raters * (4 + below(7));
  const global_point = fav * 2 + all;
  const recent = next() ** 6;
  return {
    biggenre: Math.floor(genre / 100),
    genre,
    nocgenre: 0,
    xid: '',
    general_firstup: dateOf(firstup),
    general_lastup: dateOf(lastup),
    noveltype,
    end: noveltype === 2 || next() < 0.3 ? 0 : 1,
    general_all_no: noveltype === 2 ? 1 : 1 + Math.floor(length / 3000),
    length,
    time: Math.ceil(length / 500),
    isstop: bit(0.2),
    isr15: bit(0.3),
    isbl: bit(0.05),
    isgl: bit(0.03),
    iszankoku: bit(0.25),
    istensei: bit(0.2),
    istenni: bit(0.15),
    global_point,
    daily_point: Math.floor((global_point * recent) / 300),
    weekly_point: Math.floor((global_point * recent) / 50),
    monthly_point: Math.floor((global_point * recent) / 15),
    quarter_point: Math.floor((global_point * recent) / 6),
    yearly_point: Math.floor((global_point * recent) / 2),
    fav_novel_cnt: fav,
    impression_cnt: Math.floor(weight / 90),
    review_cnt: Math.floor(weight / 4000),
    all_point: all,
    all_hyoka_cnt: raters,
    sasie_cnt: next() < 0.1 ? below(60) : 0,
    kaiwaritu: below(80),
    novelupdated_at: dateOf(lastup + below(86_400)),
    updated_at: dateOf(BENCH_NOW / 1000 - below(86_400)),
    weekly_unique: Math.floor(weight * next()),
    fetched_at: 0,
  };
}
