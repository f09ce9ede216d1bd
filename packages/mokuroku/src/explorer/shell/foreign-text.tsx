import { useState } from 'preact/hooks';
import { useShell } from './page-context.ts';

/**
 * Invisible characters that change how their neighbours are read: directional overrides, embeddings, isolates and
 * marks (Unicode 16, UAX 9), and control characters other than tab and line breaks.
 */
const UNSEEN =
  /([\u202a-\u202e\u2066-\u2069\u200e\u200f\u061c\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f])/;

function Unseen({ character }: { character: string }) {
  const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase();
  return <span class="unseen">U+{code.padStart(4, '0')}</span>;
}

/** Truncates to `maxLength` UTF-16 units without splitting a character. */
export const cut = (text: string, maxLength: number): string =>
  text.slice(0, maxLength).replace(/[\ud800-\udbff]$/, '');

interface ForeignTextProps {
  text: string;
  /** Number of characters shown at first; the rest on demand. */
  maxLength?: number;
  /** Within a link to the complete text: truncated without a button. */
  inLink?: boolean;
  lang?: 'ja';
  /** Rendered as code. */
  isCode?: boolean;
  /** Words of a search, marked where the text has them. */
  marked?: readonly string[] | undefined;
}

/** The text with each word of a search marked. */
function withMarks(text: string, words: readonly string[]) {
  // Not all: a browser rejects a long regular expression.
  const found = words.filter((word) => text.toLowerCase().includes(word.toLowerCase()));
  if (found.length === 0) return text;
  const any = found.map((word) => word.replace(/[^\p{L}\p{N}]/gu, '\\$&')).join('|');
  return text
    .split(new RegExp(`(${any})`, 'i'))
    .map((part, index) => (index % 2 === 0 ? part : <mark>{part}</mark>));
}

/**
 * Text from outside. It is isolated from the text direction around it, its invisible characters are shown as codes
 * (`ns1.<RLO>gpj.exe.com` would read `ns1.moc.exe.jpg`), and it is truncated if it is too long.
 */
export function ForeignText({ text, maxLength = 300, inLink, lang, isCode, marked = [] }: ForeignTextProps) {
  const { words } = useShell();
  const [whole, setWhole] = useState(false);
  const isCut = !whole && text.length > maxLength;
  const shown = isCut ? cut(text, maxLength) : text;
  const parts = shown
    .split(UNSEEN)
    .map((part, index) => (index % 2 === 0 ? withMarks(part, marked) : <Unseen character={part} />));
  return (
    <>
      <bdi lang={lang} class={whole ? 'whole-text' : undefined}>
        {isCode ? <code>{parts}</code> : parts}
      </bdi>
      {isCut && inLink && '…'}
      {isCut && !inLink && (
        <>
          {'… '}
          <button type="button" class="quiet small" onClick={() => setWhole(true)}>
            {words.showAll(text.length - maxLength)}
          </button>
        </>
      )}
    </>
  );
}
