// Forms that a view makes itself, for the menu that has those of its calls: a calendar, a table of many calls.
import { useEffect, useRef } from 'preact/hooks';
import { usePage } from './page-context.ts';
import type { OwnForm } from './page-context.ts';

/** Has the form in the menu while the component is shown; no label: none. */
export function useOwnForm(label: string | undefined, action: OwnForm['action']): void {
  const { ownForms } = usePage();
  const latest = useRef(action);
  latest.current = action;
  const address = typeof action === 'string' ? action : undefined;
  useEffect(() => {
    if (label === undefined) return undefined;
    const save = () => typeof latest.current === 'function' && latest.current();
    return ownForms.add({ label, action: address ?? save });
  }, [ownForms, label, address]);
}

/** Saves a file of the reader, with the date in its name. */
export function saveText(text: string, name: string, type: 'csv' | 'json'): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(
    new Blob([text], { type: type === 'csv' ? 'text/csv' : 'application/json' }),
  );
  // The day in Japan as YYYY-MM-DD, as in the names of the service's files.
  link.download = `${name}-${new Date().toLocaleDateString('sv', { timeZone: 'Asia/Tokyo' })}.${type}`;
  link.click();
  // A browser may read the content some time after the click.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
