import { useState } from 'preact/hooks';
import type { RankingType } from '../../catalogue/novels/ranking-date.ts';
import { formatNumber } from '../shell/format.ts';
import { useLanguage, useWords } from '../shell/language-context.ts';
import { CATALOGUE_WORDS } from './catalogue-words.ts';
import { splitAtGaps } from './rank-history.ts';
import type { HistoryPoint } from './rank-history.ts';
import { nameOfBoard } from './board-name.ts';

/** The chart's values as a table, latest first, made when it is opened: a daily history can have thousands of rows. */
export function HistoryTable({ type, points }: { type: RankingType; points: HistoryPoint[] }) {
  const words = useWords(CATALOGUE_WORDS);
  const language = useLanguage();
  const [open, setOpen] = useState(false);
  const summary = `${words.history.table} (${words.history.times(formatNumber(language, points.length))})`;
  return (
    <details
      class="history-table"
      onToggle={(event) => {
        setOpen(event.currentTarget.open);
      }}
    >
      <summary>
        {summary}
        <span class="hidden"> {words.ranking.types[type]}</span>
      </summary>
      {open && (
        <div
          class="scroll"
          tabIndex={0}
          role="region"
          aria-label={words.history.tableOf(words.ranking.types[type])}
        >
          <table>
            <thead>
              <tr>
                <th scope="col">{words.history.date}</th>
                <th scope="col">{words.history.rank}</th>
                <th scope="col">{words.history.pt}</th>
              </tr>
            </thead>
            <tbody>
              <HistoryRows type={type} points={points} />
            </tbody>
          </table>
        </div>
      )}
    </details>
  );
}

/** Between two runs stands a row that says so. */
function HistoryRows({ type, points }: { type: RankingType; points: HistoryPoint[] }) {
  const words = useWords(CATALOGUE_WORDS);
  const language = useLanguage();
  const runs = splitAtGaps(type, points).toReversed();
  return runs.flatMap((run, place) => [
    ...run.toReversed().map((point) => (
      <tr key={point.day}>
        <th scope="row">{nameOfBoard(words, language, type, point.date)}</th>
        <td>{formatNumber(language, point.rank)}</td>
        <td>{formatNumber(language, point.pt)}</td>
      </tr>
    )),
    ...(place === runs.length - 1
      ? []
      : [
          <tr key={`gap${place}`} class="gap">
            <td colSpan={3}>{words.history.tableGap}</td>
          </tr>,
        ]),
  ]);
}
