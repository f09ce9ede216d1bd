import { useMemo, useState } from 'preact/hooks';
import type { RankingType } from '../../catalogue/novels/ranking-date.ts';
import { formatNumber } from '../shell/format.ts';
import { useLanguage, useWords } from '../shell/language-context.ts';
import { CATALOGUE_WORDS } from './catalogue-words.ts';
import { HistoryTable } from './history-table.tsx';
import { RankPlot } from './rank-plot.tsx';
import { nearestPlace, rankAxis, timeAxis } from './rank-chart-geometry.ts';
import { bestOf, splitAtGaps } from './rank-history.ts';
import type { HistoryPoint } from './rank-history.ts';
import { nameOfBoard } from './board-name.ts';
import { useWidth } from './use-width.ts';

interface RankChartProps {
  type: RankingType;
  points: HistoryPoint[];
  firstDay: number;
  lastDay: number;
}

const HEIGHT = 168;
const MARGIN = { left: 34, right: 12, top: 12, bottom: 24 };
const PAGE_OF_POINTS = 10;

const KEYS: Readonly<Record<string, (place: number, last: number) => number>> = {
  ArrowRight: (place) => place + 1,
  ArrowUp: (place) => place + 1,
  ArrowLeft: (place) => place - 1,
  ArrowDown: (place) => place - 1,
  PageUp: (place) => place + PAGE_OF_POINTS,
  PageDown: (place) => place - PAGE_OF_POINTS,
  Home: () => 0,
  End: (_, last) => last,
};

/** One period's ranks over time, readable by pointer, by keyboard and as a table. */
export function RankChart({ type, points, firstDay, lastDay }: RankChartProps) {
  const words = useWords(CATALOGUE_WORDS);
  const language = useLanguage();
  const name = words.ranking.types[type];
  const best = bestOf(points);
  return (
    <figure class="chart">
      <figcaption>
        <h3>{name}</h3>
        {best && (
          <span>
            {words.history.best(
              formatNumber(language, best.rank),
              nameOfBoard(words, language, type, best.date),
            )}
          </span>
        )}
      </figcaption>
      {points.length === 0 ? (
        <p class="chart-empty">{words.history.noneOf(name)}</p>
      ) : (
        <>
          <ReadablePlot type={type} points={points} firstDay={firstDay} lastDay={lastDay} />
          <HistoryTable type={type} points={points} />
        </>
      )}
    </figure>
  );
}

function ReadablePlot({ type, points, firstDay, lastDay }: RankChartProps) {
  const words = useWords(CATALOGUE_WORDS);
  const language = useLanguage();
  const [chosen, setChosen] = useState<number | null>(null);
  const [width, measure] = useWidth(480);
  const { time, rank, runs } = useMemo(() => {
    const plot = {
      left: MARGIN.left,
      top: MARGIN.top,
      width: width - MARGIN.left - MARGIN.right,
      height: HEIGHT - MARGIN.top - MARGIN.bottom,
    };
    return {
      time: timeAxis(firstDay, lastDay, plot, 56),
      rank: rankAxis(
        points.map((point) => point.rank),
        plot,
      ),
      runs: splitAtGaps(type, points),
    };
  }, [points, firstDay, lastDay, type, width]);
  const last = points.length - 1;
  const place = Math.min(chosen ?? last, last);
  const point = points[place];
  if (!point) return null;
  const isAfterGap = place > 0 && runs.some((run) => run[0] === point);
  const value = words.history.value(
    nameOfBoard(words, language, type, point.date),
    formatNumber(language, point.rank),
    formatNumber(language, point.pt),
  );
  const onPointer = (event: PointerEvent) => {
    const box = (event.currentTarget as Element).getBoundingClientRect();
    setChosen(nearestPlace(points, time.dayAt(event.clientX - box.left)));
  };
  return (
    <div
      ref={measure}
      class="plot"
      role="slider"
      tabIndex={0}
      aria-label={words.history.chart(words.ranking.types[type])}
      aria-valuemin={0}
      aria-valuemax={last}
      aria-valuenow={place}
      aria-valuetext={isAfterGap ? `${value} (${words.history.afterGap})` : value}
      onPointerMove={onPointer}
      onPointerDown={onPointer}
      onPointerLeave={() => {
        setChosen(null);
      }}
      onBlur={() => {
        setChosen(null);
      }}
      onKeyDown={(event) => {
        const step = KEYS[event.key];
        if (!step || event.altKey || event.ctrlKey || event.metaKey) return;
        event.preventDefault();
        setChosen(Math.max(0, Math.min(last, step(place, last))));
      }}
    >
      <RankPlot
        width={width}
        height={HEIGHT}
        time={time}
        rank={rank}
        runs={runs}
        chosen={chosen === null ? null : point}
        language={language}
      />
      <p class={chosen === null ? 'reading reading-latest' : 'reading'} aria-hidden="true">
        {value}
      </p>
    </div>
  );
}
