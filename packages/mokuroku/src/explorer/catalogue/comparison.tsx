import { useMemo } from 'preact/hooks';
import type { RankingType } from '@mokuroku/narou';
import type { Stated } from '../shell/fact.tsx';
import { ForeignText } from '../shell/foreign-text.tsx';
import { FollowButton } from '../shell/shelf-parts.tsx';
import { Axes, useSize } from './chart-parts.tsx';
import { historyPlots, linePathOf } from './chart-geometry.ts';
import { ChartChoices, Summary } from './history.tsx';
import type { ComparedNovels } from './novel-record.ts';
import { statedFacts, statedTotals } from './novel-facts.tsx';
import { TitleLink, WriterName } from './novel-row.tsx';
import { MAX_POINTS, lastDays, splitHistory, splitAtGaps } from './rank-history.ts';
import type { DrawnChart, HistoryPoint } from './rank-history.ts';
import { hrefOf } from './view.ts';
import type { ViewOf } from './view.ts';
import { useCatalogue } from './words.ts';

interface Part {
  view: ViewOf<'compare'>;
  /** Of the histories, while those of another choice load. */
  chart: DrawnChart;
  compared: ComparedNovels[];
}

/** The facts of novels as a table, their ranks and points as charts. */
export function Comparison(props: Part) {
  return (
    <>
      <CompareTable {...props} />
      <CompareCharts {...props} />
    </>
  );
}

const LineSample = ({ index }: { index: number }) => (
  <svg class="line-sample" width="26" height="10" aria-hidden="true">
    <path class={`series series-${index}`} d="M0 5H26" />
  </svg>
);

const PERIODS = ['weekly_point', 'monthly_point', 'yearly_point'] as const;

/** The facts as a table, one column per novel; those that none of them has are left out. */
function CompareTable({ view, compared }: Part) {
  const { words, format } = useCatalogue();
  const columns = compared.map(({ novel }) => [
    ...statedFacts(words, format, novel),
    ...statedTotals(words, format, novel),
    ...PERIODS.map((field): Stated => {
      const points = novel[field];
      return [words.list.stats[field], points !== undefined && format.number(points)];
    }),
  ]);
  const names = (columns[0] ?? []).map(([name]) => name);
  const rows = names.map((name, row) => [name, columns.map((facts) => facts[row]?.[1])] as const);
  return (
    <div class="scroll-wide" tabIndex={0} role="region" aria-label={words.compare.table}>
      <table class="compare">
        <thead>
          <tr>
            <td />
            {compared.map(({ novel }, index) => (
              <th key={novel.ncode} scope="col">
                <LineSample index={index} />
                <TitleLink novel={novel} />
                <span class="compare-writer">
                  <WriterName novel={novel} />
                </span>
              </th>
            ))}
          </tr>
          {/* A row of their own, so that they stand level below titles of different lengths. */}
          <tr>
            <td />
            {compared.map(({ novel }) => (
              <td key={novel.ncode}>
                <div class="beside">
                  <FollowButton kind="novel" id={novel.ncode ?? ''} label={novel.title ?? ''} />
                  <a
                    class="take-out"
                    href={hrefOf({ ...view, ncodes: view.ncodes.filter((each) => each !== novel.ncode) })}
                  >
                    {words.compare.remove}
                  </a>
                </div>
              </td>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(
            ([name, values]) =>
              values.some(Boolean) && (
                <tr key={name}>
                  <th scope="row">{name}</th>
                  {values.map((value, index) => (
                    <td key={index}>{value || '–'}</td>
                  ))}
                </tr>
              ),
          )}
        </tbody>
      </table>
    </div>
  );
}

const HEIGHT = 440;

function CompareCharts({ view, chart: { period, span, today }, compared }: Part) {
  const { words } = useCatalogue();
  const [{ width }, measure] = useSize({ width: 480, height: 0 });
  const series = useMemo(
    () => compared.map(({ history }) => lastDays(splitHistory(history)[period], span, today)),
    [compared, period, span, today],
  );
  const all = series.flat();
  const name = words.ranking.types[period];
  return (
    <section class="history" ref={measure}>
      <h2>{words.history.title}</h2>
      <ChartChoices view={view} />
      {all.length === 0 ? (
        <p class="chart-empty fine">
          {words.history.noneOf(name)} {words.history.chooseOther}
        </p>
      ) : (
        <SeriesPlot type={period} series={series} width={width} today={today} />
      )}
      <ul class="compare-notes">
        {series.map((each, index) => (
          <li key={index} class="beside soft">
            <LineSample index={index} />
            <b>
              <ForeignText lang="ja" text={compared[index]?.novel.title ?? ''} maxLength={60} inLink />
            </b>
            {each.length === 0 ? (
              words.history.noneOf(name)
            ) : (
              <Summary type={period} points={each} most={MAX_POINTS.compared} />
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

interface SeriesPlotProps {
  type: RankingType;
  series: HistoryPoint[][];
  width: number;
  today: number;
}

/** The lines of all novels over the same time; the table and the notes repeat them as text. */
function SeriesPlot({ type, series, width, today }: SeriesPlotProps) {
  const { words } = useCatalogue();
  const all = series.flat();
  const firstDay = Math.min(today - 28, ...all.map(({ day }) => day));
  const { rankBand, pointBand, time } = historyPlots(all, firstDay, today, { width, height: HEIGHT }, 0.5);
  const bands = [
    { ...rankBand, label: words.history.rank, valueOf: ({ rank }: HistoryPoint) => rank },
    { ...pointBand, label: words.novel.points, valueOf: ({ pt }: HistoryPoint) => pt },
  ];
  return (
    <Axes bands={bands} time={time}>
      {series.flatMap((points, index) =>
        splitAtGaps(type, points).flatMap((run) =>
          bands.map(({ label, y, valueOf }) => (
            <path
              key={`${label} ${index} ${run[0]?.day ?? ''}`}
              class={`series series-${index}`}
              d={linePathOf(run, time, (point) => y(valueOf(point)))}
            />
          )),
        ),
      )}
    </Axes>
  );
}
