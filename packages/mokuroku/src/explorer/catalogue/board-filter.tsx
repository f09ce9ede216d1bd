import type { ComponentChildren } from 'preact';
import { BIGGENRES, GENRES, biggenreOf, PROGRESSES } from '@mokuroku/narou';
import type { NarrowedMeta } from 'mokuroku-client/source';
import { wordFor } from '../shell/words.ts';
import { hrefOf } from './view.ts';
import type { ViewOf } from './view.ts';
import { genreName, useCatalogue } from './words.ts';
import type { CatalogueWords } from './words.ts';

export type ShownRanking = ViewOf<'ranking'>;

interface ChipProps {
  view: ShownRanking;
  isSet: boolean;
  children: ComponentChildren;
}

/** A link to the same ranking with another filter. */
export function Chip({ view, isSet, children }: ChipProps) {
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

/** The filters in use and the order, if it is not that of the ranks. */
export const namesOfFilters = (words: CatalogueWords, { genre, state, rising, ...view }: ShownRanking) => [
  ...(genre === '' ? [] : [genreName(words, genre)]),
  ...(state === '' ? [] : [wordFor(words.progress, state)]),
  ...qualitiesOf(words).flatMap(({ label, field }) => (view[field] === '' ? [] : [label])),
  ...(rising ? [words.ranking.byRise] : []),
];

/**
 * On a phone, the button that opens the filters and names those in use, so that the novels begin on the first screen.
 */
export function NarrowingToggle({ view, isOpen, press }: NarrowingToggleProps) {
  const { words } = useCatalogue();
  const set = namesOfFilters(words, view);
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

interface BoardFilterProps {
  view: ShownRanking;
  /** The counts of the response; null: it is loading. */
  counts: Pick<NarrowedMeta, 'matches' | 'facets'> | null;
  /** Number of entries shown. */
  shown: number;
}

/**
 * Chips for genres (and those of the chosen big genre), states, qualities and the order. One that is pressed has the
 * number of novels shown; a genre has the number that it would leave, unless another is chosen.
 */
export function BoardFilter({ view, counts, shown }: BoardFilterProps) {
  const { words, format } = useCatalogue();
  const code = view.genre === '' ? undefined : Number(view.genre);
  const chosen = code !== undefined && code >= 100 ? biggenreOf(code) : code;
  const chip = (label: string, isSet: boolean, change: Partial<ShownRanking>, count?: number) => {
    const novels = isSet ? shown : count;
    return (
      <Chip key={label} view={{ ...view, ...change }} isSet={isSet}>
        {label} {counts && novels !== undefined && <small>{format.number(novels)}</small>}
      </Chip>
    );
  };
  const genreChip = (genre: number, field: 'genre' | 'biggenre', isSet: boolean, isCounted: boolean) => {
    const count = counts?.facets?.[field]?.[genre] ?? 0;
    return chip(genreName(words, genre), isSet, { genre: String(genre) }, isCounted ? count : undefined);
  };
  return (
    <div class="board-filter">
      <div class="chips beside tight" role="group" aria-label={words.filters.genre}>
        {chip(words.form.anyGenre, view.genre === '', { genre: '' })}
        {BIGGENRES.map(({ code: big }) => genreChip(big, 'biggenre', chosen === big, code === undefined))}
      </div>
      {chosen !== undefined && chosen > 0 && (
        <div class="chips beside tight" role="group" aria-label={genreName(words, chosen)}>
          {GENRES.filter(({ code: genre }) => biggenreOf(genre) === chosen).map(({ code: genre }) =>
            genreChip(genre, 'genre', code === genre, code === chosen),
          )}
        </div>
      )}
      <div class="chips beside tight" role="group" aria-label={words.filters.type}>
        <span class="fine" aria-hidden="true">
          {words.filters.type}
        </span>
        {chip(words.form.anyGenre, view.state === '', { state: '' })}
        {PROGRESSES.map((state) => chip(words.progress[state], view.state === state, { state }))}
      </div>
      <div class="chips beside tight" role="group" aria-label={words.form.conditions}>
        <span class="fine" aria-hidden="true">
          {words.form.conditions}
        </span>
        {qualitiesOf(words).map(({ field, value, label }) =>
          chip(label, view[field] === value, { [field]: view[field] === value ? '' : value }),
        )}
      </div>
      <div class="chips beside tight" role="group" aria-label={words.filters.order}>
        {[false, true].map((rising) => (
          <Chip key={String(rising)} view={{ ...view, rising }} isSet={view.rising === rising}>
            {rising ? words.ranking.byRise : words.ranking.byRank}
          </Chip>
        ))}
      </div>
    </div>
  );
}
