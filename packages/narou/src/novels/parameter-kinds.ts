import { z } from 'zod';
import { NOVEL_ALLOWED, NOVEL_FAULTS } from './fault-texts.ts';
import { rejectValue } from '@mokuroku/kit/process';
import { dayOfDate, japanMidnight } from './japan-date.ts';
import type { About, Parameter } from '@mokuroku/kit/http';
import type { Range, TIME_WORDS } from './search-conditions.ts';

const DIGITS = /^[0-9]+$/;
const BLANKS = /[\s\u3000]+/;

/**
 * Search words separated by half- or full-width spaces; order and duplicates do not matter. Only spaces mean no
 * search. The number is limited because every word costs a pass over the index.
 */
export function words(maxWords: number, about: About): Parameter<string | undefined> {
  const schema = z.string().transform((text, context) => {
    const distinct = [...new Set(text.split(BLANKS).filter((word) => word !== ''))].sort();
    if (distinct.length > maxWords)
      return rejectValue(context, NOVEL_FAULTS.tooManyWords(distinct.length, maxWords).en);
    return distinct.length === 0 ? undefined : distinct.join(' ');
  });
  return { ...about, schema, allowed: NOVEL_ALLOWED.words(maxWords).en, published: { type: 'string' } };
}

/** 1, or 0 for false, which is the default. */
export function flag(about: About): Parameter<1 | undefined> {
  const schema = z
    .enum(['0', '1'], NOVEL_FAULTS.neitherZeroNorOne.en)
    .transform((text) => (text === '1' ? (1 as const) : undefined));
  return {
    byDefault: 0,
    example: 1,
    ...about,
    schema,
    allowed: NOVEL_ALLOWED.flag.en,
    values: [0, 1],
    published: { type: 'integer' },
  };
}

/** Digits only: no sign, space, exponent or other base. */
export function wholeNumber(minimum: number, maximum: number, about: About): Parameter<number> {
  const schema = z
    .string()
    .regex(DIGITS, NOVEL_FAULTS.notDigits.en)
    // Infinity is no number to Zod.
    .transform((digits) => Math.min(Number(digits), Number.MAX_VALUE))
    .pipe(
      z
        .number()
        .min(minimum, NOVEL_FAULTS.tooSmall(minimum).en)
        .max(maximum, NOVEL_FAULTS.tooLarge(maximum).en),
    );
  const allowed = NOVEL_ALLOWED.wholeNumber(minimum, maximum).en;
  return { ...about, schema, allowed, published: { type: 'integer', minimum, maximum } };
}

/** `n`, `a-b`, `a-` or `-b`, both ends included. */
export function range(about: About): Parameter<Range> {
  const schema = z.string().transform((text, context): Range => {
    const [, from = '', hyphen = '', to = ''] = /^(\d{0,10})(?:(-)(\d{0,10}))?$/.exec(text) ?? [];
    const min = Number(from);
    const max = hyphen === '' ? min : to === '' ? undefined : Number(to);
    if (from + to === '') return rejectValue(context, NOVEL_FAULTS.notRange.en);
    if (max !== undefined && min > max) return rejectValue(context, NOVEL_FAULTS.reversedRange.en);
    return { min, max };
  });
  const pattern = '^(\\d{1,10}|\\d{1,10}-\\d{0,10}|-\\d{1,10})$';
  return {
    ...about,
    schema,
    allowed: NOVEL_ALLOWED.range.en,
    published: { type: 'string', pattern },
  };
}

/** The upstream accepts Unix times of at most eleven digits; earlier and later times are clamped. */
const LAST_SECOND = 99_999_999_999;
const unixTime = (ms: number) => Math.min(Math.max(0, ms / 1000), LAST_SECOND);

/** Unix seconds from the start of the first day in Japan to the end of the last; null if one does not exist. */
function readDays(from: string, to: string): Range | null {
  const [first, last] = [dayOfDate(from), dayOfDate(to)];
  if ((first === null && from !== '') || (last === null && to !== '')) return null;
  return {
    min: first === null ? 0 : unixTime(japanMidnight(first)),
    max: last === null ? LAST_SECOND : unixTime(japanMidnight(last + 1) - 1000),
  };
}

function readSpan(text: string): Range | null {
  // The upstream requires both ends: an open one becomes the first or the last second that it accepts.
  const [, from = '', to = ''] = /^(\d{0,11})-(\d{0,11})$/.exec(text) ?? [];
  if (from + to !== '') return { min: Number(from), max: to === '' ? LAST_SECOND : Number(to) };
  const [, first = '', last = ''] = /^(\d{4}-\d\d-\d\d)?\s*,\s*(\d{4}-\d\d-\d\d)?$/.exec(text) ?? [];
  return first + last === '' ? null : readDays(first, last);
}

/** A time range: a word, Unix times in seconds, or days in Japan, both included. */
export function timeRange<Word extends (typeof TIME_WORDS)[number]>(
  timeWords: readonly Word[],
  about: About,
): Parameter<Word | Range> {
  const schema = z.string().transform((text, context): Word | Range => {
    const word = timeWords.find((each) => each === text);
    const span = readSpan(text);
    if (word !== undefined) return word;
    const isBackward = span !== null && (span.min ?? 0) > (span.max ?? 0);
    if (span !== null && !isBackward) return span;
    return rejectValue(context, (isBackward ? NOVEL_FAULTS.reversedTimes : NOVEL_FAULTS.notTimes).en);
  });
  return {
    ...about,
    schema,
    allowed:
      timeWords.length > 0
        ? NOVEL_ALLOWED.wordOrTimes(timeWords.join(', '), NOVEL_ALLOWED.times.en).en
        : NOVEL_ALLOWED.times.en,
    published: { type: 'string' },
  };
}

/**
 * One hiragana. The upstream files names under the plain kana, so voiced and half-voiced ones are folded to it
 * (manual of userapi).
 */
export function hiragana(about: About): Parameter<string> {
  const schema = z
    .string()
    .transform((text) => text.normalize('NFC'))
    .pipe(z.string().regex(/^[ぁ-ゔ]$/, NOVEL_FAULTS.notHiragana.en))
    .transform((kana) => kana.normalize('NFD').charAt(0));
  return {
    ...about,
    schema,
    allowed: NOVEL_ALLOWED.hiragana.en,
    published: { type: 'string', pattern: '^[ぁ-ゔ]$' },
  };
}
