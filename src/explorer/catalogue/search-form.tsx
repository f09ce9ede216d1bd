import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { useImeSafeForm } from '../shell/keyboard.ts';
import { useWords } from '../shell/page-context.ts';
import { conditionsOf, isLengthRange } from './conditions.ts';
import { SearchConditions } from './search-conditions.tsx';
import { ANY_NOVEL } from './view.ts';
import type { NovelSearch } from './view.ts';
import { CATALOGUE_WORDS } from './words.ts';

interface SearchFormProps {
  search: NovelSearch;
  adult: boolean;
  /** A search that the reader meant; `follow` when it was sent off, `refine` when a control was changed. */
  apply: (search: NovelSearch, how: 'follow' | 'refine') => void;
}

/** Texts wait for Enter or the button; everything that is chosen applies at once. */
export function SearchForm({ search, adult, apply }: SearchFormProps) {
  const words = useWords(CATALOGUE_WORDS);
  const [draft, setDraft] = useState(search);
  const [open, setOpen] = useState(false);
  const wordField = useRef<HTMLInputElement>(null);
  const wordId = useId();
  useEffect(() => {
    setDraft(search);
  }, [search]);
  useFocusBySlash(wordField);

  const isRange = isLengthRange(draft.minlen, draft.maxlen);
  const send = (changed: NovelSearch, how: 'follow' | 'refine') => {
    if (isLengthRange(changed.minlen, changed.maxlen)) apply({ ...changed, st: 1 }, how);
  };
  const edit = (change: Partial<NovelSearch>) => {
    setDraft({ ...draft, ...change });
  };
  const choose = (change: Partial<NovelSearch>) => {
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
        <label class="hidden" for={wordId}>
          {words.form.word}
        </label>
        <input
          ref={wordField}
          id={wordId}
          type="search"
          name="word"
          enterkeyhint="search"
          autocomplete="off"
          spellcheck={false}
          value={draft.word}
          placeholder={words.form.wordPlaceholder}
          onInput={(event) => {
            edit({ word: event.currentTarget.value });
          }}
        />
        <button type="submit">{words.form.submit}</button>
        <button
          type="button"
          class="quiet conditions-toggle"
          aria-expanded={open}
          onClick={() => {
            setOpen(!open);
          }}
        >
          {set === 0 ? words.form.conditions : words.form.conditionsSet(set)}
        </button>
      </div>
      <div class={open ? 'conditions conditions-open' : 'conditions'}>
        <SearchConditions draft={draft} adult={adult} isRange={isRange} edit={edit} choose={choose} />
        {set > 0 && (
          <button
            type="button"
            class="quiet"
            onClick={() => {
              choose({ ...ANY_NOVEL, word: draft.word, order: draft.order });
            }}
          >
            {words.form.reset}
          </button>
        )}
      </div>
    </form>
  );
}

/** `/` goes to the search field, as in many catalogues; not while something is being typed. */
function useFocusBySlash(field: { current: HTMLInputElement | null }) {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const typing = event.target instanceof Element && event.target.closest('input, select, textarea');
      if (event.key !== '/' || typing || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      field.current?.focus();
      field.current?.select();
    };
    document.addEventListener('keydown', onKey);
    return () => {
      document.removeEventListener('keydown', onKey);
    };
  }, [field]);
}
