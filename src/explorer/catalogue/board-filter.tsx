import type { ComponentChildren } from 'preact';
import { biggenreOf } from '../../catalogue/novels/genres.ts';
import { PROGRESSES, progressOf } from '../../catalogue/novels/progress.ts';
import { wordFor } from '../shell/words.ts';
import type { RankedNovel } from './novel-record.ts';
import { hrefOf } from './view.ts';
import type { ViewOf } from './view.ts';
import { genreName, useCatalogue } from './words.ts';
import type { CatalogueWords } from './words.ts';

export type ShownRanking = ViewOf<'ranking'>;

/** A link to the same ranking with another filter. */
export function Chip({
  view,
  isSet,
  children,
}: {
  view: ShownRanking;
  isSet: boolean;
  children: ComponentChildren;
}) {
  return (
    <a class="chip" href={hrefOf(view)} aria-current={isSet ? 'true' : undefined} data-how="refine">
      {children}
    </a>
  );
}

interface NarrowingToggleProps {
  view: ShownRanking;
  isOpen: boolean;
  press: () => void;
}

/**
 * On a phone, the button that opens the filters and names those in use, so that the novels begin on the first screen.
 */
export function NarrowingToggle({ view, isOpen, press }: NarrowingToggleProps) {
  const { words } = useCatalogue();
  const { genre, state } = view;
  const set = [
    ...(genre === '' ? [] : [genreName(words, genre)]),
    ...(state === '' ? [] : [wordFor(words.progress, state)]),
    ...qualitiesOf(words).flatMap(({ label, field }) => (view[field] === '' ? [] : [label])),
  ];
  const look = set.length > 0 ? 'quiet small narrowing-toggle narrowing-set' : 'quiet small narrowing-toggle';
  return (
    <button type="button" class={look} aria-expanded={isOpen} onClick={press}>
      {[words.form.conditions, ...set].join(' · ')}
    </button>
  );
}

/** Filters that are on or off, with the parameters of a search. */
const qualitiesOf = (words: CatalogueWords) =>
  [
    { field: 'istt', value: '1', label: words.marks.tt },
    { field: 'minlen', value: '1000000', label: words.form.lengths.at(-1) ?? '' },
  ] as const;

/** Whether a rank passes the filter. The code is that of a genre, or of a big genre with all of its genres. */
export function isShown({ genre, state, istt, minlen }: ShownRanking, novel: RankedNovel): boolean {
  const big = biggenreOf(novel.genre ?? -100);
  if (genre !== '' && genre !== String(novel.genre) && genre !== String(big)) return false;
  if (istt !== '' && novel.istensei !== 1 && novel.istenni !== 1) return false;
  if (minlen !== '' && !((novel.length ?? 0) >= Number(minlen))) return false;
  return state === '' || progressOf(novel) === state;
}

/**
 * Chips for the values that this ranking has (big genres, genres of the selected one, states), and links down the
 * list.
 */
export function BoardFilter({ view, board }: { view: ShownRanking; board: RankedNovel[] }) {
  const { words, format } = useCatalogue();
  const code = view.genre === '' ? undefined : Number(view.genre);
  const chosen = code !== undefined && code >= 100 ? biggenreOf(code) : code;
  const count = (change: Partial<ShownRanking>) =>
    board.filter((novel) => isShown({ ...view, ...change }, novel)).length;
  const genres = [...new Set(board.flatMap(({ genre }) => genre ?? []))].sort((a, b) => a - b);
  const bigs = [...new Set(genres.map(biggenreOf))];
  const inside = genres.filter((genre) => biggenreOf(genre) === chosen);
  const chip = (label: string, isSet: boolean, change: Partial<ShownRanking>) => (
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
        {qualitiesOf(words).map(({ field, value, label }) =>
          chip(label, view[field] === value, { [field]: view[field] === value ? '' : value }),
        )}
      </div>
      <div class="chips beside tight" role="group" aria-label={words.form.order}>
        {[false, true].map((rising) => (
          <Chip key={String(rising)} view={{ ...view, rising }} isSet={view.rising === rising}>
            {rising ? words.ranking.byRise : words.ranking.byRank}
          </Chip>
        ))}
      </div>
    </div>
  );
}
