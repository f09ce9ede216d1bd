import fc from 'fast-check';
import { expect, it } from 'vitest';
import { plainNovel } from '../../test/plain-novel.ts';
import { OF_FIELDS, selectedFields } from '../novels/of-fields.ts';
import type { OfCode } from '../novels/of-fields.ts';
import type { CatalogueNovel } from './catalogue-novel.ts';
import { fieldSelector, formatNovel } from './stored-novel.ts';

const text = fc.option(fc.string({ unit: fc.constantFrom(',', '"', '\\', '}', ':', '猫'), maxLength: 5 }), {
  nil: undefined,
});
const novelTexts = fc.record({ title: text, writer: text, story: text, keyword: text });
const codes = fc.subarray(OF_FIELDS.map(({ code }) => code));

const NCODE = 'N0001TA';
/** A text is its last field. */
const SPARSE = { ncode: NCODE, fetched_at: 0 };

it('a novel is stored with its own fields and the labels of its codes, whatever else it came with', () => {
  const labels = {
    genre_label: 'x',
    nocgenre_label: 'x',
    gensaku: 'x',
    novel_type: 7,
    buntai: 4,
    other: 'x',
  };
  for (const novel of [plainNovel({ ncode: NCODE }), SPARSE])
    expect(formatNovel({ ...novel, ...labels })).toBe(formatNovel(novel));
  expect(formatNovel({ ...SPARSE, genre: 7 }), 'a code without a label').toContain('"genre_label":""');
});

it('a list, an object and a text that looks like fields are cut out whole', () => {
  const odd = {
    title: 'a,"genre":1,"x',
    writer: ['b,', ',"story":"', { genre: 9 }],
    story: { keyword: ',"', genre: 7, deep: [[]] },
    keyword: '\\',
    genre: 201,
  };
  const stored = formatNovel({ ...SPARSE, ...odd } as unknown as CatalogueNovel);
  const { title, writer, story, keyword, genre } = odd;
  const select = (of: readonly OfCode[] | undefined): unknown =>
    JSON.parse(`{${fieldSelector({ of, opt: undefined })(stored)}}`);
  expect(select(['t', 'g'])).toEqual({ title, genre, genre_label: expect.any(String) as string });
  expect(select(['w', 's'])).toEqual({ writer, story });
  expect(select(['k'])).toEqual({ keyword });
  expect(select(undefined)).toMatchObject({ ncode: NCODE, title, writer, story, keyword, genre });
});

it('the fields of a novel are cut out whole, whatever its texts end with', () => {
  fc.assert(
    fc.property(
      novelTexts,
      codes,
      fc.constantFrom(plainNovel({ ncode: NCODE }), SPARSE),
      (texts, of, novel) => {
        const stored = formatNovel({ ...novel, ...texts } as CatalogueNovel);
        const select = (query: Parameters<typeof fieldSelector>[0]): unknown =>
          JSON.parse(`{${fieldSelector(query)(stored)}}`);
        const weekly = JSON.parse(stored) as Record<string, unknown>;
        delete weekly['fetched_at'];
        const published = { ...weekly };
        delete published['weekly_unique'];
        const wanted = new Set(of.flatMap(selectedFields));
        const chosen = Object.fromEntries(Object.entries(published).filter(([name]) => wanted.has(name)));
        expect(select({ of, opt: undefined })).toEqual(chosen);
        expect(select({ of: undefined, opt: undefined })).toEqual(published);
        expect(select({ of: undefined, opt: 'weekly' })).toEqual(weekly);
      },
    ),
    { numRuns: 300 },
  );
});
