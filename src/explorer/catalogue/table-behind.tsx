import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';

interface TableBehindProps {
  summary: ComponentChildren;
  /** Of the part that is scrolled, to those who do not see it. */
  label: string;
  look?: string;
  columns: readonly ComponentChildren[];
  /** The rows, made when it is opened: there can be thousands. */
  children: () => ComponentChildren;
}

/** What a chart shows, as a table. */
export function TableBehind({ summary, label, look = '', columns, children }: TableBehindProps) {
  const [open, setOpen] = useState(false);
  return (
    <details class="history-table" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{summary}</summary>
      {open && (
        <div class={`scroll ${look}`} tabIndex={0} role="region" aria-label={label}>
          <table>
            <thead>
              <tr>
                {columns.map((column, place) => (
                  <th key={place} scope="col">
                    {column}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>{children()}</tbody>
          </table>
        </div>
      )}
    </details>
  );
}
