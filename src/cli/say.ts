import type { Environment } from '../process/config.ts';
import { JAPANESE } from './japanese.ts';
import type { Text } from '../process/text.ts';
import { terminalText } from './text-width.ts';

export type Language = 'en' | 'ja';

/** Texts for people; the compiler checks that each has a Japanese translation. */
export type Phrase = keyof typeof JAPANESE;

export type PhraseValues = Readonly<Record<string, string | number>>;

/** A text in the terminal's language with `{names}` filled in. Control characters of the values are replaced. */
export function say({ language }: { language: Language }, phrase: Phrase, values: PhraseValues = {}): string {
  const text = language === 'ja' ? JAPANESE[phrase] : phrase;
  return text.replaceAll(/\{(\w+)\}/g, (_, name: string) => terminalText(String(values[name] ?? '')));
}

/** A text of a table (an option's description, a header), untranslated if there is no Japanese for it. */
export function translated({ language }: { language: Language }, text: string | Text): string {
  if (typeof text !== 'string') return withoutOne(text[language]);
  return language === 'ja' && Object.hasOwn(JAPANESE, text) ? JAPANESE[text as Phrase] : text;
}

/** `1: only novels with ...`: a flag needs no 1. */
const withoutOne = (text: string): string =>
  text.replace(/^(?:1: |1 なら、?)(.)/, (_, first: string) => first.toUpperCase());

/** As in POSIX, LC_ALL over LC_MESSAGES over LANG; without any of them (Windows) the system's locale. */
export function languageOf(environment: Environment): Language {
  const locale =
    environment['LC_ALL'] ||
    environment['LC_MESSAGES'] ||
    environment['LANG'] ||
    new Intl.DateTimeFormat().resolvedOptions().locale;
  return /^ja\b|^ja_/i.test(locale) ? 'ja' : 'en';
}
