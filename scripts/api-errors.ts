import { ERRORS } from '@mokuroku/kit';
import type { ErrorKind, Text } from '@mokuroku/kit';
import { NOVEL_ERRORS } from '@mokuroku/narou';

// The errors of docs/api.md and docs/api.ja.md, from their tables. `npm run api-errors` writes them between the markers.
// Those of look-ups are in docs/registration.md.

type Language = keyof Text;

export const errorLines = (language: Language): string[] =>
  Object.values<ErrorKind>({ ...ERRORS, ...NOVEL_ERRORS })
    .sort((one, other) => one.status - other.status)
    .map(({ code, status, docs, [language]: sentences }) => {
      const words = docs?.[language] ?? sentences.join(language === 'en' ? '. ' : '。');
      return `- \`${code}\` (${status}): ${words}`;
    });

const [BEGIN, END] = ['<!-- errors: npm run api-errors -->', '<!-- end of errors -->'];

/** A page with its errors written anew. */
export function withErrors(page: string, language: Language): string {
  const [before, rest] = page.split(BEGIN);
  const [, after] = rest?.split(END) ?? [];
  if (before === undefined || after === undefined) throw new Error('The page has no list of errors.');
  return `${before}${BEGIN}\n\n${errorLines(language).join('\n')}\n\n${END}${after}`;
}
