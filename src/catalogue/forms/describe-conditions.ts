import { BIGGENRES, FIELD_LABELS } from '../novels/genres.ts';
import { NOVELAPI_ORDERS } from '../novels/orders.ts';
import { ADULT_NOVEL_ROWS, NOVEL_ROWS, RANKING_ROWS } from '../novels/search-conditions.ts';
import type { ConditionRow } from '../novels/search-conditions.ts';

// The conditions of a search or a ranking as a title in Japanese, from the texts of their rows.

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
const ORDERS = new Map<string, { text: { ja: string } }>(Object.entries(NOVELAPI_ORDERS));
/** Conditions whose values need no name. */
const PLAIN = new Set(['word', 'ncode', 'genre', 'biggenre', 'nocgenre']);

/** The first words of a description: `文字数の下限。...` is `文字数の下限`. */
const nameOf = ({ text: { ja } }: ConditionRow): string =>
  ja.replace(/[。:（、].*/s, '').replace(/のコード$/, '');

/** `（1）` and `1 なら、` belong to the parameter, not to the condition. */
const flagName = ({ text: { ja } }: ConditionRow): string =>
  ja.replace(/^1 なら、?/, '').replace(/(（1）)?。.*/s, '');

/** What a description says of one of its values: `er 完結済の連載`. */
function choiceName({ text: { ja } }: ConditionRow, value: string): string {
  const meanings = ja.split(/[、。]/).map((part) => part.match(/^(\w+) (?:は|なら、?)?(.+)/));
  return meanings.find((meaning) => meaning?.[1] === value)?.[2] ?? value;
}

function describeCondition(name: string, value: string): string {
  const row = ROWS.get(name);
  if (row === undefined) return '';
  if (row.kind === 'flag') return flagName(row);
  if (row.kind === 'choice') return choiceName(row, value);
  const labels = LABELS.get(name.replace(/^not/, ''));
  const codes = row.kind === 'codes' ? value.split(/[-,]/) : [value];
  const values = codes.map((code) => labels?.get(Number(code)) ?? code).join('・');
  return PLAIN.has(name) ? values : `${nameOf(row)} ${values}`;
}

/** `猫、完結済の連載（新着更新順）`; without conditions only the order. `query` in the form of a request. */
export function describeConditions(query: URLSearchParams): { conditions: string; order: string } {
  const conditions = [...query].map(([name, value]) => describeCondition(name, value));
  const order = query.get('order') ?? '';
  const orderName = order === 'rise' ? '上昇順' : ORDERS.get(order)?.text.ja;
  return {
    conditions: conditions.filter((text) => text !== '').join('、'),
    order: orderName === undefined ? '' : `（${orderName}）`,
  };
}
