import { FactList } from '../shell/fact.tsx';
import type { Stated } from '../shell/fact.tsx';
import { ForeignText } from '../shell/foreign-text.tsx';
import type { Format } from '../shell/format.ts';
import { progressOf } from '@mokuroku/narou';
import type { AnyNovel } from './novel-record.ts';
import { fullGenreName, useCatalogue } from './words.ts';
import type { CatalogueWords } from './words.ts';

/** The facts of a novel by name; all novels have the same names in the same order, and missing values are empty. */
export function statedFacts(words: CatalogueWords, format: Format, novel: AnyNovel): Stated[] {
  const progress = progressOf(novel);
  const number = (value: number | undefined, write: (text: string) => string = (text) => text) =>
    value === undefined ? undefined : write(format.number(value));
  const time = (text: string | undefined) =>
    text === undefined ? undefined : (
      <time dateTime={`${text.replace(' ', 'T')}+09:00`}>{format.japanTime(text)}</time>
    );
  const isSerial = novel.noveltype === 1;
  return [
    [words.novel.progress, progress && words.progress[progress]],
    [words.filters.genre, novel.genre === undefined ? undefined : fullGenreName(words, novel.genre)],
    [words.filters.nocgenre, novel.nocgenre_label && <ForeignText lang="ja" text={novel.nocgenre_label} />],
    [words.filters.episodes, isSerial ? number(novel.general_all_no, words.novel.episodeCount) : undefined],
    [words.novel.length, number(novel.length)],
    [words.filters.time, novel.time === undefined ? undefined : format.readingTime(novel.time)],
    [words.filters.kaiwaritu, number(novel.kaiwaritu, (text) => `${text}%`)],
    [
      words.novel.illustrations,
      novel.sasie_cnt === 0 ? undefined : number(novel.sasie_cnt, words.novel.illustrationCount),
    ],
    [words.novel.firstup, time(novel.general_firstup)],
    [words.novel.lastup, isSerial ? time(novel.general_lastup) : undefined],
    [words.list.stats.ncode, novel.ncode && <code>{novel.ncode}</code>],
  ];
}

const PERIODS = [
  ['daily', 1],
  ['weekly', 7],
  ['monthly', 30],
  ['quarter', 90],
  ['yearly', 365],
] as const;

/** The totals that the record has. */
export function statedTotals(
  { novel: words, list: { stats }, filters }: CatalogueWords,
  format: Format,
  novel: AnyNovel,
): Stated[] {
  const totals = [
    [filters.points, novel.global_point],
    [words.rating, novel.all_point],
    [stats.fav_novel_cnt, novel.fav_novel_cnt],
    [stats.all_hyoka_cnt, novel.all_hyoka_cnt],
    [stats.review_cnt, novel.review_cnt],
    [stats.impression_cnt, novel.impression_cnt],
  ] as const;
  return totals.map(([name, value]) => [name, value !== undefined && format.number(value)]);
}

/** The totals, and the points per day in five periods: bars that grow upwards mean rising popularity. */
export function PointsTable({ novel }: { novel: AnyNovel }) {
  const { words, format } = useCatalogue();
  const periods = PERIODS.flatMap(([name, days]) => {
    const points = novel[`${name}_point` as const];
    return points === undefined ? [] : [{ name, points, perDay: points / days }];
  });
  const maxPerDay = Math.max(1, ...periods.map(({ perDay }) => perDay));
  return (
    <section>
      <h2>{words.novel.points}</h2>
      <FactList facts={statedTotals(words, format, novel)} look="stats totals ruled" />
      {periods.length > 0 && (
        <table class="points">
          <thead>
            <tr>
              <th scope="col">{words.novel.period}</th>
              <th scope="col">{words.novel.points}</th>
              <th scope="col">{words.novel.perDay}</th>
            </tr>
          </thead>
          <tbody>
            {periods.map(({ name, points, perDay }) => (
              <tr key={name}>
                <th scope="row">{words.novel.periods[name]}</th>
                <td>{format.number(points)}</td>
                <td class="per-day">
                  <svg viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
                    <rect width={(perDay / maxPerDay) * 100} height="4" />
                  </svg>
                  {format.rate(perDay)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <p class="fine">{words.novel.pointsNote}</p>
    </section>
  );
}
