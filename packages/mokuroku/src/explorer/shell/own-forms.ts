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
