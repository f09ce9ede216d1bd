import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useFirstFocus, useImeSafeForm } from '../shell/keyboard.ts';
import { MAX_NAMES, hrefOf, pastedNames } from './domain-url.ts';
import type { DomainView } from './domain-url.ts';
import { useDomain } from './words.ts';

const MAX_LINES = 8;

/** An input for a name, with as many lines as there are names, and the choice to query the registrar too. */
export function DomainForm({ view: { names, word, registrar } }: { view: DomainView }) {
  const { words, navigator } = useDomain();
  const text = word ?? names.join('\n');
  const [draft, setDraft] = useState(text);
  const [queriesRegistrar, setQueriesRegistrar] = useState(registrar);
  const field = useRef<HTMLTextAreaElement>(null);
  // Later, on a busy device, it would undo what was typed in the meantime.
  useLayoutEffect(() => {
    setDraft(text);
    setQueriesRegistrar(registrar);
  }, [text, registrar]);
  useFirstFocus(field, text === '');
  const typedNames = pastedNames(draft);
  const look = (chosen: readonly string[], alsoThere: boolean) =>
    navigator.go(hrefOf({ names: chosen, registrar: alsoThere }), 'follow');
  const isTooMany = typedNames.length > MAX_NAMES;
  const form = useImeSafeForm(() => {
    if (typedNames.length === 0 || isTooMany) field.current?.focus();
    else look(typedNames, queriesRegistrar);
  });
  const onKeyDown = (event: KeyboardEvent) => {
    form.onKeyDown(event);
    if (event.key !== 'Enter' || event.shiftKey || event.defaultPrevented) return;
    event.preventDefault();
    field.current?.form?.requestSubmit();
  };
  return (
    <form class="search" role="search" {...form}>
      <div class="search-line">
        <textarea
          ref={field}
          rows={Math.min(MAX_LINES, draft.split('\n').length)}
          name="domain"
          inputMode="url"
          enterkeyhint="search"
          autocomplete="off"
          autocapitalize="none"
          spellcheck={false}
          aria-label={words.field}
          aria-invalid={isTooMany}
          placeholder={words.placeholder}
          value={draft}
          onKeyDown={onKeyDown}
          onInput={(event) => setDraft(event.currentTarget.value)}
        />
        <button type="submit">{words.submit}</button>
      </div>
      {isTooMany && (
        <p class="fault" role="alert">
          {words.tooMany(typedNames.length, MAX_NAMES)}
        </p>
      )}
      <label class="check">
        <input
          type="checkbox"
          checked={queriesRegistrar}
          disabled={typedNames.length > 1}
          onChange={(event) => {
            const isChecked = event.currentTarget.checked;
            setQueriesRegistrar(isChecked);
            // Other names are looked up when they are submitted.
            if (names.length > 0 && typedNames.join() === names.join()) look(names, isChecked);
          }}
        />{' '}
        {words.registrar}
      </label>
    </form>
  );
}
