import type { Environment } from '../process/config.ts';
import { JAPANESE } from './japanese.ts';
import { printable } from './text-width.ts';

export type Language = 'en' | 'ja';

/** What the command says for people; the compiler holds that each has its Japanese. */
export type Phrase = keyof typeof JAPANESE;

export type Values = Readonly<Record<string, string | number>>;

/** A phrase in the language of the terminal, `{names}` filled in: with what a service may have said, so made printable. */
export function say({ language }: { language: Language }, phrase: Phrase, values: Values = {}): string {
  const text = language === 'ja' ? JAPANESE[phrase] : phrase;
  return text.replaceAll(/\{(\w+)\}/g, (_, name: string) => printable(String(values[name] ?? '')));
}

/** A text of a table (an option's description, a header): as it is where there is no Japanese for it. */
export function translated({ language }: { language: Language }, text: string): string {
  return language === 'ja' && Object.hasOwn(JAPANESE, text) ? JAPANESE[text as Phrase] : text;
}

/** As POSIX has it: LC_ALL over LC_MESSAGES over LANG; without any of them (Windows) what the system says. */
export function languageOf(environment: Environment): Language {
  const locale =
    environment['LC_ALL'] ||
    environment['LC_MESSAGES'] ||
    environment['LANG'] ||
    new Intl.DateTimeFormat().resolvedOptions().locale;
  return /^ja\b|^ja_/i.test(locale) ? 'ja' : 'en';
}
