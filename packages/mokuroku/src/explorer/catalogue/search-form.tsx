import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useImeSafeForm } from '../shell/keyboard.ts';
import type { HowToGo } from '../shell/navigator.ts';
import { isLocal } from '../shell/page-facts.ts';
import { conditionsOf } from './conditions.ts';
import type { CountOf } from './conditions.ts';
import { SearchConditions, hasRanges } from './search-conditions.tsx';
import { ANY_NOVEL, hrefOf } from './view.ts';
import type { SearchInput } from './view.ts';
import { WordField } from './word-field.tsx';
import { useCatalogue } from './words.ts';

interface SearchFormProps {
  search: SearchInput;
  countOf: CountOf;
  /** The number of matches, if known. */
  all: number | undefined;
}

/** The search as edited; anew that of the URL when this changes. */
function useDraft(search: SearchInput) {
  const [draft, setDraft] = useState(search);
  // The text that the field itself has written into the URL. The field then keeps the typed text with trailing
  // spaces.
  const asTyped = useRef<string | null>(null);
  // In the layout phase: later, on a busy device, it would undo what was typed in the meantime.
  useLayoutEffect(() => {
    const isTyped = search.word === asTyped.current;
    // By another way to the same text, such as forward after back, the field has to show it again.
    if (!isTyped) asTyped.current = null;
    setDraft((before) => (isTyped ? { ...search, word: before.word } : search));
  }, [search]);
  return { draft, edit: (change: Partial<SearchInput>) => setDraft({ ...draft, ...change }), asTyped };
}

/** Texts are applied on Enter or by the button, and so are words on a remote source; choices are applied at once. */
export function SearchForm({ search, countOf, all }: SearchFormProps) {
  const { adult } = search;
  const { words, format, navigator } = useCatalogue();
  const toggle = useRef<HTMLButtonElement>(null);
  const { draft, edit, asTyped } = useDraft(search);
  const [open, setOpen] = useState(false);

  const send = (changed: SearchInput, how: HowToGo) => {
    if (hasRanges(changed)) navigator.go(hrefOf({ ...changed, st: 1 }), how);
  };
  const choose = (change: Partial<SearchInput>) => {
    edit(change);
    send({ ...draft, ...change }, 'refine');
  };
  const isSendable = hasRanges(draft);
  // The filters open while one of them prevents the search, and do not close while it is corrected.
  if (!isSendable && !open) setOpen(true);
  const close = () => {
    setOpen(false);
    if (!isSendable) toggle.current?.form?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus();
  };
  const form = useImeSafeForm(() => {
    close();
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
            scrollTo(0, 0);
            toggle.current?.focus();
            close();
          }}
        >
          {words.form.showFound(all === undefined ? undefined : format.number(all))}
        </button>
      </div>
    </form>
  );
}
