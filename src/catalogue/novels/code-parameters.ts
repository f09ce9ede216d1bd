import { z } from 'zod';
import { rejectValue } from '../../process/reject-value.ts';
import { NCODE_PATTERN, findNcode, parseNcode } from './ncode.ts';
import { findOfField } from './of-fields.ts';
import type { OfCode } from './of-fields.ts';
import type { Parameter } from './parameter.ts';
import { shownText } from './parameter.ts';
import type { About } from './parameter-kinds.ts';

// Parameters that contain codes or ids: one, or a list of them.

/** The first few invalid members of a list. */
const listed = (items: readonly string[]) =>
  items
    .slice(0, 10)
    .map((item) => JSON.stringify(shownText(item)))
    .join(', ') + (items.length > 10 ? ` and ${items.length - 10} more` : '');

interface ListItem<Item> {
  readonly isOne: (text: string) => boolean;
  readonly read: (text: string) => Item;
  /** The reason given for invalid members. */
  readonly fault: string;
  readonly max?: number;
  /** The allowed values. */
  readonly allowed: string;
  readonly values?: readonly Item[];
  /** JSON schema of a member. */
  readonly published: Readonly<Record<string, unknown>>;
}

/**
 * Members separated by commas. Hyphens between them and spaces around them are accepted too. Order and duplicates do
 * not matter.
 */
function listParameter<Item extends string | number>(about: About, item: ListItem<Item>): Parameter<Item[]> {
  const { max, allowed, values } = item;
  const schema = z.string().transform((text, context) => {
    const given = text.split(/[,-]/).map((member) => member.trim());
    if (max !== undefined && given.length > max)
      return rejectValue(context, `${given.length} codes, more than ${max}`);
    const wrong = [...new Set(given.filter((member) => !item.isOne(member)))];
    if (wrong.length > 0) return rejectValue(context, `${item.fault}: ${listed(wrong)}`);
    return [...new Set(given.map(item.read))].sort((a, b) => (a < b ? -1 : 1));
  });
  const bounds = { minItems: 1, ...(max !== undefined && { maxItems: max }) };
  const published = { type: 'array', items: item.published, ...bounds };
  return { ...about, schema, allowed, ...(values && { values }), published };
}

/** Codes of a table. */
export function codeList(codes: readonly number[], about: About): Parameter<number[]> {
  const knownCodes = new Set(codes.map(String));
  return listParameter(about, {
    isOne: (text: string) => knownCodes.has(text),
    read: Number,
    fault: 'no such code',
    values: codes,
    allowed: `one or more of ${codes.join(', ')}, separated by commas`,
    published: { type: 'integer', enum: [...codes] },
  });
}

/** Words of a closed set. */
export function wordList<Word extends string>(knownWords: readonly Word[], about: About): Parameter<Word[]> {
  return listParameter(about, {
    isOne: (text: string) => knownWords.some((word) => word === text),
    read: (text: string) => text as Word,
    fault: 'no such word',
    values: knownWords,
    allowed: `one or more of ${knownWords.join(', ')}, separated by commas`,
    published: { type: 'string', enum: [...knownWords] },
  });
}

const USERID_PATTERN = /^0*[1-9][0-9]{0,9}$/;

export function useridList(about: About): Parameter<number[]> {
  return listParameter(about, {
    isOne: (text: string) => USERID_PATTERN.test(text),
    read: Number,
    fault: 'not a user id',
    allowed: 'user ids (digits), separated by commas',
    published: { type: 'string', pattern: '^[0-9]+$' },
  });
}

/** One user id. */
export function userid(about: About): Parameter<number> {
  const schema = z.string().regex(USERID_PATTERN, 'not one user id').transform(Number);
  return {
    ...about,
    schema,
    allowed: 'one user id (digits)',
    published: { type: 'integer', minimum: 1, maximum: 9_999_999_999 },
  };
}

export const MAX_NCODES = 500;
const PUBLISHED_NCODE = { type: 'string', pattern: NCODE_PATTERN.source };

/** One Ncode in any case, parsed to upper case. */
export function ncode(about: About): Parameter<string> {
  const schema = z.string().transform((text, context) => {
    const meant = findNcode(text);
    const hint = meant === null ? '' : `; try ${meant}`;
    return parseNcode(text) ?? rejectValue(context, `not an Ncode${hint}`);
  });
  const allowed = 'an Ncode: N, four digits, one or two letters (any case)';
  return { ...about, schema, allowed, published: PUBLISHED_NCODE };
}

/** At most MAX_NCODES Ncodes in any case. */
export function ncodeList(about: About): Parameter<string[]> {
  return listParameter(about, {
    isOne: (text) => NCODE_PATTERN.test(text),
    read: (text) => text.toUpperCase(),
    fault: 'not an Ncode',
    max: MAX_NCODES,
    published: PUBLISHED_NCODE,
    allowed: `at most ${MAX_NCODES} Ncodes (N, four digits, one or two letters), separated by commas`,
  });
}

/** Author ids of the adult site in any case, parsed to lower case. */
export function xidList(about: About): Parameter<string[]> {
  const pattern = /^[Xx][0-9]{4}[A-Za-z]{1,2}$/;
  return listParameter(about, {
    isOne: (text) => pattern.test(text),
    read: (text) => text.toLowerCase(),
    fault: 'not an xid',
    max: MAX_NCODES,
    published: { type: 'string', pattern: pattern.source },
    allowed: `at most ${MAX_NCODES} author ids of the adult site (x, four digits, one or two letters), separated by commas`,
  });
}

/** `of`: codes separated by hyphens, in any order, with or without duplicates; parsed to the table's order. */
export function ofList(codes: readonly OfCode[], about: About): Parameter<OfCode[]> {
  const schema = z.string().transform((text, context) => {
    const given = new Set(text.split('-'));
    const selectedCodes = codes.filter((code) => given.has(code));
    if (selectedCodes.length === given.size) return selectedCodes;
    const unknown = [...given].filter((code) => !codes.some((each) => each === code));
    return rejectValue(context, `no such code: ${listed(unknown)}`);
  });
  const pattern = `^(${codes.join('|')})(-(${codes.join('|')}))*$`;
  return {
    ...about,
    schema,
    allowed: `codes separated by hyphens: ${codes.map((code) => `${code} (${findOfField(code)?.field ?? code})`).join(', ')}`,
    values: codes,
    published: { type: 'string', pattern },
  };
}
