import { useMemo } from 'preact/hooks';
import { RANKING_TYPES, checkRankingDate, rankingDateBefore } from '../../catalogue/novels/ranking-date.ts';
import type { RankingType } from '../../catalogue/novels/ranking-date.ts';
import type { Loaded } from '../shell/answer.ts';
import { useAnswer } from '../shell/asker.ts';
import { CallLine } from '../shell/call-line.tsx';
import { CircumstanceNotes } from '../shell/circumstance-notes.tsx';
import { useLanguage, useWords } from '../shell/language-context.ts';
import { moveAmongRows } from '../shell/list-keys.ts';
import { usePageNavigator } from '../shell/navigator.ts';
import { ProblemNotice } from '../shell/problem-notice.tsx';
import { useSettled } from '../shell/settled.ts';
import { Skeleton } from '../shell/skeleton.tsx';
import { BoardDate } from './board-date.tsx';
import { nameOfBoard } from './board-name.ts';
import { BoardRow } from './board-row.tsx';
import { boardCall, ranksCall } from './calls.ts';
import { CATALOGUE_WORDS } from './catalogue-words.ts';
import { newestOffered } from './date-choices.ts';
import { movementsOf } from './movement.ts';
import type { RankedNovel, RawRankingEntry } from './novel-record.ts';
import { hrefOf } from './view-url.ts';

interface RankingViewProps {
  type: RankingType;
  /** null: the newest. */
  date: string | null;
  /** Milliseconds UTC. */
  now: number;
}

/** A board of 300, and how each stands against the board before. */
export function RankingView({ type, date, now }: RankingViewProps) {
  const words = useWords(CATALOGUE_WORDS);
  const language = useLanguage();
  const navigator = usePageNavigator();
  const path = boardCall(type, date);
  const board = useAnswer<RankedNovel[]>(path);
  const current = board.loaded?.path === path ? board.loaded : null;
  const served = current ? servedDate(current) : null;
  const newest = newestOffered(type, served, now);
  const isValid = date !== null && checkRankingDate(type, date, now).valid;
  const shown = served ?? (isValid ? date : newest);
  useSettled(!board.loading);
  const before = current ? rankingDateBefore(type, shown) : null;
  const beforePath = before === null ? null : ranksCall(type, before);
  const earlier = useAnswer<RawRankingEntry[]>(beforePath);
  return (
    <>
      <h1 tabIndex={-1}>
        {words.ranking.heading(words.ranking.types[type])}{' '}
        <span class="whole">{nameOfBoard(words, language, type, shown)}</span>
      </h1>
      <div class="board-controls">
        <PeriodTabs type={type} />
        <BoardDate
          type={type}
          date={shown}
          newest={newest}
          choose={(wanted) => {
            navigator.go(hrefOf({ name: 'ranking', type, date: wanted }), 'refine');
          }}
        />
      </div>
      <section class="results" aria-busy={board.loading} aria-label={words.ranking.label}>
        <CallLine path={path} />
        {board.problem && <ProblemNotice problem={board.problem} again={board.again} />}
        {!board.problem && !board.loaded && <Skeleton rows={10} />}
        {!board.problem && board.loaded && (
          <>
            <CircumstanceNotes circumstances={board.loaded.circumstances} sampleText={words.sampleText} />
            <p class="count">
              {before === null && current ? words.ranking.noBefore : null}
              {before !== null && words.ranking.against(nameOfBoard(words, language, type, before))}
            </p>
            <Board
              board={board.loaded.data}
              before={beforePath !== null && earlier.loaded?.path === beforePath ? earlier.loaded.data : null}
            />
            {beforePath !== null && <CallLine path={beforePath} />}
          </>
        )}
      </section>
    </>
  );
}

function servedDate(loaded: Loaded<unknown>): string | null {
  const date = loaded.meta['date'];
  return typeof date === 'string' ? date : null;
}

function Board(props: { board: RankedNovel[]; before: RawRankingEntry[] | null }) {
  const { board, before } = props;
  const words = useWords(CATALOGUE_WORDS);
  const movements = useMemo(() => before && movementsOf(board, before), [board, before]);
  if (board.length === 0) {
    return (
      <div class="notice" data-state="empty">
        <p>{words.ranking.empty}</p>
      </div>
    );
  }
  const most = Math.max(1, board[0]?.pt ?? 1);
  return (
    <ol class="board" onKeyDown={moveAmongRows}>
      {board.map((novel) => (
        <BoardRow key={novel.rank} novel={novel} movement={movements?.get(novel.ncode)} most={most} />
      ))}
    </ol>
  );
}

function PeriodTabs({ type }: { type: RankingType }) {
  const words = useWords(CATALOGUE_WORDS).ranking;
  return (
    <nav class="tabs" aria-label={words.periods}>
      {RANKING_TYPES.map((each) => (
        <a
          key={each}
          href={hrefOf({ name: 'ranking', type: each, date: null })}
          aria-current={each === type ? 'page' : undefined}
        >
          {words.types[each]}
        </a>
      ))}
    </nav>
  );
}
