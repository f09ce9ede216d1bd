import { useWords } from '../shell/language-context.ts';
import { CATALOGUE_WORDS } from './catalogue-words.ts';

/** Stands before everything for adults. Until it is answered nothing of it is asked for; the answer is kept nowhere. */
export function AgeGate({ confirm }: { confirm: () => void }) {
  const words = useWords(CATALOGUE_WORDS).adult;
  return (
    <section class="gate">
      <p class="gate-sign" aria-hidden="true">
        18+
      </p>
      <h1 tabIndex={-1}>{words.title}</h1>
      <p>{words.text}</p>
      <p class="gate-answers">
        <button type="button" onClick={confirm}>
          {words.yes}
        </button>
        <a href="/">{words.no}</a>
      </p>
      <p class="fine">{words.unremembered}</p>
    </section>
  );
}
