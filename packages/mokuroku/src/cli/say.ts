import type { Environment } from '@mokuroku/kit/process';
import type { Text } from '@mokuroku/kit';
import { terminalText } from './text-width.ts';

export type Language = keyof Text;

/** A text for people in the terminal's language. Control characters of its values are replaced. */
export const say = ({ language }: { language: Language }, en: string, ja: string): string =>
  terminalText(language === 'ja' ? ja : en);

export const sayMeant = (screen: { language: Language }, meant: string): string =>
  say(screen, `Did you mean ${meant}?`, `もしかして: ${meant}`);

/** A text of a table, such as a label or the description of an option. */
export const translated = ({ language }: { language: Language }, text: Text): string => text[language];

/** As in POSIX, LC_ALL over LC_MESSAGES over LANG; without any of them (Windows) the system's locale. */
export function languageOf(environment: Environment): Language {
  const locale =
    environment['LC_ALL'] ||
    environment['LC_MESSAGES'] ||
    environment['LANG'] ||
    new Intl.DateTimeFormat().resolvedOptions().locale;
  return /^ja\b|^ja_/i.test(locale) ? 'ja' : 'en';
}
