/** A reader's preferences and shelf, stored in this browser if it permits that. */
export type Preferences = ReturnType<typeof createPreferences>;

/** Storage may be full or forbidden (then `storageOf` throws): what it lacks lasts until the page is closed. */
export function createPreferences(storageOf: () => Storage) {
  const unstored = new Map<string, string | null>();
  return {
    /** The newest value: another tab may have written it. */
    read: (name: string): string | null => {
      try {
        if (!unstored.has(name)) return storageOf().getItem(`mokuroku-${name}`);
      } catch {
        unstored.set(name, null);
      }
      return unstored.get(name) ?? null;
    },
    /** null: deletes the value. */
    write: (name: string, value: string | null): void => {
      try {
        if (value === null) storageOf().removeItem(`mokuroku-${name}`);
        else storageOf().setItem(`mokuroku-${name}`, value);
        unstored.delete(name);
      } catch {
        unstored.set(name, value);
      }
    },
    isStored: (name: string): boolean => !unstored.has(name),
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
