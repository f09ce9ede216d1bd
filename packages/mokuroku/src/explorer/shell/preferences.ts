/** A reader's preferences, stored in this browser if it permits that. */
export type Preferences = ReturnType<typeof createPreferences>;

/** Storage may be forbidden: then choices last until the page is closed. */
export function createPreferences(storageOf: () => Storage) {
  return {
    read: (name: string): string | null => {
      try {
        return storageOf().getItem(`mokuroku-${name}`);
      } catch {
        return null;
      }
    },
    /** null: deletes the value. */
    write: (name: string, value: string | null): void => {
      try {
        if (value === null) storageOf().removeItem(`mokuroku-${name}`);
        else storageOf().setItem(`mokuroku-${name}`, value);
      } catch {
        // The choice still applies to this page.
      }
    },
  };
}

export const THEMES = ['auto', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

export function readTheme(text: string | null): Theme {
  return THEMES.find((theme) => theme === text) ?? 'auto';
}

/** Follows the system by default. */
export function applyTheme(root: HTMLElement, theme: Theme): void {
  if (theme === 'auto') delete root.dataset['theme'];
  else root.dataset['theme'] = theme;
}

export const LANGUAGES = ['ja', 'en'] as const;
export type Language = (typeof LANGUAGES)[number];

/** The name of each language in itself. */
export const LANGUAGE_NAMES: Readonly<Record<Language, string>> = { ja: '日本語', en: 'English' };

/**
 * The reader's earlier choice, else the first supported language of the browser (`navigator.languages`), else
 * English.
 */
export function chooseLanguage(chosen: string | null, preferred: readonly string[]): Language {
  const tags = [chosen ?? '', ...preferred].map((tag) => tag.toLowerCase().split('-')[0]);
  return tags.flatMap((tag) => LANGUAGES.find((language) => language === tag) ?? [])[0] ?? 'en';
}
