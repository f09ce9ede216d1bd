import { useState } from 'preact/hooks';
import { useShell } from './page-context.ts';

/**
 * Characters that change how their neighbours are read without being seen themselves: directional overrides,
 * embeddings, isolates and marks (Unicode 16, UAX 9), and control characters other than tab and line breaks.
 */
const UNSEEN =
  /([\u202a-\u202e\u2066-\u2069\u200e\u200f\u061c\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f])/;

function Unseen({ character }: { character: string }) {
  const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase();
  return <span class="unseen">U+{code.padStart(4, '0')}</span>;
}

/** So many UTF-16 units at most; none of them is half a character. */
export const cut = (text: string, most: number): string =>
  text.slice(0, most).replace(/[\ud800-\udbff]$/, '');

interface ForeignTextProps {
  text: string;
  /** Characters shown at first; the rest on demand. */
  most?: number;
  /** Within a link, which leads to where all of it is: cut without a way of its own. */
  inLink?: boolean;
  lang?: 'ja';
  /** Set as code. */
  isCode?: boolean;
}

/**
 * Text that somebody else wrote: apart from the direction of what stands around it, its unseen characters named
 * (`ns1.<RLO>gpj.exe.com` would read `ns1.moc.exe.jpg`), and cut where it is longer than anything ought to be.
 */
export function ForeignText({ text, most = 300, inLink, lang, isCode }: ForeignTextProps) {
  const { words } = useShell();
  const [whole, setWhole] = useState(false);
  const isCut = !whole && text.length > most;
  const shown = isCut ? cut(text, most) : text;
  const parts = shown
    .split(UNSEEN)
    .map((part, place) => (place % 2 === 0 ? part : <Unseen character={part} />));
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
            {words.showAll(text.length - most)}
          </button>
        </>
      )}
    </>
  );
}
