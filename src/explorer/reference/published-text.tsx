import { useWords } from '../shell/page-context.ts';
import { PUBLISHED } from './words.ts';

/** Plain text with `code`. */
export function Coded({ text }: { text: string }) {
  const parts = text.split(/`([^`]+)`/);
  return <>{parts.map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part))}</>;
}

/** A text of the published document, translated if there is a translation. */
export function PublishedText({ text }: { text: string }) {
  const { words: published, language } = useWords(PUBLISHED);
  const translation = published(text);
  return (
    <span lang={translation === undefined ? 'en' : language}>
      <Coded text={translation ?? text} />
    </span>
  );
}
