import type { ComponentChildren } from 'preact';
import { biggenreOf } from '../../catalogue/novels/genres.ts';
import { RANKING_TYPES, checkRankingDate, rankingDateBefore } from '../../catalogue/novels/ranking-date.ts';
import { AnswerView } from '../shell/answer-view.tsx';
import { CallLine } from '../shell/call-line.tsx';
import { useSettled, useTitle } from '../shell/page-context.ts';
import { useAnswer } from '../shell/use-answer.ts';
import { Board } from './board.tsx';
import { BoardDate } from './board-date.tsx';
import { newestOffered } from './boards.ts';
import { FlowView } from './flow-view.tsx';
import { PROGRESSES, progressOf } from '../../catalogue/novels/progress.ts';
import type { RankedNovel } from './novel-record.ts';
import { boardQuestion } from './questions.ts';
import { hrefOf } from './view.ts';
import type { ViewOf } from './view.ts';
import { genreName, nameOfBoard, useCatalogue } from './words.ts';

type Ranking = ViewOf<'ranking'>;

/** A board of 300, and how each stands against the board before. `now` in milliseconds UTC. */
export function RankingView({ view, now }: { view: Ranking; now: number }) {
  const { type, date } = view;
  const { words, format, navigator } = useCatalogue();
  const board = useAnswer(boardQuestion(type, date));
  const current = board.loading ? null : board.answer;
  const served = current?.meta.date ?? null;
  const newest = newestOffered(type, served, now);
  const isValid = date !== null && checkRankingDate(type, date, now).valid;
  const shown = served ?? (isValid ? date : newest);
  useTitle(`${words.ranking.types[type]}${words.navigation.ranking} ${date ?? ''}`.trim(), words.brand.name);
  // A board says so itself.
  useSettled(!board.loading && (view.flow || board.answer === null));
  const before = current ? rankingDateBefore(type, shown) : null;
  // The whole board before, not its ranks alone: stepping back then shows it at once.
  const earlier = useAnswer(before === null || view.flow ? null : boardQuestion(type, before));
  return (
    <>
      <h1 tabIndex={-1}>
        {words.ranking.heading(words.ranking.types[type])}{' '}
        <span class="whole">{nameOfBoard(words, format, type, shown)}</span>
      </h1>
      <div class="board-controls beside">
        <PeriodTabs view={view} />
        <BoardDate
          type={type}
          date={shown}
          newest={newest}
          choose={(wanted) => navigator.go(hrefOf({ ...view, date: wanted }), 'refine')}
        />
      </div>
      <section class="results" aria-busy={board.loading} aria-label={words.ranking.label}>
        <CallLine asked={board} />
        <AnswerView asked={board} rows={10}>
          {({ data }) =>
            view.flow ? (
              <>
                <BoardHead view={view} />
                {current && <FlowView type={type} last={shown} />}
              </>
            ) : (
              <>
                <BoardHead view={view}>
                  {before === null && current ? words.ranking.noBefore : null}
                  {before !== null && words.ranking.against(nameOfBoard(words, format, type, before))}
                </BoardHead>
                <BoardFilter view={view} board={data} />
                <Board
                  places={data.filter((novel) => isShown(view, novel))}
                  board={data}
                  before={current && !earlier.loading ? (earlier.answer?.data ?? null) : null}
                  isLoading={current === null}
                />
              </>
            )
          }
        </AnswerView>
      </section>
    </>
  );
}

/** What the marks of movement mean, and the way to the flow of the first twenty and back. */
function BoardHead({ view, children }: { view: Ranking; children?: ComponentChildren }) {
  const { words } = useCatalogue();
  return (
    <div class="board-head beside apart fine">
      <p>{children}</p>
      <Chip view={{ ...view, flow: !view.flow }} isSet={view.flow}>
        {words.flow.title}
      </Chip>
    </div>
  );
}

/** A way to the same board shown otherwise. */
function Chip({ view, isSet, children }: { view: Ranking; isSet: boolean; children: ComponentChildren }) {
  return (
    <a class="chip" href={hrefOf(view)} aria-current={isSet ? 'true' : undefined} data-how="refine">
      {children}
    </a>
  );
}

/** Whether a place is shown. The code of a genre, or of a big one with all of its genres. */
function isShown({ genre, state }: Ranking, novel: RankedNovel): boolean {
  const big = biggenreOf(novel.genre ?? -100);
  if (genre !== '' && genre !== String(novel.genre) && genre !== String(big)) return false;
  return state === '' || progressOf(novel) === state;
}

/** Chips for what there is on this board: big genres, the genres of the one chosen, states; and ways down the list. */
function BoardFilter({ view, board }: { view: Ranking; board: RankedNovel[] }) {
  const { words, format } = useCatalogue();
  const asked = view.genre === '' ? undefined : Number(view.genre);
  const chosen = asked !== undefined && asked >= 100 ? biggenreOf(asked) : asked;
  const count = (change: Partial<Ranking>) =>
    board.filter((novel) => isShown({ ...view, ...change }, novel)).length;
  const genres = [...new Set(board.flatMap(({ genre }) => genre ?? []))].sort((a, b) => a - b);
  const bigs = [...new Set(genres.map(biggenreOf))];
  const inside = genres.filter((genre) => biggenreOf(genre) === chosen);
  const chip = (label: string, isSet: boolean, change: Partial<Ranking>) => (
    <Chip key={label} view={{ ...view, ...change }} isSet={isSet}>
      {label} <small>{format.number(count(change))}</small>
    </Chip>
  );
  return (
    <div class="board-filter">
      <div class="chips beside tight" role="group" aria-label={words.form.genre}>
        {chip(words.form.anyGenre, view.genre === '', { genre: '' })}
        {bigs.map((big) => chip(genreName(words, big), chosen === big, { genre: String(big) }))}
      </div>
      {chosen !== undefined && inside.length > 1 && (
        <div class="chips beside tight" role="group" aria-label={genreName(words, chosen)}>
          {inside.map((genre) =>
            chip(genreName(words, genre), view.genre === String(genre), { genre: String(genre) }),
          )}
        </div>
      )}
      <div class="chips beside tight" role="group" aria-label={words.form.type}>
        {chip(words.form.anyGenre, view.state === '', { state: '' })}
        {PROGRESSES.map((state) => chip(words.progress[state], view.state === state, { state }))}
      </div>
    </div>
  );
}

/** Another period keeps what is filtered by, not the date. */
function PeriodTabs({ view }: { view: Ranking }) {
  const words = useCatalogue().words.ranking;
  return (
    <nav class="tabs beside" aria-label={words.periods}>
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
