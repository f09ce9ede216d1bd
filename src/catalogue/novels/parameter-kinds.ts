import { z } from 'zod';
import { dayOfDate, japanMidnight } from './japan-date.ts';
import { NCODE_PATTERN, parseNcode } from './ncode.ts';
import type { Range, TIME_WORDS } from './novel-query.ts';
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

/**
 * One word of a closed set, in exactly this spelling. `reasons` explains values that look as if they belonged to it.
 */
export function oneOf<Value extends string>(
  values: readonly Value[],
  about: About,
  reasons: Readonly<Record<string, string>> = {},
): Parameter<Value> {
  const reasonOf = (given: unknown) =>
    typeof given === 'string' && Object.hasOwn(reasons, given) ? reasons[given] : undefined;
  const error = (issue: { input?: unknown }) =>
    reasonOf(issue.input) ?? 'not one of the values that there are';
  return { ...about, schema: z.enum(values, { error }), allowed: `one of: ${values.join(', ')}`, values };
}

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

export const USERID_PATTERN = /^0*[1-9][0-9]{0,9}$/;

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

/** Up to 500 Ncodes, any case. */
export function ncodeList(about: About): Parameter<string[]> {
  const isOne = (text: string) => parseNcode(text) !== null;
  const read = (text: string) => text.toUpperCase();
  return {
    ...about,
    schema: list({ isOne, read, fault: 'not an Ncode', most: MAX_NCODES }),
    allowed: `at most ${MAX_NCODES} Ncodes (N, four digits, one or two letters), separated by commas`,
    published: { type: 'array', items: PUBLISHED_NCODE, minItems: 1, maxItems: MAX_NCODES },
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

/** `n`, `a-b`, `a-` or `-b`, both ends included. */
export function range(about: About): Parameter<Range> {
  const schema = z.string().transform((text, context): Range => {
    const [, from = '', hyphen = '', to = ''] = /^(\d{0,10})(?:(-)(\d{0,10}))?$/.exec(text) ?? [];
    const min = Number(from);
    const max = hyphen === '' ? min : to === '' ? undefined : Number(to);
    if (from + to === '') context.addIssue({ code: 'custom', message: 'neither a number nor a range' });
    else if (max !== undefined && min > max) {
      context.addIssue({ code: 'custom', message: 'the end lies below the beginning' });
    } else return { min, max };
    return z.NEVER;
  });
  const pattern = '^(\\d{1,10}|\\d{1,10}-\\d{0,10}|-\\d{1,10})$';
  return {
    ...about,
    schema,
    allowed: 'a number (n) or a range (a-b, a-, -b), in digits',
    published: { type: 'string', pattern },
  };
}

/** Two days in Japan to the seconds from the first's beginning to the second's end; null where one does not exist. */
function readDays(from: string, to: string): Range | null {
  const [first, last] = [dayOfDate(from), dayOfDate(to)];
  if (first === null || last === null) return null;
  return { min: japanMidnight(first) / 1000, max: japanMidnight(last + 1) / 1000 - 1 };
}

function readSpan(text: string): Range | null {
  const [, from, to] = /^(\d{1,11})-(\d{1,11})$/.exec(text) ?? [];
  if (from !== undefined && to !== undefined) return { min: Number(from), max: Number(to) };
  const [, first = '', last = ''] = /^(\d{4}-\d\d-\d\d)\s*,\s*(\d{4}-\d\d-\d\d)$/.exec(text) ?? [];
  return readDays(first, last);
}

/** A span of time: one of some words, Unix times in seconds, or days in Japan, both included. */
export function when<Word extends (typeof TIME_WORDS)[number]>(
  timeWords: readonly Word[],
  about: About,
): Parameter<Word | Range> {
  const schema = z.string().transform((text, context): Word | Range => {
    const word = timeWords.find((each) => each === text);
    const span = readSpan(text);
    if (word !== undefined) return word;
    const isBackward = span !== null && (span.min ?? 0) > (span.max ?? 0);
    if (span !== null && !isBackward) return span;
    const message = isBackward ? 'it ends before it begins' : 'no such word, times or days';
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  });
  const spans = 'Unix times in seconds (1793458800-1795186799) or days in Japan (2026-11-01,2026-11-20)';
  return {
    ...about,
    schema,
    allowed: timeWords.length > 0 ? `one of ${timeWords.join(', ')}; or ${spans}` : spans,
    published: { type: 'string' },
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
