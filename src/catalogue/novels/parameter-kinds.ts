import { z } from 'zod';
import { NCODE_PATTERN, parseNcode } from './ncode.ts';
import { findOfField } from './of-fields.ts';
import type { OfCode } from './of-fields.ts';
import type { Parameter } from './parameter.ts';
import { shown } from './parameter.ts';

type About = Pick<Parameter, 'description'> & Partial<Pick<Parameter, 'example' | 'byDefault' | 'added'>>;

const DIGITS = /^[0-9]+$/;
const BLANKS = /[\s\u3000]+/;

/** Wrong members of a list, the first few of them. */
const listed = (items: readonly string[]) =>
  items
    .slice(0, 10)
    .map((item) => JSON.stringify(shown(item)))
    .join(', ') + (items.length > 10 ? ` and ${items.length - 10} more` : '');

/**
 * Search words, separated by half- or full-width blanks; all must match, so their order and doubles do not
 * count. Nothing but blanks is no search at all.
 */
export function words(about: About): Parameter<string | undefined> {
  const schema = z
    .string()
    .transform((text) => [...new Set(text.split(BLANKS).filter((word) => word !== ''))].sort().join(' '))
    .transform((text) => (text === '' ? undefined : text));
  return { ...about, schema, allowed: 'words separated by blanks', published: { type: 'string' } };
}

/** 1, or 0 for "not this one": 0 is what counts when the parameter is left out. */
export function flag(about: About): Parameter<1 | undefined> {
  const schema = z
    .enum(['0', '1'], 'neither 0 nor 1')
    .transform((text) => (text === '1' ? (1 as const) : undefined));
  const published = { type: 'integer', enum: [0, 1], default: 0 };
  return { byDefault: 0, example: 1, ...about, schema, allowed: '0 or 1', values: [0, 1], published };
}

/** Digits only: neither sign, blank, exponent nor another base. */
export function wholeNumber(minimum: number, maximum: number, about: About): Parameter<number> {
  const schema = z
    .string()
    .regex(DIGITS, 'not a whole number in digits')
    .transform(Number)
    .pipe(z.number().min(minimum, `below ${minimum}`).max(maximum, `above ${maximum}`));
  const bounds = maximum === Number.MAX_SAFE_INTEGER ? {} : { maximum };
  return {
    ...about,
    schema,
    allowed: `a whole number ${'maximum' in bounds ? `from ${minimum} to ${maximum}` : `of at least ${minimum}`}, in digits`,
    published: { type: 'integer', minimum, ...bounds },
  };
}

/** One word of a closed set, in exactly this spelling. */
export function oneOf<Value extends string>(values: readonly Value[], about: About): Parameter<Value> {
  const schema = z.enum(values, 'not one of the values that there are');
  return { ...about, schema, allowed: `one of: ${values.join(', ')}`, values };
}

/** Codes of a table, separated by commas. Order and doubles do not count. */
export function codeList(codes: readonly number[], about: About): Parameter<number[]> {
  const known = new Set(codes.map(String));
  const schema = z.string().transform((text, context) => {
    const given = [...new Set(text.split(','))];
    const unknown = given.filter((item) => !known.has(item));
    if (unknown.length === 0) return given.map(Number).sort((a, b) => a - b);
    context.addIssue({ code: 'custom', message: `no such code: ${listed(unknown)}` });
    return z.NEVER;
  });
  return {
    ...about,
    schema,
    allowed: `one or more of ${codes.join(', ')}, separated by commas`,
    values: codes,
    published: { type: 'array', items: { type: 'integer', enum: [...codes] }, minItems: 1 },
  };
}

export const USERID_PATTERN = /^0*[1-9][0-9]{0,9}$/;

/** User ids, separated by commas. */
export function useridList(about: About): Parameter<number[]> {
  const schema = z.string().transform((text, context) => {
    const given = [...new Set(text.split(','))];
    const wrong = given.filter((item) => !USERID_PATTERN.test(item));
    if (wrong.length === 0) return [...new Set(given.map(Number))].sort((a, b) => a - b);
    context.addIssue({ code: 'custom', message: `not a user id: ${listed(wrong)}` });
    return z.NEVER;
  });
  const items = { type: 'string', pattern: '^[0-9]+$' };
  return {
    ...about,
    schema,
    allowed: 'user ids (digits), separated by commas',
    published: { type: 'array', items, minItems: 1 },
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

/** Up to 500 Ncodes, any case, separated by commas. */
export function ncodeList(about: About): Parameter<string[]> {
  const schema = z.string().transform((text, context) => {
    const given = text.split(',');
    if (given.length > MAX_NCODES) {
      context.addIssue({ code: 'custom', message: `${given.length} codes, more than ${MAX_NCODES}` });
      return z.NEVER;
    }
    const wrong = given.filter((item) => parseNcode(item) === null);
    if (wrong.length === 0) return [...new Set(given.map((item) => item.toUpperCase()))].sort();
    context.addIssue({ code: 'custom', message: `not an Ncode: ${listed(wrong)}` });
    return z.NEVER;
  });
  return {
    ...about,
    schema,
    allowed: `at most ${MAX_NCODES} Ncodes (N, four digits, one or two letters), separated by commas`,
    published: { type: 'array', items: PUBLISHED_NCODE, minItems: 1, maxItems: MAX_NCODES },
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

/**
 * One hiragana. The upstream files names under the plain kana, so the voiced and half-voiced ones are folded
 * to it (manual of userapi).
 */
export function hiragana(about: About): Parameter<string> {
  const schema = z
    .string()
    .transform((text) => text.normalize('NFC'))
    .pipe(z.string().regex(/^[ぁ-ゔ]$/, 'not one hiragana'))
    .transform((kana) => kana.normalize('NFD').charAt(0));
  return {
    ...about,
    schema,
    allowed: 'one hiragana, from ぁ to ん',
    published: { type: 'string', pattern: '^[ぁ-ゔ]$' },
  };
}
