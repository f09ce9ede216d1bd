import { useMemo } from 'preact/hooks';
import type { RankingEntry } from '../../client/index.ts';
import { RANKING_TYPES, checkRankingDate, rankingDateBefore } from '../../catalogue/novels/ranking-date.ts';
import { AnswerView } from '../shell/answer-view.tsx';
import { CallLine } from '../shell/call-line.tsx';
import { formatNumber } from '../shell/format.ts';
import { moveAmongRows } from '../shell/keyboard.ts';
import { useLanguage, usePage, useSettled, useWords } from '../shell/page-context.ts';
import { useAnswer } from '../shell/use-answer.ts';
import { BoardDate } from './board-date.tsx';
import { BoardRow } from './board-row.tsx';
import { movementsOf, newestOffered } from './boards.ts';
import { FlowView } from './flow-view.tsx';
import { PROGRESSES, progressOf } from './novel-record.ts';
import type { RankedNovel } from './novel-record.ts';
import { boardQuestion } from './questions.ts';
import { hrefOf } from './view.ts';
import type { View } from './view.ts';
import { CATALOGUE_WORDS, genreName, nameOfBoard } from './words.ts';

type Ranking = Extract<View, { name: 'ranking' }>;

/** A board of 300, and how each stands against the board before. `now` in milliseconds UTC. */
export function RankingView({ view, now }: { view: Ranking; now: number }) {
  const { type, date } = view;
  const words = useWords(CATALOGUE_WORDS);
  const language = useLanguage();
  const { navigator } = usePage();
  const board = useAnswer(boardQuestion(type, date));
  const current = board.loading ? null : board.answer;
  const served = current?.meta.date ?? null;
  const newest = newestOffered(type, served, now);
  const isValid = date !== null && checkRankingDate(type, date, now).valid;
  const shown = served ?? (isValid ? date : newest);
  useSettled(!board.loading);
  const before = current ? rankingDateBefore(type, shown) : null;
  // The whole board before, not its ranks alone: stepping back then shows it at once.
  const earlier = useAnswer(before === null || view.flow ? null : boardQuestion(type, before));
  return (
    <>
      <h1 tabIndex={-1}>
        {words.ranking.heading(words.ranking.types[type])}{' '}
        <span class="whole">{nameOfBoard(words, language, type, shown)}</span>
      </h1>
      <div class="board-controls">
        <PeriodTabs view={view} />
        <BoardDate
          type={type}
          date={shown}
          newest={newest}
          choose={(wanted) => {
            navigator.go(hrefOf({ ...view, date: wanted }), 'refine');
          }}
        />
      </div>
      <section class="results" aria-busy={board.loading} aria-label={words.ranking.label}>
        <CallLine asked={board} />
        <div class="chips">
          <a
            class="chip"
            href={hrefOf({ ...view, flow: !view.flow })}
            aria-current={view.flow ? 'true' : undefined}
            data-how="refine"
          >
            {words.flow.title}
          </a>
        </div>
        <AnswerView asked={board} rows={10}>
          {({ data }) =>
            view.flow ? (
              <>{current && <FlowView type={type} last={shown} />}</>
            ) : (
              <>
                <p class="count">
                  {before === null && current ? words.ranking.noBefore : null}
                  {before !== null && words.ranking.against(nameOfBoard(words, language, type, before))}
                </p>
                <BoardFilter view={view} board={data} />
                <Board
                  view={view}
                  board={data}
                  before={current && !earlier.loading ? (earlier.answer?.data ?? null) : null}
                />
              </>
            )
          }
        </AnswerView>
      </section>
    </>
  );
}

/** Whether a place is shown. The code of a genre, or of a big one with all of its genres. */
function isShown({ genre, state }: Ranking, novel: RankedNovel): boolean {
  const big = Math.floor((novel.genre ?? -100) / 100);
  if (genre !== '' && genre !== String(novel.genre) && genre !== String(big)) return false;
  return state === '' || progressOf(novel) === state;
}

/** Chips for what there is on this board: big genres, the genres of the one chosen, states; and ways down the list. */
function BoardFilter({ view, board }: { view: Ranking; board: RankedNovel[] }) {
  const words = useWords(CATALOGUE_WORDS);
  const language = useLanguage();
  const bigOf = (genre: string) => (Number(genre) < 100 ? genre : String(Math.floor(Number(genre) / 100)));
  const count = (change: Partial<Ranking>) =>
    board.filter((novel) => isShown({ ...view, ...change }, novel)).length;
  const genres = [...new Set(board.flatMap(({ genre }) => (genre === undefined ? [] : [genre])))].sort(
    (a, b) => a - b,
  );
  const bigs = [...new Set(genres.map((genre) => String(Math.floor(genre / 100))))];
  const inside = genres.filter((genre) => view.genre !== '' && bigOf(String(genre)) === bigOf(view.genre));
  const chip = (label: string, isSet: boolean, change: Partial<Ranking>) => (
    <a
      key={label}
      class="chip"
      href={hrefOf({ ...view, ...change })}
      aria-current={isSet ? 'true' : undefined}
      data-how="refine"
    >
      {label} <small>{formatNumber(language, count(change))}</small>
    </a>
  );
  return (
    <div class="board-filter">
      <div class="chips" role="group" aria-label={words.form.genre}>
        {chip(words.form.anyGenre, view.genre === '', { genre: '' })}
        {bigs.map((big) => chip(genreName(words, Number(big)), bigOf(view.genre) === big, { genre: big }))}
      </div>
      {inside.length > 1 && (
        <div class="chips" role="group" aria-label={genreName(words, Number(bigOf(view.genre)))}>
          {inside.map((genre) =>
            chip(genreName(words, genre), view.genre === String(genre), { genre: String(genre) }),
          )}
        </div>
      )}
      <div class="chips" role="group" aria-label={words.form.type}>
        {chip(words.form.anyGenre, view.state === '', { state: '' })}
        {PROGRESSES.map((state) => chip(words.progress[state], view.state === state, { state }))}
      </div>
    </div>
  );
}

const JUMPS = [1, 51, 101, 151, 201, 251];

/** Goes to the first place shown from a rank on. */
function jumpTo(rank: number): void {
  const places = [...document.querySelectorAll<HTMLElement>('.board .place')];
  const place = places.find((each) => Number(each.id.replace('rank-', '')) >= rank) ?? places.at(-1);
  place?.scrollIntoView({ block: 'start' });
  place?.querySelector<HTMLElement>('a.main')?.focus({ preventScroll: true });
}

function Board(props: { view: Ranking; board: RankedNovel[]; before: RankingEntry[] | null }) {
  const { view, board, before } = props;
  const words = useWords(CATALOGUE_WORDS).ranking;
  const movements = useMemo(() => before && movementsOf(board, before), [board, before]);
  const places = board.filter((novel) => isShown(view, novel));
  if (places.length === 0) {
    return (
      <div class="notice" data-state="empty">
        <p>{board.length === 0 ? words.empty : words.emptyFilter}</p>
      </div>
    );
  }
  const most = Math.max(1, board[0]?.pt ?? 1);
  return (
    <>
      <div class="pills jumps" role="group" aria-label={words.jump}>
        <span class="fine" aria-hidden="true">
          {words.jump}
        </span>
        {JUMPS.filter((rank) => rank <= board.length).map((rank) => (
          <button
            key={rank}
            type="button"
            class="pill"
            aria-label={words.jumpTo(rank)}
            onClick={() => {
              jumpTo(rank);
            }}
          >
            {rank}
          </button>
        ))}
      </div>
      <ol class="board" onKeyDown={moveAmongRows}>
        {places.map((novel) => (
          <BoardRow key={novel.rank} novel={novel} movement={movements?.get(novel.ncode)} most={most} />
        ))}
      </ol>
    </>
  );
}

/** Another period keeps what is filtered by, not the date. */
function PeriodTabs({ view }: { view: Ranking }) {
  const words = useWords(CATALOGUE_WORDS).ranking;
  return (
    <nav class="tabs" aria-label={words.periods}>
      {RANKING_TYPES.map((each) => (
        <a
          key={each}
          href={hrefOf({ ...view, type: each, date: null })}
          aria-current={each === view.type ? 'page' : undefined}
        >
          {words.types[each]}
        </a>
      ))}
    </nav>
  );
}
