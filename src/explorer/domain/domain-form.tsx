import { useEffect, useRef, useState } from 'preact/hooks';
import { useImeSafeForm } from '../shell/keyboard.ts';
import type { DomainQuestion } from './domain-url.ts';
import { namesIn } from './many.ts';
import { useDomain } from './words.ts';

const MOST_LINES = 8;

interface DomainFormProps {
  question: DomainQuestion;
  look: (question: DomainQuestion) => void;
}

/** A line for a name, and as many lines as there are names. */
export function DomainForm({ question, look }: DomainFormProps) {
  const { words } = useDomain();
  const [draft, setDraft] = useState(question.domain);
  const [registrar, setRegistrar] = useState(question.registrar);
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    setDraft(question.domain);
    setRegistrar(question.registrar);
  }, [question.domain, question.registrar]);
  const form = useImeSafeForm(() => {
    if (namesIn(draft).length === 0) field.current?.focus();
    else look({ domain: draft, registrar });
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
          rows={Math.min(MOST_LINES, draft.split('\n').length)}
          name="domain"
          inputMode="url"
          enterkeyhint="search"
          autocomplete="off"
          autocapitalize="none"
          spellcheck={false}
          aria-label={words.field}
          placeholder={words.placeholder}
          value={draft}
          onKeyDown={onKeyDown}
          onInput={(event) => setDraft(event.currentTarget.value)}
        />
        <button type="submit">{words.submit}</button>
      </div>
      <label class="check">
        <input
          type="checkbox"
          checked={registrar}
          disabled={namesIn(draft).length > 1}
          onChange={(event) => {
            const wanted = event.currentTarget.checked;
            setRegistrar(wanted);
            if (question.domain !== '') look({ domain: question.domain, registrar: wanted });
          }}
        />{' '}
        {words.registrar}
      </label>
    </form>
  );
}
