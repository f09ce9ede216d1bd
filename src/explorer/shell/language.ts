export const LANGUAGES = ['ja', 'en'] as const;
export type Language = (typeof LANGUAGES)[number];

/** The name of each language in itself. */
export const LANGUAGE_NAMES: Readonly<Record<Language, string>> = { ja: '日本語', en: 'English' };

function isLanguage(text: string | null): text is Language {
  return LANGUAGES.some((language) => language === text);
}

/**
 * The reader's earlier choice, else the first supported language of the browser (`navigator.languages`), else
 * English.
 */
export function chooseLanguage(chosen: string | null, preferred: readonly string[]): Language {
  if (isLanguage(chosen)) return chosen;
  for (const tag of preferred) {
    const primary = tag.toLowerCase().split('-')[0] ?? '';
    if (isLanguage(primary)) return primary;
  }
  return 'en';
}
