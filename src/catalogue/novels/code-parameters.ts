import { z } from 'zod';
import { NCODE_PATTERN, parseNcode } from './ncode.ts';
import { findOfField } from './of-fields.ts';
import type { OfCode } from './of-fields.ts';
import type { Parameter } from './parameter.ts';
import { shown } from './parameter.ts';
import type { About } from './parameter-kinds.ts';

// Kinds of parameters that hold codes or ids: one, or a list of them.

/** Wrong members of a list, the first few of them. */
const listed = (items: readonly string[]) =>
  items
    .slice(0, 10)
    .map((item) => JSON.stringify(shown(item)))
    .join(', ') + (items.length > 10 ? ` and ${items.length - 10} more` : '');

interface ListItem<Item> {
  readonly isOne: (text: string) => boolean;
  readonly read: (text: string) => Item;
  /** What is said of wrong members. */
  readonly fault: string;
  readonly most?: number;
}

/**
 * Members separated by commas; hyphens between them and blanks around them are read too. Order and doubles do not
 * count.
 */
function list<Item extends string | number>(item: ListItem<Item>) {
  return z.string().transform((text, context) => {
    const given = text.split(/[,-]/).map((member) => member.trim());
    if (item.most !== undefined && given.length > item.most) {
      context.addIssue({ code: 'custom', message: `${given.length} codes, more than ${item.most}` });
      return z.NEVER;
    }
    const wrong = [...new Set(given.filter((member) => !item.isOne(member)))];
    if (wrong.length > 0) {
      context.addIssue({ code: 'custom', message: `${item.fault}: ${listed(wrong)}` });
      return z.NEVER;
    }
    return [...new Set(given.map(item.read))].sort((a, b) => (a < b ? -1 : 1));
  });
}

/** Codes of a table. */
export function codeList(codes: readonly number[], about: About): Parameter<number[]> {
  const known = new Set(codes.map(String));
  return {
    ...about,
    schema: list({ isOne: (text) => known.has(text), read: Number, fault: 'no such code' }),
    allowed: `one or more of ${codes.join(', ')}, separated by commas`,
    values: codes,
    published: { type: 'array', items: { type: 'integer', enum: [...codes] }, minItems: 1 },
  };
}

/** Words of a closed set. */
export function wordList<Word extends string>(known: readonly Word[], about: About): Parameter<Word[]> {
  const isOne = (text: string) => known.some((word) => word === text);
  return {
    ...about,
    schema: list({ isOne, read: (text) => text as Word, fault: 'no such word' }),
    allowed: `one or more of ${known.join(', ')}, separated by commas`,
    values: known,
    published: { type: 'array', items: { type: 'string', enum: [...known] }, minItems: 1 },
  };
}

const USERID_PATTERN = /^0*[1-9][0-9]{0,9}$/;

export function useridList(about: About): Parameter<number[]> {
  return {
    ...about,
    schema: list({ isOne: (text) => USERID_PATTERN.test(text), read: Number, fault: 'not a user id' }),
    allowed: 'user ids (digits), separated by commas',
    published: { type: 'array', items: { type: 'string', pattern: '^[0-9]+$' }, minItems: 1 },
  };
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

/** One Ncode, any case, read to upper case. */
export function ncode(about: About): Parameter<string> {
  const schema = z.string().regex(NCODE_PATTERN, 'not an Ncode').toUpperCase();
  const allowed = 'an Ncode: N, four digits, one or two letters (any case)';
  return { ...about, schema, allowed, published: PUBLISHED_NCODE };
}

/** Up to so many Ncodes, any case. */
export function ncodeList(about: About, most = MAX_NCODES): Parameter<string[]> {
  const isOne = (text: string) => parseNcode(text) !== null;
  const read = (text: string) => text.toUpperCase();
  return {
    ...about,
    schema: list({ isOne, read, fault: 'not an Ncode', most }),
    allowed: `at most ${most} Ncodes (N, four digits, one or two letters), separated by commas`,
    published: { type: 'array', items: PUBLISHED_NCODE, minItems: 1, maxItems: most },
  };
}

/** Author ids of the adult site, any case, read to lower case. */
export function xidList(about: About): Parameter<string[]> {
  const pattern = /^[Xx][0-9]{4}[A-Za-z]{1,2}$/;
  const read = (text: string) => text.toLowerCase();
  return {
    ...about,
    schema: list({ isOne: (text) => pattern.test(text), read, fault: 'not an xid', most: MAX_NCODES }),
    allowed: `at most ${MAX_NCODES} author ids of the adult site (x, four digits, one or two letters), separated by commas`,
    published: { type: 'array', items: { type: 'string', pattern: pattern.source }, minItems: 1 },
  };
}

/** `of`: codes separated by hyphens, in any order, doubles tolerated; read to the table's order. */
export function ofList(codes: readonly OfCode[], about: About): Parameter<OfCode[]> {
  const schema = z.string().transform((text, context) => {
    const given = new Set(text.split('-'));
    const known = codes.filter((code) => given.has(code));
    if (known.length === given.size) return known;
    const unknown = [...given].filter((code) => !codes.some((each) => each === code));
    context.addIssue({ code: 'custom', message: `no such code: ${listed(unknown)}` });
    return z.NEVER;
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
