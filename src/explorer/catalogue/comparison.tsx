import { useMemo } from 'preact/hooks';
import type { RankingType } from '../../catalogue/novels/ranking-date.ts';
import { ForeignText } from '../shell/foreign-text.tsx';
import { FollowButton } from '../shell/shelf-parts.tsx';
import { Axes, useWidth } from './chart-axes.tsx';
import { historyPlots, linePathOf } from './chart-geometry.ts';
import { ChartChoices, Summary } from './history.tsx';
import { progressOf } from '../../catalogue/novels/progress.ts';
import type { ComparedNovels } from './novel-record.ts';
import { TitleLink, WriterName } from './novel-row.tsx';
import { lastDays, splitHistory, splitAtGaps } from './rank-history.ts';
import type { HistoryPoint } from './rank-history.ts';
import { hrefOf } from './view.ts';
import type { ViewOf } from './view.ts';
import { fullGenreName, useCatalogue } from './words.ts';

interface Part {
  view: ViewOf<'compare'>;
  compared: ComparedNovels[];
}

/** The facts of novels as a table, their ranks and points as charts. `today` counts from 1970 in Japan. */
export function Comparison(props: Part & { today: number }) {
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

/** The facts as a table, one column per novel. */
function CompareTable({ view, compared }: Part) {
  const { words, format } = useCatalogue();
  const number = (value: number | undefined) => (value === undefined ? '–' : format.number(value));
  const rows: [string, (each: ComparedNovels) => string][] = [
    [words.form.genre, ({ novel }) => (novel.genre === undefined ? '–' : fullGenreName(words, novel.genre))],
    [
      words.novel.progress,
      ({ novel }) => {
        const progress = progressOf(novel);
        return progress ? words.progress[progress] : '–';
      },
    ],
    [words.novel.overall, ({ novel }) => number(novel.global_point)],
    [words.list.figures.weekly_point, ({ novel }) => number(novel.weekly_point)],
    [words.list.figures.monthly_point, ({ novel }) => number(novel.monthly_point)],
    [words.list.figures.yearly_point, ({ novel }) => number(novel.yearly_point)],
    [words.novel.bookmarks, ({ novel }) => number(novel.fav_novel_cnt)],
    [words.novel.raters, ({ novel }) => number(novel.all_hyoka_cnt)],
    [words.novel.reviews, ({ novel }) => number(novel.review_cnt)],
    [words.novel.impressions, ({ novel }) => number(novel.impression_cnt)],
    [words.novel.length, ({ novel }) => number(novel.length)],
    [words.novel.episodes, ({ novel }) => number(novel.general_all_no)],
    [
      words.novel.dialogue,
      ({ novel }) => (novel.kaiwaritu === undefined ? '–' : `${number(novel.kaiwaritu)}%`),
    ],
    [words.novel.firstup, ({ novel }) => format.japanDay(novel.general_firstup ?? '–')],
    [words.novel.lastup, ({ novel }) => format.japanDay(novel.general_lastup ?? '–')],
  ];
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
          <tr class="compare-actions">
            <td />
            {compared.map(({ novel }) => (
              <td key={novel.ncode}>
                <div>
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
          {rows.map(([name, write]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              {compared.map((each) => (
                <td key={each.novel.ncode}>{write(each)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const HEIGHT = 440;

function CompareCharts({ view, compared, today }: Part & { today: number }) {
  const { words } = useCatalogue();
  const { period, span } = view;
  const [width, measure] = useWidth(480);
  const series = useMemo(
    () => compared.map(({ history }) => lastDays(splitHistory(history)[period], span, today)),
    [compared, period, span, today],
  );
  const all = series.flat();
  const name = words.ranking.types[period];
  return (
    <section class="history" ref={measure}>
      <h2>{words.history.title}</h2>
      <ChartChoices view={view} has={() => true} />
      {all.length === 0 ? (
        <p class="chart-empty">
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
            {each.length === 0 ? words.history.noneOf(name) : <Summary type={period} points={each} />}
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
