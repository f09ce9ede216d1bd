import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';

interface TableBehindProps {
  summary: ComponentChildren;
  /** Label of the scrollable part for screen readers. */
  label: string;
  look?: string;
  columns: readonly ComponentChildren[];
  /** Renders the rows when it is opened: there may be thousands. */
  children: () => ComponentChildren;
}

/** The data of a chart as a table. */
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
                {columns.map((column, index) => (
                  <th key={index} scope="col">
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
