/** What a reader prefers, kept in this browser where it allows that. */
export interface Preferences {
  read: (name: string) => string | null;
  /** null: forgotten. */
  write: (name: string, value: string | null) => void;
}

/** Storage can be forbidden altogether: then choices last as long as the page. */
export function createPreferences(storageOf: () => Storage): Preferences {
  return {
    read: (name) => {
      try {
        return storageOf().getItem(`mokuroku-${name}`);
      } catch {
        return null;
      }
    },
    write: (name, value) => {
      try {
        if (value === null) storageOf().removeItem(`mokuroku-${name}`);
        else storageOf().setItem(`mokuroku-${name}`, value);
      } catch {
        // It still holds for this page.
      }
    },
  };
}

export const THEMES = ['auto', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

export function readTheme(text: string | null): Theme {
  return THEMES.find((theme) => theme === text) ?? 'auto';
}

/** Follows the system unless told otherwise. */
export function applyTheme(root: HTMLElement, theme: Theme): void {
  if (theme === 'auto') delete root.dataset['theme'];
  else root.dataset['theme'] = theme;
}
