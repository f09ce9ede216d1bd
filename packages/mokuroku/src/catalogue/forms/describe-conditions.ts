import { GENRE_NAMES, BIGGENRES, FIELD_LABELS, NOVELAPI_ORDERS } from '@mokuroku/narou';
import { ADULT_NOVEL_ROWS, NOVEL_ROWS, RANKING_ROWS } from '@mokuroku/narou/queries';
import type { ConditionRow } from '@mokuroku/narou/queries';
import { text } from '@mokuroku/kit';
import type { Language, Text } from '@mokuroku/kit';

// The conditions of a search or a ranking as a title, from the texts of their rows.

// Maps: a name of a request may be that of a member which every object has.
const ROWS = new Map<string, ConditionRow>(
  Object.entries({ ...RANKING_ROWS, ...NOVEL_ROWS, ...ADULT_NOVEL_ROWS }),
);
const LABELS = new Map(
  Object.entries({
    ...FIELD_LABELS,
    biggenre: new Map(BIGGENRES.map(({ code, label_ja }) => [code, label_ja])),
  }),
);
const ORDERS = new Map<string, { text: Text }>([
  ...Object.entries(NOVELAPI_ORDERS),
  ['rise', { text: text('risen most', '順位の上昇が大きい順') }],
]);
/** Conditions whose values need no name; with `not` in front they are excluded. */
const PLAIN = new Set(['word', 'genre', 'biggenre', 'nocgenre']);

const SIGNS: Readonly<Record<Language, Readonly<Record<'colon' | 'comma' | 'or', string>>>> = {
  en: { colon: ': ', comma: '; ', or: ' or ' },
  ja: { colon: ': ', comma: '、', or: '・' },
};
const exclude = (what: string, language: Language) => (language === 'en' ? `not ${what}` : `${what}を除く`);

/** The first words of a description: `文字数の下限。...` is `文字数の下限`. */
const firstWords = (said: string): string => said.replace(/([.。:（、,]| \().*/s, '');

/** What a description says of one of its values: `er 完結済の連載`. */
function choiceName(said: string, value: string): string {
  const meanings = said.split(/[、。,.]/).map((part) => part.match(/^ ?(\w+) (?:は|なら、?)?(.+)/));
  return firstWords(meanings.find((meaning) => meaning?.[1] === value)?.[2] ?? value);
}

/** The novels of a shelf may be hundreds: its feed names the first of them. */
const MAX_NAMED = 3;
function describeNcodes(value: string): string {
  const ncodes = value.split(/[-,]/);
  const more = ncodes.length > MAX_NAMED ? ` … (${ncodes.length})` : '';
  return ncodes.slice(0, MAX_NAMED).join() + more;
}

function describeCondition(name: string, value: string, language: Language): string {
  const row = ROWS.get(name);
  if (row === undefined) return '';
  if (name === 'ncode') return describeNcodes(value);
  const label = (row.label ?? row.text)[language];
  if (row.kind === 'flag') return firstWords(label);
  if (row.kind === 'choice') return choiceName(label, value);
  const field = name.replace(/^not/, '');
  const labels = LABELS.get(field);
  const english = language === 'en' && field !== 'nocgenre' ? GENRE_NAMES : {};
  const names = (code: string) => (labels && (english[Number(code)] ?? labels.get(Number(code)))) ?? code;
  const values = row.kind === 'codes' ? value.split(/[-,]/).map(names).join(SIGNS[language].or) : value;
  const whole = PLAIN.has(field) ? values : `${firstWords(label)} ${values}`;
  return field === name ? whole : exclude(whole, language);
}

/** `小説: 猫、完結済の連載（新着更新順）`; without conditions only the order. `query` in the form of a request. */
export function titleOfQuestion(subject: string, query: URLSearchParams, language: Language): string {
  const { colon, comma } = SIGNS[language];
  const conditions = [...query].map(([name, value]) => describeCondition(name, value, language));
  const said = conditions.filter((condition) => condition !== '').join(comma);
  const order = ORDERS.get(query.get('order') ?? '')?.text[language].replace(/ \(.*/s, '');
  const by = order === undefined ? '' : language === 'en' ? ` (${order})` : `（${order}）`;
  return `${subject}${said && colon}${said}${by}`;
}
