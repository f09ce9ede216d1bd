import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { ForeignText } from '../shell/foreign-text.tsx';
import type { AnyNovel } from './novel-record.ts';
import { compareOf, hrefOf } from './view.ts';
import { useCatalogue } from './words.ts';

/** The novels selected for comparison; kept in the page's memory only. */
interface CompareChoice {
  ncodes: readonly string[];
  toggle: (ncode: string, title: string) => void;
}

export const CompareContext = createContext<CompareChoice>({ ncodes: [], toggle: () => undefined });

/** Selects a novel for comparison, or deselects it. */
export function CompareButton({ novel, inFull = false }: { novel: AnyNovel; inFull?: boolean }) {
  const words = useCatalogue().words.compare;
  const { ncodes, toggle } = useContext(CompareContext);
  const { ncode } = novel;
  if (ncode === undefined) return null;
  return (
    <button
      type="button"
      class="quiet compare-button"
      aria-pressed={ncodes.includes(ncode)}
      aria-label={inFull ? undefined : words.add(novel.title ?? ncode)}
      title={words.title}
      onClick={() => toggle(ncode, novel.title ?? ncode)}
    >
      {ncodes.includes(ncode) ? '✓' : '＋'}
      {inFull && ` ${ncodes.includes(ncode) ? words.added : words.addShort}`}
    </button>
  );
}

/** The selected novels; stays until it is cleared or the page is closed. */
export function CompareTray(props: {
  ncodes: readonly string[];
  titles: ReadonlyMap<string, string>;
  clear: () => void;
}) {
  const { ncodes, titles, clear } = props;
  const words = useCatalogue().words.compare;
  if (ncodes.length === 0) return null;
  return (
    <aside class="tray beside sheet" aria-label={words.title}>
      <span class="tray-novels" lang="ja">
        {ncodes.map((ncode) => (
          <ForeignText key={ncode} text={titles.get(ncode) ?? ncode} maxLength={60} inLink />
        ))}
      </span>
      {ncodes.length < 2 ? (
        <span>{words.oneMore}</span>
      ) : (
        <a class="chip" href={hrefOf(compareOf(ncodes))}>
          {words.show(ncodes.length)}
        </a>
      )}
      <button type="button" class="quiet" onClick={clear}>
        {words.clear}
      </button>
    </aside>
  );
}
