import { formatNumber } from '../shell/format.ts';
import { useLanguage, useWords } from '../shell/language-context.ts';
import { CATALOGUE_WORDS } from './catalogue-words.ts';
import { PAGE_LENGTH } from './view.ts';

/** The live upstream's ceiling for `st`. */
const LAST_START = 2_000;

interface PagesProps {
  st: number;
  /** How many there are in all. */
  all: number;
  /** The sample has no ceiling. */
  sample: boolean;
  hrefAt: (st: number) => string;
}

/** The way to the pages before and after. */
export function Pages({ st, all, sample, hrefAt }: PagesProps) {
  const words = useWords(CATALOGUE_WORDS);
  const language = useLanguage();
  const last = Math.min(st + PAGE_LENGTH - 1, all);
  const next = st + PAGE_LENGTH;
  const hasNext = next <= all;
  const cutOff = hasNext && !sample && next > LAST_START;
  if (st === 1 && !hasNext) return null;
  return (
    <nav class="pages" aria-label={words.list.pages}>
      {st > 1 && (
        <a rel="prev" href={hrefAt(Math.max(1, st - PAGE_LENGTH))}>
          ‹ {words.list.previous}
        </a>
      )}
      <span>
        {words.list.range(formatNumber(language, st), formatNumber(language, last))}
        {' / '}
        {formatNumber(language, all)}
      </span>
      {hasNext && !cutOff && (
        <a rel="next" href={hrefAt(next)}>
          {words.list.next} ›
        </a>
      )}
      {cutOff && <p class="fine">{words.list.limitReached}</p>}
    </nav>
  );
}
