import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  ADULT_RECORD,
  RECORD_OF_2020,
  RECORD_OF_2026,
  omit,
} from '../../../test/catalogue/invented-records.ts';
import { phpJson } from '../../../test/catalogue/loopback-upstream.ts';
import type { NovelInterface, OfCode } from '../novels/of-fields.ts';
import type { SourceProblem } from '../catalogue-source.ts';
import { novelReader } from './novel-fields.ts';
import { collectProblems } from './problems.ts';
import { transcodeNovels } from './transcode-novels.ts';

type Records = Record<string, unknown>[];

/** The slow and general way, with all that it would report; null where it finds no list of records at all. */
function readSlowly(bytes: Buffer, upstream: NovelInterface, of: readonly OfCode[] | undefined) {
  try {
    const [first, ...records] = JSON.parse(bytes.toString()) as [{ allcount: number }, ...Records];
    const problems: SourceProblem[] = [];
    const noted = collectProblems(upstream, (problem) => problems.push(problem));
    const json = JSON.stringify(records.map(novelReader(upstream, of, noted)));
    noted.flush();
    return { allCount: first.allcount, json, problems };
  } catch {
    return null;
  }
}

/** Must say the same as the slow way, without anything to report, or nothing. */
function agree(bytes: Buffer, upstream: NovelInterface, of: readonly OfCode[] | undefined): boolean {
  const fast = transcodeNovels(bytes, upstream, of);
  if (fast === null) return false;
  const slow = readSlowly(bytes, upstream, of);
  expect({ allCount: fast.allCount, json: fast.items.bytes.toString(), problems: [] }).toEqual(slow);
  return true;
}

const bodyOf = (records: Records, write: (value: unknown) => string = phpJson) =>
  Buffer.from(write([{ allcount: records.length }, ...records]));

describe('transcoding gives what parsing and writing anew gives', () => {
  it.each([
    ['records of 2026', [RECORD_OF_2026, RECORD_OF_2026], 'novelapi'],
    ['records of 2020', [RECORD_OF_2020], 'novelapi'],
    ['adult records', [ADULT_RECORD, ADULT_RECORD], 'novel18api'],
    ['no records', [], 'novelapi'],
  ] as const)('of %s, escaped as by PHP or not', (_what, records, upstream) => {
    expect(agree(bodyOf([...records]), upstream, undefined)).toBe(true);
    expect(agree(bodyOf([...records], JSON.stringify), upstream, undefined)).toBe(true);
  });

  it('of records with selected fields', () => {
    const records = [
      { title: 'a', ncode: 'N0001A', genre: 101, noveltype: 1 },
      { title: 'b&amp;', ncode: 'N0002A', genre: 9999, noveltype: 2 },
    ];
    expect(agree(bodyOf(records), 'novelapi', ['t', 'n', 'g', 'nt'])).toBe(true);
    expect(agree(bodyOf([{ genre: 101 }, { genre: 302 }]), 'novelapi', ['g'])).toBe(true);
  });

  it('of any text', () => {
    const piece = fc.oneof(
      fc.constantFrom(
        '&amp;',
        '&lt;',
        '&quot;',
        '&#39;',
        '&#x1F408;',
        '&#10;',
        '&',
        '&&amp;',
        '&hearts;',
        '&amp;lt;',
        '\\',
        '"',
        '/',
        '\n',
        '\t',
      ),
      fc.string({ unit: 'grapheme', maxLength: 8 }),
      fc.constantFrom('猫', '𠮷', 'é', '\u2028', '\u007f', '\u0001', '&#1;', '&#x110000;'),
    );
    const text = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''));
    let transcoded = 0;
    fc.assert(
      fc.property(text, text, fc.boolean(), (title, story, isEscaped) => {
        const records = [
          { title, story },
          { title: story, story: title },
        ];
        if (agree(bodyOf(records, isEscaped ? phpJson : JSON.stringify), 'novelapi', ['t', 's']))
          transcoded++;
      }),
      { numRuns: 500 },
    );
    expect(transcoded).toBeGreaterThan(200);
  });
});

describe('what is unusual is left to the general way', () => {
  const [first = '', ...rest] = phpJson([{ allcount: 1 }, RECORD_OF_2026]).split('},{');
  const record = rest.join('},{');
  const changed = (from: string, to: string) => Buffer.from(`${first}},{${record.replace(from, to)}`);

  it.each<[string, Buffer]>([
    ['a number as text', changed('"length":100501', '"length":"100501"')],
    ['a fraction', changed('"length":100501', '"length":100501.5')],
    ['a negative number', changed('"length":100501', '"length":-1')],
    ['a number that is none', changed('"length":100501', '"length":0100')],
    ['null', changed('"length":100501', '"length":null')],
    ['a flag that is none', changed('"isr15":1', '"isr15":2')],
    ['a genre without a label', changed('"genre":302', '"genre":5')],
    ['an Ncode in lower case', changed('"ncode":"N4821KZ"', '"ncode":"n4821kz"')],
    ['a field missing', changed('"length":100501,', '')],
    ['a field twice', changed('"length":100501', '"length":1,"length":100501')],
    ['a prototype', changed('"gensaku":""', '"__proto__":""')],
    ['a list in a record', changed('"gensaku":""', '"gensaku":[]')],
    ['a lone surrogate', changed('"gensaku":""', '"gensaku":"\\ud800"')],
    ['an escaped ampersand', changed('"gensaku":""', '"gensaku":"\\u0026amp;"')],
    ['an escape that is none', changed('"gensaku":""', '"gensaku":"\\x"')],
    ['blanks between', changed('"gensaku":""', '"gensaku": ""')],
    [
      'bytes that are not UTF-8',
      Buffer.concat([changed('"gensaku":""', '"gensaku":"'), Buffer.from([0xff])]),
    ],
    ['something behind', Buffer.concat([changed('', ''), Buffer.from(' ')])],
    ['no count', Buffer.from(phpJson([RECORD_OF_2026]))],
    ['another order of the fields asked for', bodyOf([{ ncode: 'N0001A', title: 'a' }])],
    ['an object', Buffer.from('{}')],
    ['nothing', Buffer.from('')],
  ])('%s', (what, bytes) => {
    const of = what.startsWith('another') ? (['t', 'n'] as const) : undefined;
    expect(transcodeNovels(bytes, 'novelapi', of)).toBeNull();
  });

  it('also in a later record than the first', () => {
    const records = [RECORD_OF_2026, omit(RECORD_OF_2026, 'length')];
    expect(transcodeNovels(bodyOf(records), 'novelapi', undefined)).toBeNull();
  });

  it('and a byte changed anywhere never gives another answer than the general way', () => {
    const bytes = bodyOf([RECORD_OF_2026, RECORD_OF_2020].map((each) => omit(each, 'pc_or_k')));
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), fc.nat(255), fc.boolean(), (at, byte, isCut) => {
        const spoilt = Buffer.from(isCut ? bytes.subarray(0, at) : bytes);
        if (!isCut) spoilt[at] = byte;
        agree(spoilt, 'novelapi', undefined);
      }),
      { numRuns: 3_000 },
    );
  });
});
