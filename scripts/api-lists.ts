import { describeField } from '../packages/mokuroku/src/catalogue/endpoints/novel-schemas.ts';
import { NOVEL_ERRORS, OF_FIELDS } from '@mokuroku/narou';
import { ERRORS } from '@mokuroku/kit';
import type { ErrorKind, Text } from '@mokuroku/kit';

// The lists of docs/api.md and docs/api.ja.md, from the tables of the service. `npm run api-lists` writes them between
// their markers.

type Language = keyof Text;

const fieldLines = (language: Language): string[] =>
  OF_FIELDS.map((row) => `- \`${row.code}\`, \`${row.field}\`: ${describeField(row)[language]}`);

/** The errors of look-ups are in docs/registration.md. */
const errorLines = (language: Language): string[] =>
  Object.values<ErrorKind>({ ...ERRORS, ...NOVEL_ERRORS })
    .sort((one, other) => one.status - other.status)
    .map(({ code, status, docs, [language]: sentences }) => {
      const words = docs?.[language] ?? sentences.join(language === 'en' ? '. ' : '。');
      return `- \`${code}\` (${status}): ${words}`;
    });

const LISTS = { fields: fieldLines, errors: errorLines };

/** A page with its lists written anew. */
export function withLists(page: string, language: Language): string {
  return Object.entries(LISTS).reduce((text, [name, linesOf]) => {
    const [begin, end] = [`<!-- ${name}: npm run api-lists -->`, `<!-- end of ${name} -->`];
    const [before, rest] = text.split(begin);
    const [, after] = rest?.split(end) ?? [];
    if (before === undefined || after === undefined) throw new Error(`The page has no list of ${name}.`);
    return `${before}${begin}\n\n${linesOf(language).join('\n')}\n\n${end}${after}`;
  }, page);
}
