import { z } from 'zod';
import { NOVEL_ALLOWED, NOVEL_FAULTS } from './fault-texts.ts';
import { rejectValue } from '@mokuroku/kit/process';
import type { Text } from '@mokuroku/kit';
import { NCODE_PATTERN, findNcode, parseNcode } from './ncode.ts';
import { findOfField } from './of-fields.ts';
import type { OfCode } from './of-fields.ts';
import type { About, Parameter } from '@mokuroku/kit/http';
import { shownText } from '@mokuroku/kit/http';

// Parameters that contain codes or ids: one, or a list of them.

/** The first few invalid members of a list. */
const listed = (items: readonly string[]) =>
  items
    .slice(0, 10)
    .map((item) => JSON.stringify(shownText(item)))
    .join(', ') + (items.length > 10 ? ` and ${items.length - 10} more` : '');

interface ListItem<Item> {
  /** Null for an invalid member. */
  readonly read: (text: string) => Item | null;
  /** The reason given for invalid members. */
  readonly fault: (members: string) => Text;
  readonly max?: number;
  /** The allowed values. */
  readonly allowed: Text;
  readonly values?: readonly Item[];
  /** JSON schema of a member. */
  readonly published: Readonly<Record<string, unknown>>;
}

/**
 * Members separated by commas. Hyphens between them and spaces around them are accepted too. Order and duplicates do
 * not matter.
 */
function listParameter<Item extends string | number>(about: About, item: ListItem<Item>): Parameter<Item[]> {
  const { max, values } = item;
  const allowed = item.allowed.en;
  const schema = z.string().transform((text, context) => {
    const given = text.split(/[,-]/).map((member) => member.trim());
    if (max !== undefined && given.length > max)
      return rejectValue(context, NOVEL_FAULTS.tooManyCodes(given.length, max).en);
    const items = given.map(item.read);
    const wrong = new Set(given.filter((_, at) => items[at] === null));
    if (wrong.size > 0) return rejectValue(context, item.fault(listed([...wrong])).en);
    return [...new Set(items.filter((each) => each !== null))].sort((a, b) => (a < b ? -1 : 1));
  });
  const bounds = { minItems: 1, ...(max !== undefined && { maxItems: max }) };
  const published = { type: 'array', items: item.published, ...bounds };
  return { ...about, schema, allowed, ...(values && { values }), separator: ',', published };
}

/** Values of a closed set. */
const valueList =
  <Any extends string | number>(type: 'integer' | 'string', fault: ListItem<Any>['fault']) =>
  <Value extends Any>(values: readonly Value[], about: About): Parameter<Value[]> =>
    listParameter(about, {
      read: (text) => values.find((value) => String(value) === text) ?? null,
      fault,
      values,
      allowed: NOVEL_ALLOWED.someOf(values.join(', ')),
      published: { type, enum: [...values] },
    });
export const codeList = valueList<number>('integer', NOVEL_FAULTS.unknownCodes);
export const wordList = valueList<string>('string', NOVEL_FAULTS.unknownWords);

const USERID_PATTERN = /^0*[1-9][0-9]{0,9}$/;

export function useridList(about: About): Parameter<number[]> {
  return listParameter(about, {
    read: (text) => (USERID_PATTERN.test(text) ? Number(text) : null),
    fault: NOVEL_FAULTS.notUserids,
    allowed: NOVEL_ALLOWED.userids,
    published: { type: 'string', pattern: '^[0-9]+$' },
  });
}

/** One user id. */
export function userid(about: About): Parameter<number> {
  const schema = z.string().regex(USERID_PATTERN, NOVEL_FAULTS.notUserid.en).transform(Number);
  return {
    ...about,
    schema,
    allowed: NOVEL_ALLOWED.userid.en,
    published: { type: 'integer', minimum: 1, maximum: 9_999_999_999 },
  };
}

const MAX_NCODES = 500;
const PUBLISHED_NCODE = { type: 'string', pattern: NCODE_PATTERN.source };

/** One Ncode in any case, parsed to upper case. */
export function ncode(about: About): Parameter<string> {
  const schema = z.string().transform((text, context) => {
    const meant = findNcode(text);
    const fault = meant === null ? NOVEL_FAULTS.notNcode : NOVEL_FAULTS.meantNcode(meant);
    return parseNcode(text) ?? rejectValue(context, fault.en);
  });
  return { ...about, schema, allowed: NOVEL_ALLOWED.ncode.en, published: PUBLISHED_NCODE };
}

/** At most MAX_NCODES Ncodes in any case. */
export function ncodeList(about: About): Parameter<string[]> {
  return listParameter(about, {
    read: parseNcode,
    fault: NOVEL_FAULTS.notNcodes,
    max: MAX_NCODES,
    published: PUBLISHED_NCODE,
    allowed: NOVEL_ALLOWED.ncodes(MAX_NCODES),
  });
}

/** Author ids of the adult site in any case, parsed to lower case. */
export function xidList(about: About): Parameter<string[]> {
  const pattern = /^[Xx][0-9]{4}[A-Za-z]{1,2}$/;
  return listParameter(about, {
    read: (text) => (pattern.test(text) ? text.toLowerCase() : null),
    fault: NOVEL_FAULTS.notXids,
    max: MAX_NCODES,
    published: { type: 'string', pattern: pattern.source },
    allowed: NOVEL_ALLOWED.xids(MAX_NCODES),
  });
}

/** `of`: codes separated by hyphens, in any order, with or without duplicates; parsed to the table's order. */
export function ofList(codes: readonly OfCode[], about: About): Parameter<OfCode[]> {
  const schema = z.string().transform((text, context) => {
    const given = new Set(text.split('-'));
    const selectedCodes = codes.filter((code) => given.has(code));
    if (selectedCodes.length === given.size) return selectedCodes;
    const unknown = [...given].filter((code) => !codes.some((each) => each === code));
    return rejectValue(context, NOVEL_FAULTS.unknownCodes(listed(unknown)).en);
  });
  const pattern = `^(${codes.join('|')})(-(${codes.join('|')}))*$`;
  return {
    ...about,
    schema,
    allowed: NOVEL_ALLOWED.hyphenated(
      codes.map((code) => `${code} (${findOfField(code)?.field ?? code})`).join(', '),
    ).en,
    values: codes,
    separator: '-',
    published: { type: 'string', pattern },
  };
}
