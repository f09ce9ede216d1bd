// Forms that a view makes itself, for the menu that has those of its calls: a calendar, a drawing, a table of many calls.
import { createListeners } from './listeners.ts';

export interface OwnForm {
  label: string;
  /** An address, or what saves a file. */
  action: string | (() => void);
}

export type OwnForms = ReturnType<typeof createOwnForms>;

/** The forms of all visible parts. */
export function createOwnForms() {
  const { notify, onChange } = createListeners();
  const shown = new Set<OwnForm>();
  return {
    onChange,
    list: (): readonly OwnForm[] => [...shown],
    /** Returns a function that removes the form. */
    add: (form: OwnForm) => {
      shown.add(form);
      notify();
      return () => {
        shown.delete(form);
        notify();
      };
    },
  };
}

/** Saves a file of the reader. */
export function saveText(text: string, fileName: string, type: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = fileName;
  link.click();
  // A browser may read the content some time after the click.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
