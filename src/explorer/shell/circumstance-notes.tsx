import type { Circumstances } from './answer.ts';
import { formatAge } from './format.ts';
import { useLanguage, useWords } from './language-context.ts';
import { SHELL_WORDS } from './shell-words.ts';

/** Says so when what is shown is invented, or older than it should be. */
export function CircumstanceNotes(props: { circumstances: Circumstances; sampleText: string }) {
  const words = useWords(SHELL_WORDS);
  const language = useLanguage();
  const { sample, stale, ageSeconds } = props.circumstances;
  return (
    <>
      {stale && (
        <p class="note note-stale" role="status">
          {words.stale(formatAge(language, ageSeconds))}
        </p>
      )}
      {sample && (
        <p class="note note-sample">
          <b>{words.sample}</b> {props.sampleText}
        </p>
      )}
    </>
  );
}
