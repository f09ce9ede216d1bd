import { formatNumber, formatRate } from '../shell/format.ts';
import { useLanguage, useWords } from '../shell/language-context.ts';
import { CATALOGUE_WORDS } from './catalogue-words.ts';
import type { NovelRecord } from './novel-record.ts';

const PERIODS = [
  { name: 'daily', field: 'daily_point', days: 1 },
  { name: 'weekly', field: 'weekly_point', days: 7 },
  { name: 'monthly', field: 'monthly_point', days: 30 },
  { name: 'quarter', field: 'quarter_point', days: 90 },
  { name: 'yearly', field: 'yearly_point', days: 365 },
] as const;

const TOTALS = [
  ['overall', 'global_point'],
  ['rating', 'all_point'],
  ['bookmarks', 'fav_novel_cnt'],
  ['raters', 'all_hyoka_cnt'],
  ['reviews', 'review_cnt'],
  ['impressions', 'impression_cnt'],
] as const;

/** The totals, and what came in per day over five periods: bars growing upwards the table mean rising favour. */
export function PointsTable({ novel }: { novel: NovelRecord }) {
  const words = useWords(CATALOGUE_WORDS).novel;
  const language = useLanguage();
  const periods = PERIODS.flatMap(({ name, field, days }) => {
    const points = novel[field];
    return points === undefined ? [] : [{ name, points, perDay: points / days }];
  });
  const most = Math.max(1, ...periods.map(({ perDay }) => perDay));
  return (
    <section>
      <h2>{words.points}</h2>
      <dl class="totals">
        {TOTALS.map(([name, field]) => (
          <div key={name} class={name === 'overall' ? 'total-first' : undefined}>
            <dt>{words[name]}</dt>
            <dd>{formatNumber(language, novel[field] ?? 0)}</dd>
          </div>
        ))}
      </dl>
      {periods.length > 0 && (
        <table class="points">
          <thead>
            <tr>
              <th scope="col">{words.period}</th>
              <th scope="col">{words.points}</th>
              <th scope="col">{words.perDay}</th>
            </tr>
          </thead>
          <tbody>
            {periods.map(({ name, points, perDay }) => (
              <tr key={name}>
                <th scope="row">{words.periods[name]}</th>
                <td>{formatNumber(language, points)}</td>
                <td class="per-day">
                  <svg viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
                    <rect width={(perDay / most) * 100} height="4" />
                  </svg>
                  {formatRate(language, perDay)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <p class="fine">{words.pointsNote}</p>
    </section>
  );
}
