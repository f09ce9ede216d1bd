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
