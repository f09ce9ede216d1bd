import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useImeSafeForm } from '../shell/keyboard.ts';
import type { HowToGo } from '../shell/navigator.ts';
import { isLocal } from '../shell/page-facts.ts';
import { conditionsOf, isRange } from './conditions.ts';
import type { CountOf } from './conditions.ts';
import { SearchConditions } from './search-conditions.tsx';
import { ANY_NOVEL, BOUNDED, hrefOf } from './view.ts';
import type { SearchInput } from './view.ts';
import { WordField } from './word-field.tsx';
import { useCatalogue } from './words.ts';

interface SearchFormProps {
  search: SearchInput;
  countOf: CountOf;
  /** The number of matches, if known. */
  all: number | undefined;
}

/** Texts are applied on Enter or by the button, and so are words on a remote source; choices are applied at once. */
export function SearchForm({ search, countOf, all }: SearchFormProps) {
  const { adult } = search;
  const { words, format, navigator } = useCatalogue();
  const toggle = useRef<HTMLButtonElement>(null);
  const [draft, setDraft] = useState(search);
  const [open, setOpen] = useState(false);
  // The text that the field itself has written into the URL. The field then keeps the typed text with trailing
  // spaces.
  const asTyped = useRef<string | null>(null);
  // In the layout phase: later, on a busy device, it would undo what was typed in the meantime.
  useLayoutEffect(
    () => setDraft((before) => (search.word === asTyped.current ? { ...search, word: before.word } : search)),
    [search],
  );

  const send = (changed: SearchInput, how: HowToGo) => {
    if (BOUNDED.every((field) => isRange(changed[field]))) navigator.go(hrefOf({ ...changed, st: 1 }), how);
  };
  const edit = (change: Partial<SearchInput>) => setDraft({ ...draft, ...change });
  const choose = (change: Partial<SearchInput>) => {
    edit(change);
    send({ ...draft, ...change }, 'refine');
  };
  const form = useImeSafeForm(() => {
    setOpen(false);
    send(draft, 'follow');
  });
  const set = conditionsOf(search).filter(({ field }) => field !== 'word').length;

  return (
    <form class="search" role="search" {...form}>
      <div class="search-line">
        <WordField
          search={search}
          value={draft.word}
          edit={(word) => edit({ word })}
          rest={(word) => {
            asTyped.current = word;
            send({ ...draft, word }, 'type');
          }}
          suggests={isLocal() && !adult}
        />
        <button type="submit">{words.navigation.search}</button>
        <button
          ref={toggle}
          type="button"
          class="quiet conditions-toggle"
          aria-controls="conditions"
          aria-expanded={open}
          onClick={() => setOpen(!open)}
        >
          {set === 0 ? words.form.conditions : words.form.conditionsSet(set)}
        </button>
      </div>
      <div id="conditions" class={open ? 'conditions conditions-open' : 'conditions'}>
        <SearchConditions {...{ draft, countOf, edit, choose }} />
        {set > 0 && (
          <button
            type="button"
            class="quiet"
            onClick={() => choose({ ...ANY_NOVEL, adult, word: draft.word, order: draft.order })}
          >
            {words.form.reset}
          </button>
        )}
        {/* Filters are an overlay on a phone: the number of novels, and the way back to them. */}
        <button
          type="button"
          class="conditions-done"
          onClick={() => {
            setOpen(false);
            scrollTo(0, 0);
            toggle.current?.focus();
          }}
        >
          {words.form.showFound(all === undefined ? undefined : format.number(all))}
        </button>
      </div>
    </form>
  );
}
