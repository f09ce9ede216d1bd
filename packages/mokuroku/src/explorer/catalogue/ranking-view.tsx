import type { RankingEntry } from 'mokuroku-client/source';
import { useState } from 'preact/hooks';
import { RANKING_TYPES, checkRankingDate, rankingDateBefore } from '@mokuroku/narou';
import { AnswerView, PartLine } from '../shell/answer-view.tsx';
import { usePage, useSettled, useTitle } from '../shell/page-context.ts';
import { useAnswer } from '../shell/use-answer.ts';
import type { Answered } from '../shell/answers.ts';
import type { QueryState } from '../shell/use-answer.ts';
import { Board, Jumps } from './board.tsx';
import { BoardDate } from './board-date.tsx';
import { BoardFilter, NarrowingToggle, namesOfFilters } from './board-filter.tsx';
import { nearestOffered, newestOffered } from './boards.ts';
import type { RankedNovel } from './novel-record.ts';
import { boardQuestion, placesQuestion } from './questions.ts';
import { hrefOf } from './view.ts';
import type { ViewOf } from './view.ts';
import { nameOfBoard, useCatalogue } from './words.ts';

/** A ranking of 300 with the movements since the previous one. */
export function RankingView({ view }: { view: ViewOf<'ranking'> }) {
  const now = Date.now();
  const { type, date } = view;
  const { words, format } = useCatalogue();
  const { answers } = usePage();
  const board = useAnswer(boardQuestion(view));
  const current = board.loading ? null : board.answer;
  const served = current?.meta.date ?? null;
  // A local catalogue may have no newer one. One that was seen may be offered before it is certainly published.
  const seen = answers.cached(boardQuestion({ ...view, date: '' }))?.meta.date ?? served;
  const newest = date === '' && served !== null ? served : newestOffered(type, seen, now);
  const isValid = date === '' || checkRankingDate(type, date, now).valid;
  const chosenDate = date === '' ? newest : isValid ? date : nearestOffered(type, date, newest);
  const shown = served ?? chosenDate;
  const name = words.ranking.types[type];
  const isDated = date !== '' && isValid;
  const title = isDated
    ? words.ranking.dated(name, nameOfBoard(words, format, type, date))
    : words.titles.ranking(name);
  useTitle([...namesOfFilters(words, view), title].join(' – '));
  // A complete ranking reports this itself.
  useSettled(!board.loading && board.answer === null);
  const before = current ? rankingDateBefore(type, shown) : null;
  const earlier = useAnswer(before === null ? null : placesQuestion(type, before));
  return (
    <>
      <RankingHead view={view} shown={shown} newest={newest} isDated={isValid} />
      <section class="results" aria-busy={board.loading} aria-label={words.ranking.label}>
        {!isValid && <p class="note">{words.ranking.validDays[type]}</p>}
        <AnswerView request={board} skeleton={10}>
          {({ data, meta }) => (
            <WholeBoard
              view={view}
              board={data}
              ranked={meta.ranked ?? data.length}
              before={before}
              earlier={earlier}
              isLoading={current === null}
            />
          )}
        </AnswerView>
      </section>
    </>
  );
}

interface WholeBoardProps {
  view: ViewOf<'ranking'>;
  board: RankedNovel[];
  /** Number of entries of the whole ranking. */
  ranked: number;
  /** The date of the previous ranking (null before the first one), and its entries. */
  before: string | null;
  earlier: QueryState<Answered & { data: RankingEntry[] }>;
  isLoading: boolean;
}

/** A ranking with its filters. */
function WholeBoard(props: WholeBoardProps) {
  const { view, board, ranked, before, earlier, isLoading } = props;
  const { words, format } = useCatalogue();
  const [isNarrowing, setNarrowing] = useState(false);
  return (
    <>
      <div class="board-head beside apart fine">
        {before === null ? (
          <p>{!isLoading && words.ranking.noBefore}</p>
        ) : (
          <PartLine request={earlier} what={words.ranking.movement}>
            {words.ranking.against(nameOfBoard(words, format, view.type, before))}
          </PartLine>
        )}
        <Jumps last={ranked} />
        <NarrowingToggle view={view} isOpen={isNarrowing} press={() => setNarrowing(!isNarrowing)} />
      </div>
      <div id="narrowing" class={isNarrowing ? 'narrowing narrowing-open' : 'narrowing'}>
        <BoardFilter view={view} board={board} isLoading={isLoading} />
      </div>
      <Board
        board={board}
        ranked={ranked}
        before={isLoading || earlier.loading ? null : (earlier.answer?.data ?? null)}
        isLoading={isLoading}
      />
    </>
  );
}

interface RankingHeadProps {
  view: ViewOf<'ranking'>;
  /** The date in the selects: that of the ranking, or the nearest valid one. */
  shown: string;
  newest: string;
  /** False if the requested date has no ranking. */
  isDated: boolean;
}

/** The name of the ranking, with links to others. */
function RankingHead({ view, shown, newest, isDated }: RankingHeadProps) {
  const { words, format, navigator } = useCatalogue();
  const { type } = view;
  const name = words.ranking.types[type];
  return (
    <>
      <h1 tabIndex={-1}>
        {isDated ? words.ranking.dated(name, '') : words.titles.ranking(name)}
        {isDated && <span class="whole">{nameOfBoard(words, format, type, shown)}</span>}
      </h1>
      <div class="board-controls beside">
        {/* Another ranking type keeps the filters, not the date. */}
        <nav class="tabs beside" aria-label={words.ranking.periods}>
          {RANKING_TYPES.map((each) => (
            <a
              key={each}
              href={hrefOf({ ...view, type: each, date: '' })}
              aria-current={each === type ? 'page' : undefined}
            >
              {words.ranking.types[each]}
            </a>
          ))}
        </nav>
        <BoardDate
          type={type}
          date={shown}
          newest={newest}
          choose={(date) => navigator.go(hrefOf({ ...view, date }), 'refine')}
        />
      </div>
    </>
  );
}
