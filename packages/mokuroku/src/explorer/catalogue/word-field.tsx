import { useEffect, useId, useRef, useState } from 'preact/hooks';
import type { Suggestions } from 'mokuroku-client/source';
import { ForeignText } from '../shell/foreign-text.tsx';
import { belongsToInputMethod, useFirstFocus, useShortcut } from '../shell/keyboard.ts';
import { useAnswer } from '../shell/use-answer.ts';
import { hrefOfAuthor } from './novel-row.tsx';
import { suggestQuestion } from './questions.ts';
import { hrefOf, hrefTo } from './view.ts';
import type { SearchInput } from './view.ts';
import { useCatalogue } from './words.ts';

interface WordFieldProps {
  search: SearchInput;
  value: string;
  edit: (word: string) => void;
  /** Called with the text when typing pauses and the limit allows a request. */
  rest: (word: string) => void;
  /** Whether the source has suggestions for this search. */
  suggests: boolean;
}

/** Typing pauses after this time without input. */
const REST_MS = 250;

/** The search's words: a combobox if the source has suggestions (the pattern of the ARIA Authoring Practices). */
export function WordField(props: WordFieldProps) {
  const { value, edit, suggests } = props;
  const { form: words, filters } = useCatalogue().words;
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  useFirstFocus(field, value === '');
  // As in many catalogues.
  useShortcut('/', () => {
    field.current?.focus();
    field.current?.select();
  });
  const { options, active, isScarce, choose, onTyped, handlers } = useSuggestions(props, field);
  const combobox = {
    type: 'text',
    role: 'combobox',
    'aria-autocomplete': 'list',
    'aria-expanded': options.length > 0,
    'aria-controls': `${id}-list`,
    'aria-activedescendant': active >= 0 ? `${id}-${active}` : undefined,
    ...handlers,
  } as const;
  return (
    <div class="word-field">
      <input
        ref={field}
        name="word"
        aria-label={filters.word}
        enterkeyhint="search"
        autocomplete="off"
        spellcheck={false}
        value={value}
        placeholder={words.wordPlaceholder}
        onInput={(event) => {
          edit(event.currentTarget.value);
          if (suggests) onTyped(event);
        }}
        {...(suggests ? combobox : { type: 'search' as const })}
      />
      {options.length > 0 && <OptionList id={id} options={options} active={active} choose={choose} />}
      {isScarce && (
        <p class="fine" role="status">
          {words.resting}
        </p>
      )}
    </div>
  );
}

/** The suggestions for the typed text, the selected one, and the keys that select. */
function useSuggestions(
  { search, value, rest, suggests }: WordFieldProps,
  field: { current: HTMLInputElement | null },
) {
  const { answers, navigator } = useCatalogue();
  // Empty: no suggestions.
  const [typed, setTyped] = useState('');
  // By its address: the suggestions for further text may replace it while it is selected.
  const [activeHref, setActive] = useState<string>();
  const hasRoom = answers.hasQuotaLeft();
  const request = useAnswer(suggests && typed !== '' && hasRoom ? suggestQuestion(typed) : null);
  const options = typed === '' ? [] : optionsOf(request.answer?.data, search);
  const active = options.findIndex(({ href }) => href === activeHref);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  // A filter may be chosen before typing has paused.
  const latestRest = useRef(rest);
  latestRest.current = rest;
  const show = (text: string) => {
    clearTimeout(timer.current);
    setTyped(text);
    setActive(undefined);
  };
  useEffect(() => () => clearTimeout(timer.current), []);
  const requestAfterPause = () => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      const text = field.current?.value.trim() ?? '';
      show(text);
      if (answers.hasQuotaLeft()) latestRest.current(text);
    }, REST_MS);
  };
  const choose = (option: SuggestedWord | undefined) => {
    show('');
    if (option) navigator.go(option.href, 'follow');
  };
  // The field itself comes after the last and before the first suggestion.
  const step = (by: 1 | -1) => {
    const places = options.length + 1;
    if (typed === '') show(value.trim());
    else setActive(options[((active + 1 + by + places) % places) - 1]?.href);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (belongsToInputMethod(event)) return;
    const { key } = event;
    if (key === 'Enter') {
      if (active >= 0) event.preventDefault();
      choose(options[active]);
    } else if (key === 'Escape') {
      show('');
    } else if (key === 'ArrowDown' || key === 'ArrowUp') {
      event.preventDefault();
      step(key === 'ArrowDown' ? 1 : -1);
    }
  };
  return {
    options,
    active,
    choose,
    isScarce: typed !== '' && !hasRoom,
    onTyped: (event: InputEvent) => {
      if (!event.isComposing) requestAfterPause();
    },
    handlers: {
      onCompositionStart: () => clearTimeout(timer.current),
      onCompositionEnd: requestAfterPause,
      onKeyDown,
      onBlur: () => show(''),
    },
  };
}

interface SuggestedWord {
  kind: keyof Suggestions;
  text: string;
  href: string;
  novels?: number;
}

/** Words to search for, novels and authors to open, in the order of the list. */
function optionsOf(data: Suggestions | undefined, search: SearchInput): SuggestedWord[] {
  if (!data) return [];
  const option = (kind: SuggestedWord['kind'], text: string, href: string) => ({ kind, text, href });
  return [
    ...data.keywords.map(({ keyword, novels }) => ({
      ...option('keywords', keyword, hrefOf({ ...search, word: keyword, st: 1 })),
      novels,
    })),
    ...data.titles.map(({ title, ncode }) => option('titles', title, hrefTo('novel', { ncode }))),
    ...data.writers.map(({ writer, userid }) => option('writers', writer, hrefOfAuthor(userid ?? ''))),
  ];
}

interface OptionListProps {
  id: string;
  options: readonly SuggestedWord[];
  active: number;
  choose: (option: SuggestedWord) => void;
}

function OptionList({ id, options, active, choose }: OptionListProps) {
  const { words, format } = useCatalogue();
  const list = useRef<HTMLDivElement>(null);
  useEffect(
    () => list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' }),
    [active],
  );
  const kinds = [...new Set(options.map(({ kind }) => kind))];
  return (
    <div
      ref={list}
      id={`${id}-list`}
      class="options sheet"
      role="listbox"
      aria-label={words.form.suggestions}
      // The field keeps the focus.
      onMouseDown={(event) => event.preventDefault()}
    >
      {kinds.map((kind) => (
        <div key={kind} role="group" aria-labelledby={`${id}-${kind}`}>
          <div id={`${id}-${kind}`} class="options-kind soft" role="presentation">
            {words.form.kinds[kind]}
          </div>
          {options.map(
            (option, index) =>
              option.kind === kind && (
                <div
                  key={option.href}
                  id={`${id}-${index}`}
                  class="option"
                  role="option"
                  aria-selected={index === active}
                  onClick={() => choose(option)}
                >
                  <ForeignText lang="ja" text={option.text} maxLength={80} inLink />
                  {option.novels !== undefined && <small>{format.number(option.novels)}</small>}
                </div>
              ),
          )}
        </div>
      ))}
    </div>
  );
}
