import { useWords } from '../shell/language-context.ts';
import { DOMAIN_WORDS } from './domain-words.ts';

/** JSON is set out by its structure; everything else stays as the server wrote it. */
function setOut(raw: string): string {
  if (!raw.trimStart().startsWith('{')) return raw;
  try {
    return JSON.stringify(JSON.parse(raw), null, 2);
  } catch {
    return raw;
  }
}

/** A server's answer as it came. */
export function RawText({ raw, label }: { raw: string; label: string }) {
  const words = useWords(DOMAIN_WORDS);
  return (
    <section class="raw">
      <h2>{words.raw}</h2>
      <p class="fine">{label}</p>
      <pre tabIndex={0} role="region" aria-label={label}>
        {setOut(raw)}
      </pre>
    </section>
  );
}
