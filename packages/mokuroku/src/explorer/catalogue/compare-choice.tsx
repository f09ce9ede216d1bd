import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { ForeignText } from '../shell/foreign-text.tsx';
import { isOffered } from '../shell/page-facts.ts';
import type { AnyNovel } from './novel-record.ts';
import { hrefTo, toggleCompared } from './view.ts';
import type { Compared } from './view.ts';
import { useCatalogue } from './words.ts';

/** The titles of the novels selected for comparison, by Ncode, and their change; in the page's memory only. */
export const CompareContext = createContext<readonly [Compared, (compared: Compared) => void]>([
  new Map(),
  () => undefined,
]);

/** Selects a novel for comparison, or deselects it. */
export function CompareButton({ novel, inFull = false }: { novel: AnyNovel; inFull?: boolean }) {
  const words = useCatalogue().words.compare;
  const [compared, setCompared] = useContext(CompareContext);
  const { ncode, title = ncode } = novel;
  if (ncode === undefined || title === undefined || !isOffered('rankings')) return null;
  const isSelected = compared.has(ncode);
  return (
    <button
      type="button"
      class="quiet compare-button"
      aria-pressed={isSelected}
      aria-label={inFull ? undefined : words.add(title)}
      title={words.title}
      onClick={() => setCompared(toggleCompared(compared, ncode, title))}
    >
      {isSelected ? '✓' : '＋'}
      {inFull && ` ${isSelected ? words.added : words.addShort}`}
    </button>
  );
}

/** The selected novels; stays until it is cleared or the page is closed. */
export function CompareTray() {
  const words = useCatalogue().words.compare;
  const [compared, setCompared] = useContext(CompareContext);
  if (compared.size === 0) return null;
  return (
    <aside class="tray beside sheet" aria-label={words.title}>
      <span class="tray-novels" lang="ja">
        {[...compared].map(([ncode, title]) => (
          <ForeignText key={ncode} text={title} maxLength={60} inLink />
        ))}
      </span>
      {compared.size < 2 ? (
        <span>{words.oneMore}</span>
      ) : (
        <a class="chip" href={hrefTo('compare', { ncodes: [...compared.keys()] })}>
          {words.show(compared.size)}
        </a>
      )}
      <button type="button" class="quiet" onClick={() => setCompared(new Map())}>
        {words.clear}
      </button>
    </aside>
  );
}
