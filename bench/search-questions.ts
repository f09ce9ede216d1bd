import type { CatalogueNovel } from '@mokuroku/narou/scan';
import { GENRES, NOVELAPI_ORDERS } from '@mokuroku/narou';
import type { NovelQuery, NovelConditions } from '@mokuroku/narou/queries';
import { FIELD_ROWS, NOVEL_ROWS, TEXT_TARGETS } from '../packages/narou/src/novels/search-conditions.ts';
import { type Chance, chanceOf, seededRandom } from '../packages/narou/test/random-questions.ts';
import { BENCH_NOW } from './search-texts.ts';

/** A search with its kinds, by which results are grouped. */
export interface BenchQuestion {
  readonly query: NovelQuery;
  readonly kinds: readonly string[];
}

const FREQUENT = ['異世界', '魔法', '追放', '異世界転生', '少女', '悪役令嬢', '勇者', '冒険', '恋愛', '転生'];
const RARE = ['存在しない言葉', 'ゑゐヱ', 'qzqzqz', '龘龘'];

function wordFrom(chance: Chance, novel: CatalogueNovel): string {
  const { below, pick, often } = chance;
  if (often(0.12)) return pick(FREQUENT);
  const text = pick([novel.story, novel.story, novel.title, novel.keyword, novel.writer]) ?? '';
  const at = below(Math.max(1, text.length - 1));
  const word = text.slice(at, at + 1 + below(6));
  // Nobody can type half a surrogate pair.
  return (
    word
      .replaceAll(/\p{Surrogate}/gu, '')
      .split(/\s/u)
      .find((part) => part !== '') ?? '魔'
  );
}

const FLAGS = FIELD_ROWS.filter(({ operator }) => operator === 'equal').map(({ name }) => name);

/** One or two typical filters. */
function filtersOf({ below, pick, often }: Chance): NovelConditions {
  const days = (count: number) => ({ min: BENCH_NOW / 1000 - count * 86_400 });
  const makers: (() => NovelConditions)[] = [
    () => ({ genre: [pick(GENRES.slice(1)).code] }),
    () => ({ biggenre: [1 + below(4)] }),
    () => ({ notgenre: [pick(GENRES.slice(1)).code, 9999] }),
    () => ({ type: pick(NOVEL_ROWS.type.values) }),
    () => ({ [pick(FLAGS)]: 1 }),
    () => ({ stop: '1' }),
  ];
  const ranges: (() => NovelConditions)[] = [
    () => ({ length: { min: below(100_000), max: 100_000 + below(900_000) } }),
    () => ({ time: { max: 10 + below(500) } }),
    () => ({ lastup: days(7 + below(2000)) }),
    () => ({ firstup: days(30 + below(4000)) }),
    () => ({ kaiwaritu: { min: below(50), max: 50 + below(30) } }),
  ];
  const chosen = often(0.3) ? [pick(ranges), ...(often(0.4) ? [pick(ranges)] : [])] : [pick(makers)];
  if (often(0.4)) chosen.push(pick(makers));
  return Object.assign({}, ...chosen.map((make) => make())) as NovelConditions;
}

/**
 * Typical searches: one to four words of one to six letters from the catalogue's texts. A fifth exclude words, two
 * fifths have filters, two fifths search only some texts, a twentieth have rare or absent words. All orders occur. A
 * twentieth request a late page: `deep` is its position (0 to 1).
 */
export function* makeQuestions(
  novelAt: (index: number) => CatalogueNovel,
  records: number,
  seed: number,
): Iterable<BenchQuestion & { readonly deep: number }> {
  const random = seededRandom(seed);
  const chance = chanceOf(random);
  const { below, pick, often } = chance;
  const orders = Object.keys(NOVELAPI_ORDERS) as NovelQuery['order'][];
  for (;;) {
    const drawn = random();
    const count = drawn < 0.55 ? 1 : drawn < 0.85 ? 2 : drawn < 0.95 ? 3 : 4;
    const one = novelAt(below(records));
    const isOfOne = often(0.5);
    const cut = (): string => wordFrom(chance, isOfOne ? one : novelAt(below(records)));
    const isRare = often(0.05);
    const words = Array.from({ length: count }, (_, index) => (isRare && index === 0 ? pick(RARE) : cut()));
    const notword = often(0.2) ? cut() : undefined;
    const filters = often(0.4) ? filtersOf(chance) : undefined;
    const targets = often(0.4) ? TEXT_TARGETS.filter(() => often(0.5)) : [];
    const deep = often(0.05) ? random() : 0;
    const letters = words[0]?.length ?? 0;
    yield {
      query: {
        word: words.join(' '),
        ...(notword === undefined ? {} : { notword }),
        ...filters,
        ...Object.fromEntries(targets.map((target) => [target, 1])),
        order: pick(orders),
        st: 1,
        lim: 20,
      },
      deep,
      kinds: [
        count === 1 ? `1 word, ${letters > 4 ? '5-6' : letters} letters` : `${count} words`,
        ...(notword === undefined ? [] : ['with notword']),
        ...(filters === undefined ? [] : ['with filters']),
        targets.length > 0 ? 'some texts' : 'all texts',
        ...(deep > 0 ? ['deep page'] : []),
        ...(isRare ? ['rare word'] : []),
      ],
    };
  }
}
