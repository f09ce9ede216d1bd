import { useWords } from '../shell/page-context.ts';
import { REFERENCE_WORDS } from './words.ts';

/** Texts as they are, anything else as JSON. */
const toText = (answer: unknown): string =>
  typeof answer === 'string' ? answer : JSON.stringify(answer, null, 2);

/** An answer as it is read best: the printed one, or the one that has just come. */
export function Answer({ shown, isLive, title }: { shown: unknown; isLive: boolean; title: string }) {
  const words = useWords(REFERENCE_WORDS);
  const heading = isLive ? words.liveAnswer : words.exampleAnswer;
  return (
    <div class="answer">
      <p class="fine">
        {heading}
        {!isLive && <small> {words.cut}</small>}
      </p>
      <pre tabIndex={0} role="region" aria-label={`${heading}: ${title}`}>
        <code>{toText(shown)}</code>
      </pre>
    </div>
  );
}
