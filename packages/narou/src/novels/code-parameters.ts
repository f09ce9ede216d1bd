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
  readonly isOne: (text: string) => boolean;
  readonly read: (text: string) => Item;
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
    const wrong = [...new Set(given.filter((member) => !item.isOne(member)))];
    if (wrong.length > 0) return rejectValue(context, item.fault(listed(wrong)).en);
    return [...new Set(given.map(item.read))].sort((a, b) => (a < b ? -1 : 1));
  });
  const bounds = { minItems: 1, ...(max !== undefined && { maxItems: max }) };
  const published = { type: 'array', items: item.published, ...bounds };
  return { ...about, schema, allowed, ...(values && { values }), separator: ',', published };
}

/** Codes of a table. */
export function codeList(codes: readonly number[], about: About): Parameter<number[]> {
  const knownCodes = new Set(codes.map(String));
  return listParameter(about, {
    isOne: (text: string) => knownCodes.has(text),
    read: Number,
    fault: NOVEL_FAULTS.unknownCodes,
    values: codes,
    allowed: NOVEL_ALLOWED.someOf(codes.join(', ')),
    published: { type: 'integer', enum: [...codes] },
  });
}

/** Words of a closed set. */
export function wordList<Word extends string>(knownWords: readonly Word[], about: About): Parameter<Word[]> {
  return listParameter(about, {
    isOne: (text: string) => knownWords.some((word) => word === text),
    read: (text: string) => text as Word,
    fault: NOVEL_FAULTS.unknownWords,
    values: knownWords,
    allowed: NOVEL_ALLOWED.someOf(knownWords.join(', ')),
    published: { type: 'string', enum: [...knownWords] },
  });
}

const USERID_PATTERN = /^0*[1-9][0-9]{0,9}$/;

export function useridList(about: About): Parameter<number[]> {
  return listParameter(about, {
    isOne: (text: string) => USERID_PATTERN.test(text),
    read: Number,
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
    isOne: (text) => NCODE_PATTERN.test(text),
    read: (text) => text.toUpperCase(),
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
    isOne: (text) => pattern.test(text),
    read: (text) => text.toLowerCase(),
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
