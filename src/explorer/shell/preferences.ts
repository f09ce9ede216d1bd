/** What a reader prefers, kept in this browser where it allows that. Nothing else is ever kept. */
export interface Preferences {
  read: (name: 'language' | 'theme') => string | null;
  write: (name: 'language' | 'theme', value: string) => void;
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
        storageOf().setItem(`mokuroku-${name}`, value);
      } catch {
        // It still holds for this page.
      }
    },
  };
}
