import { useWords } from './language-context.ts';
import { SHELL_WORDS } from './shell-words.ts';

/** Where rows will be. The widths differ as those of titles do. */
export function Skeleton({ rows }: { rows: number }) {
  const words = useWords(SHELL_WORDS);
  return (
    <div class="skeleton" role="status">
      <span class="hidden">{words.loading}</span>
      {Array.from({ length: rows }, (_, row) => (
        <div key={row} class={`skeleton-row skeleton-row-${row % 4}`} aria-hidden="true">
          <i />
          <i />
        </div>
      ))}
    </div>
  );
}
