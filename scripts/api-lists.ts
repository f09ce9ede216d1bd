import { describeField } from '../packages/mokuroku/src/catalogue/endpoints/novel-schemas.ts';
import { NOVEL_ERRORS, OF_FIELDS, NOVEL18API_ORDERS, NOVELAPI_ORDERS } from '@mokuroku/narou';
import type { Parameter } from '@mokuroku/kit/http';
import { ADULT_SEARCH_PARAMETERS, NOVEL_FACETS, NOVEL_SEARCH_PARAMETERS } from '@mokuroku/narou/queries';
import { ERRORS } from '@mokuroku/kit';
import type { ErrorKind, Text } from '@mokuroku/kit';

// The lists of docs/api.md and docs/api.ja.md, from the tables of the service. `npm run api-lists` writes them between
// their markers.

type Language = keyof Text;

const SEE_ORDERS: Text = {
  en: 'order of the results, see [Orders](#orders).',
  ja: '結果の順。[並び順](#並び順)を参照してください。',
};

function parameterLines(language: Language): string[] {
  const parameters: Readonly<Record<string, Parameter>> = {
    ...NOVEL_SEARCH_PARAMETERS,
    facets: NOVEL_FACETS,
  };
  const adultOnly = Object.entries(ADULT_SEARCH_PARAMETERS).filter(([name]) => !(name in parameters));
  return [...Object.entries(parameters), ...adultOnly].map(([name, { example, ...texts }]) => {
    return `- \`${name}${example === undefined ? '' : `=${example}`}\`: ${name === 'order' ? SEE_ORDERS[language] : texts[language]}`;
  });
}

const fieldLines = (language: Language): string[] =>
  OF_FIELDS.map((row) => `- \`${row.code}\`, \`${row.field}\`: ${describeField(row)[language]}`);

const ALL_AGES_ONLY: Text = { en: ' (not on `/v1/r18/novels`)', ja: '（`/v1/r18/novels` にはありません）' };

const orderLines = (language: Language): string[] =>
  Object.entries(NOVELAPI_ORDERS).map(([order, { text }]) => {
    const more = order in NOVEL18API_ORDERS ? '' : ALL_AGES_ONLY[language];
    return `- \`${order}\`: ${text[language]}${more}`;
  });

/** The errors of look-ups are in docs/registration.md. */
const errorLines = (language: Language): string[] =>
  Object.values<ErrorKind>({ ...ERRORS, ...NOVEL_ERRORS })
    .sort((one, other) => one.status - other.status)
    .map(({ code, status, docs, [language]: sentences }) => {
      const words = docs?.[language] ?? sentences.join(language === 'en' ? '. ' : '。');
      return `- \`${code}\` (${status}): ${words}`;
    });

const LISTS = { parameters: parameterLines, fields: fieldLines, orders: orderLines, errors: errorLines };

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
