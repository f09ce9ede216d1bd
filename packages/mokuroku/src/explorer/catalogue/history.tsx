import { useMemo, useState } from 'preact/hooks';
import type { RankingHistoryEntry } from 'mokuroku-client/source';
import { dayOfDate, RANKING_TYPES } from '@mokuroku/narou';
import type { RankingType } from '@mokuroku/narou';
import { Empty } from '../shell/answer-view.tsx';
import { Pill } from '../shell/form-controls.tsx';
import type { AnyNovel } from './novel-record.ts';
import { RankChart } from './rank-chart.tsx';
import { MAX_POINTS, bestOf, lastDays, splitHistory, splitAtGaps, streaksOf } from './rank-history.ts';
import type { DrawnChart, HistoryPoint } from './rank-history.ts';
import { SPANS, hrefOf } from './view.ts';
import type { View, ViewOf } from './view.ts';
import { nameOfBoard, useCatalogue } from './words.ts';

export interface HistoryProps {
  view: ViewOf<'novel'>;
  novel: AnyNovel;
  /** Of the entries, while those of another choice load. */
  chart: DrawnChart;
  entries: RankingHistoryEntry[];
  /** Whether no ranking at all has the novel. */
  never: boolean;
  /** Days with a known episode. */
  episodes: readonly number[];
}

/** One ranking type of a history over a time range. */
export function HistoryChart({
  view,
  novel,
  chart: { period, span, today },
  entries,
  never,
  episodes,
}: HistoryProps) {
  const { words } = useCatalogue();
  const history = useMemo(() => splitHistory(entries)[period], [entries, period]);
  if (never) return <Empty>{words.history.never}</Empty>;
  const points = lastDays(history, span, today);
  const firstPoint = points[0]?.day ?? today;
  const published = dayOfDate((novel.general_firstup ?? '').slice(0, 10)) ?? firstPoint;
  // The chart of a young novel covers its lifetime, but at least four weeks.
  const firstDay = Math.min(
    span === 0 ? firstPoint : Math.max(published, today - span),
    firstPoint,
    today - 28,
  );
  const name = words.ranking.types[period];
  return (
    <>
      <ChartChoices view={view} />
      <figure class="chart">
        <figcaption class="beside baseline soft">
          <h3 class="hidden">{name}</h3>
          <Summary type={period} points={points} most={MAX_POINTS.alone} />
        </figcaption>
        {points.length === 0 ? (
          <p class="chart-empty fine">
            {words.history.noneOf(name)} {words.history.chooseOther}
          </p>
        ) : (
          <>
            <RankChart
              type={period}
              points={points}
              firstDay={firstDay}
              lastDay={today}
              episodes={episodes}
            />
            <HistoryTable type={period} points={points} />
          </>
        )}
      </figure>
    </>
  );
}

interface SummaryProps {
  type: RankingType;
  points: HistoryPoint[];
  /** As many are the latest ones. */
  most: number;
}

/** How often the novel was ranked, for how long in a row, and its best rank. */
export function Summary({ type, points, most }: SummaryProps) {
  const { words, format } = useCatalogue();
  const best = bestOf(points);
  if (!best) return null;
  const { longest, current } = streaksOf(type, points);
  const { number } = format;
  return (
    <>
      <span>{words.history[points.length < most ? 'times' : 'latest'](number(points.length))}</span>
      <span>{words.history.best(number(best.rank), nameOfBoard(words, format, type, best.date))}</span>
      {longest > 1 && <span>{words.history.longest(number(longest))}</span>}
      {current > 1 && <span>{words.history.current(number(current))}</span>}
    </>
  );
}

/** The ranking type and the time range of a chart, as one control. */
export function ChartChoices({ view }: { view: ViewOf<'novel' | 'compare'> }) {
  const { words, navigator } = useCatalogue();
  const choice = (label: string, isSet: boolean, changed: View) => (
    <Pill key={label} label={label} isSet={isSet} press={() => navigator.go(hrefOf(changed), 'refine')} />
  );
  return (
    <div class="history-choices beside" role="group" aria-label={words.history.choices}>
      <span class="pills beside tight">
        {RANKING_TYPES.map((period) =>
          choice(words.ranking.types[period], period === view.period, { ...view, period }),
        )}
      </span>
      <span class="pills beside tight">
        {SPANS.map((span) => choice(words.history.spans[span], span === view.span, { ...view, span }))}
      </span>
    </div>
  );
}

/** The chart's values, latest first; rendered when it is opened, since there may be thousands. */
function HistoryTable({ type, points }: { type: RankingType; points: HistoryPoint[] }) {
  const { words, format } = useCatalogue();
  const [isOpen, setOpen] = useState(false);
  const name = words.ranking.types[type];
  return (
    <details class="history-table" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        {words.history.table} ({format.number(points.length)})<span class="hidden"> {name}</span>
      </summary>
      {isOpen && (
        <div class="scroll" tabIndex={0} role="region" aria-label={words.history.tableOf(name)}>
          <table>
            <thead>
              <tr>
                {[words.history.date, words.history.rank, words.novel.points].map((column) => (
                  <th key={column} scope="col">
                    {column}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {splitAtGaps(type, points)
                .toReversed()
                .flatMap((run, index) => [
                  // A row that marks the gap between two runs.
                  index > 0 && (
                    <tr key={`gap${index}`} class="gap">
                      <td colSpan={3}>{words.history.tableGap}</td>
                    </tr>
                  ),
                  ...run.toReversed().map((point) => (
                    <tr key={point.day}>
                      <th scope="row">{nameOfBoard(words, format, type, point.date)}</th>
                      <td>{format.number(point.rank)}</td>
                      <td>{format.number(point.pt)}</td>
                    </tr>
                  )),
                ])}
            </tbody>
          </table>
        </div>
      )}
    </details>
  );
}
