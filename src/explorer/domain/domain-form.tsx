import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { useImeSafeForm } from '../shell/composition.ts';
import { useWords } from '../shell/language-context.ts';
import { DOMAIN_WORDS } from './domain-words.ts';
import { tidyDomain } from './domain-url.ts';
import type { DomainQuestion } from './domain-url.ts';

interface DomainFormProps {
  question: DomainQuestion;
  look: (question: DomainQuestion) => void;
}

export function DomainForm({ question, look }: DomainFormProps) {
  const words = useWords(DOMAIN_WORDS);
  const [draft, setDraft] = useState(question.domain);
  const [registrar, setRegistrar] = useState(question.registrar);
  const field = useRef<HTMLInputElement>(null);
  const id = useId();
  useEffect(() => {
    setDraft(question.domain);
    setRegistrar(question.registrar);
  }, [question]);
  const form = useImeSafeForm(() => {
    const domain = tidyDomain(draft);
    if (domain === '') field.current?.focus();
    else look({ domain, registrar });
  });
  return (
    <form class="search" role="search" {...form}>
      <div class="search-line">
        <label class="hidden" for={id}>
          {words.field}
        </label>
        <input
          ref={field}
          id={id}
          type="text"
          name="domain"
          inputMode="url"
          enterkeyhint="search"
          autocomplete="off"
          autocapitalize="none"
          spellcheck={false}
          placeholder={words.placeholder}
          value={draft}
          onInput={(event) => {
            setDraft(event.currentTarget.value);
          }}
        />
        <button type="submit">{words.submit}</button>
      </div>
      <label class="check">
        <input
          type="checkbox"
          checked={registrar}
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
