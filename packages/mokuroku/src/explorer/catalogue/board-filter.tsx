import { BIGGENRES, GENRES, biggenreOf, PROGRESSES, progressOf } from '@mokuroku/narou';
import { Count } from '../shell/form-controls.tsx';
import { wordFor } from '../shell/words.ts';
import type { RankedNovel } from './novel-record.ts';
import { hrefOf } from './view.ts';
import type { ViewOf } from './view.ts';
import { fullGenreName, genreName, useCatalogue } from './words.ts';
import type { CatalogueWords } from './words.ts';

interface NarrowingToggleProps {
  view: ViewOf<'ranking'>;
  isOpen: boolean;
  press: () => void;
}

/** The filters in use and the order, if it is not that of the ranks. */
export const namesOfFilters = (words: CatalogueWords, view: ViewOf<'ranking'>) => [
  ...(view.genre === '' ? [] : [fullGenreName(words, view.genre)]),
  ...(view.state === '' ? [] : [wordFor(words.progress, view.state)]),
  ...qualitiesOf(words).flatMap(({ label, field, value }) =>
    view[field] === '' ? [] : [view[field] === value ? label : `${words.filters.minlen} ${view[field]}`],
  ),
  ...(view.rising ? [words.ranking.byRise] : []),
];

/**
 * On a phone, the button that opens the filters and names those in use, so that the novels begin on the first screen.
 */
export function NarrowingToggle({ view, isOpen, press }: NarrowingToggleProps) {
  const { words } = useCatalogue();
  const set = namesOfFilters(words, view);
  const look = set.length > 0 ? 'quiet small narrowing-toggle narrowing-set' : 'quiet small narrowing-toggle';
  return (
    <button type="button" class={look} aria-controls="narrowing" aria-expanded={isOpen} onClick={press}>
      {[words.form.conditions, ...set].join(' · ')}
    </button>
  );
}

/** Filters that are on or off, with the parameters of a search. */
const qualitiesOf = (words: CatalogueWords) =>
  [
    {
      field: 'istt',
      value: '1',
      label: words.marks.tt,
      has: ({ istensei, istenni }: RankedNovel) => istensei === 1 || istenni === 1,
    },
    {
      field: 'minlen',
      value: '1000000',
      label: words.form.long,
      has: ({ length = 0 }: RankedNovel) => length >= 1_000_000,
    },
  ] as const;

interface BoardFilterProps {
  view: ViewOf<'ranking'>;
  /** The novels shown. */
  board: readonly RankedNovel[];
  isLoading: boolean;
}

/**
 * Chips for genres (and those of the chosen big genre), states, qualities and the order. One that is pressed has the
 * number of novels shown; another has the number that it would leave, unless one of its kind is chosen.
 */
export function BoardFilter({ view, board, isLoading }: BoardFilterProps) {
  const { words } = useCatalogue();
  const code = view.genre === '' ? undefined : Number(view.genre);
  const chosen = code !== undefined && code >= 100 ? biggenreOf(code) : code;
  /** A link to the same ranking with another filter. `has` is false: without a number. */
  const chip = (
    label: string,
    isSet: boolean,
    change: Partial<ViewOf<'ranking'>>,
    has?: ((novel: RankedNovel) => boolean) | false,
  ) => (
    <a
      key={label}
      class="chip"
      href={hrefOf({ ...view, ...change })}
      aria-current={isSet ? 'true' : undefined}
      data-how="refine"
    >
      {label}
      {has !== false && (isSet || has) && (
        <Count value={isLoading ? null : board.filter((novel) => isSet || has?.(novel)).length} />
      )}
    </a>
  );
  const genreChip = (genre: number, isSet: boolean, isCounted: boolean) => {
    const isOfIt = ({ genre: own = -1 }: RankedNovel) => (genre < 100 ? biggenreOf(own) : own) === genre;
    return chip(genreName(words, genre), isSet, { genre: String(genre) }, isCounted ? isOfIt : undefined);
  };
  return (
    <div class="board-filter">
      <div class="chips beside tight" role="group" aria-label={words.filters.genre}>
        {chip(words.form.anyGenre, view.genre === '', { genre: '' })}
        {BIGGENRES.map(({ code: big }) => genreChip(big, chosen === big, code === undefined))}
      </div>
      {chosen !== undefined && chosen > 0 && (
        <div class="chips beside tight" role="group" aria-label={genreName(words, chosen)}>
          {GENRES.filter(({ code: genre }) => biggenreOf(genre) === chosen).map(({ code: genre }) =>
            genreChip(genre, code === genre, code === chosen),
          )}
        </div>
      )}
      <div class="chips beside tight" role="group" aria-label={words.filters.type}>
        <span class="fine" aria-hidden="true">
          {words.filters.type}
        </span>
        {chip(words.form.anyGenre, view.state === '', { state: '' })}
        {PROGRESSES.map((state) =>
          chip(
            words.progress[state],
            view.state === state,
            { state },
            view.state === '' ? (novel) => progressOf(novel) === state : undefined,
          ),
        )}
      </div>
      <div class="chips beside tight" role="group" aria-label={words.form.conditions}>
        {qualitiesOf(words).map(({ field, value, label, has }) =>
          chip(label, view[field] === value, { [field]: view[field] === value ? '' : value }, has),
        )}
      </div>
      <div class="chips beside tight" role="group" aria-label={words.filters.order}>
        {chip(words.ranking.byRank, !view.rising, { rising: false }, false)}
        {chip(words.ranking.byRise, view.rising, { rising: true }, false)}
      </div>
    </div>
  );
}
