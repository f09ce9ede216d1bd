import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { NOVEL18API_ORDERS } from '../../catalogue/novels/orders.ts';
import { NOCGENRES } from '../../catalogue/novels/genres.ts';
import { useImeSafeForm } from '../shell/composition.ts';
import { useLanguage, useWords } from '../shell/language-context.ts';
import { CATALOGUE_WORDS } from './catalogue-words.ts';
import { genreGroups, genreName } from './genre-names.ts';
import { LengthFields } from './length-fields.tsx';
import { conditionsOf, isLengthRange } from './search-draft.ts';
import { SelectField } from './select-field.tsx';
import { ANY_NOVEL, WORD_TARGETS } from './view.ts';
import type { NovelSearch } from './view.ts';

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
  const set = conditionsOf(search).filter((condition) => condition !== 'word').length;

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
        <Conditions draft={draft} adult={adult} isRange={isRange} edit={edit} choose={choose} />
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

interface ConditionsProps {
  draft: NovelSearch;
  adult: boolean;
  isRange: boolean;
  edit: (change: Partial<NovelSearch>) => void;
  choose: (change: Partial<NovelSearch>) => void;
}

function Conditions({ draft, adult, isRange, edit, choose }: ConditionsProps) {
  const words = useWords(CATALOGUE_WORDS);
  const orders = Object.keys(words.orders).filter((order) => !adult || order in NOVEL18API_ORDERS);
  return (
    <>
      <SelectField
        label={words.form.order}
        value={draft.order}
        options={orders.map((order) => [order, words.orders[order] ?? order])}
        onChoose={(order) => {
          choose({ order });
        }}
      />
      {adult ? <SiteField draft={draft} choose={choose} /> : <GenreField draft={draft} choose={choose} />}
      <StateField draft={draft} choose={choose} />
      <LengthFields draft={draft} isRange={isRange} edit={edit} choose={choose} />
      <label class="field">
        <span>{words.form.notword}</span>
        <input
          type="text"
          name="notword"
          autocomplete="off"
          value={draft.notword}
          placeholder={words.form.notwordPlaceholder}
          onInput={(event) => {
            edit({ notword: event.currentTarget.value });
          }}
        />
      </label>
      <SelectField
        label={words.form.target}
        value={draft.target}
        options={WORD_TARGETS.map((target) => [target, words.form.targets[target]])}
        onChoose={(target) => {
          choose({ target: WORD_TARGETS.find((each) => each === target) ?? '' });
        }}
      />
    </>
  );
}

type FieldProps = Pick<ConditionsProps, 'draft' | 'choose'>;

function GenreField({ draft, choose }: FieldProps) {
  const words = useWords(CATALOGUE_WORDS);
  return (
    <SelectField
      label={words.form.genre}
      value={draft.genre}
      options={[['', words.form.anyGenre]]}
      groups={genreGroups().map(({ big, genres }) => ({
        label: genreName(words, big),
        options: [
          [`b${big}`, words.form.wholeGenre(genreName(words, big))],
          ...genres.map((genre): [string, string] => [String(genre), genreName(words, genre)]),
        ],
      }))}
      onChoose={(genre) => {
        choose({ genre });
      }}
    />
  );
}

function SiteField({ draft, choose }: FieldProps) {
  const words = useWords(CATALOGUE_WORDS);
  const isJapanese = useLanguage() === 'ja';
  return (
    <SelectField
      label={words.adult.genre}
      value={draft.nocgenre}
      options={[
        ['', words.form.anyGenre],
        ...NOCGENRES.map(({ code, label_ja }): [string, string] => [String(code), label_ja]),
      ]}
      {...(isJapanese ? {} : { optionLanguage: 'ja' })}
      onChoose={(nocgenre) => {
        choose({ nocgenre });
      }}
    />
  );
}

function StateField({ draft, choose }: FieldProps) {
  const words = useWords(CATALOGUE_WORDS);
  const name = useId();
  const others = Object.entries(words.form.otherTypes).filter(([type]) => type === draft.type);
  return (
    <fieldset class="field pills">
      <legend>{words.form.type}</legend>
      {[...Object.entries(words.form.types), ...others].map(([type, label]) => (
        <label key={type}>
          <input
            type="radio"
            name={name}
            value={type}
            checked={draft.type === type}
            onChange={() => {
              choose({ type });
            }}
          />
          <span>{label}</span>
        </label>
      ))}
    </fieldset>
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
