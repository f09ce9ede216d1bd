import { describe, expect, it } from 'vitest';
import { flowPicture, rankingPicture } from './pictures.ts';
import { fitted, toSvg } from './picture.ts';

/** Ten pixels per letter. */
const measure = (text: string) => 10 * Array.from(text).length;

const AROUND = { title: 'Title', subtitle: 'Subtitle', credit: 'Invented' };

describe('a text in a picture', () => {
  const cut = (text: string, maxWidth: number) => fitted({ text, x: 0, y: 0, size: 10, maxWidth }, measure);
  it('is whole if it fits, and truncated between characters otherwise', () => {
    expect(cut('abcd', 40)).toBe('abcd');
    expect(cut('abcde', 40)).toBe('abc…');
    expect(cut('𠮷𠮷𠮷𠮷𠮷', 40)).toBe('𠮷𠮷𠮷…');
  });
  it('has no control characters, direction marks or halves of characters', () => {
    expect(cut('a\u0000b\u202ec\ud800d', 100)).toBe('abcd');
    expect(cut(`${'a'.repeat(299)}🐈`, 10_000)).toBe('a'.repeat(299));
  });
  it('is escaped', () => {
    const marks = [{ text: '<a href="x">&', x: 0, y: 0, size: 10 }];
    expect(toSvg({ width: 1, height: 1, marks }, measure)).toContain(
      '&lt;a href=&quot;x&quot;&gt;&amp;</text>',
    );
  });
});

it('the picture of a flow has the names at both ends, its dates, and the data source', () => {
  const picture = flowPicture({
    ...AROUND,
    courses: [
      { ncode: 'A', ranks: [1, 2, 3] },
      { ncode: 'B', ranks: [null, 1, 1] },
    ],
    board: 1,
    dates: ['1 Nov', '2 Nov'],
    nameOf: (ncode) => `Novel ${ncode}`,
    bigOf: () => 2,
  });
  const svg = toSvg(picture, measure);
  for (const text of ['Title', 'Subtitle', 'Invented', '1 Nov', '2 Nov']) expect(svg).toContain(`>${text}<`);
  expect(svg.match(/>Novel A</g)).toHaveLength(2);
  expect(svg.match(/>Novel B</g)).toHaveLength(1);
  // The line of A ends at the ranking shown: one curve.
  const lines = picture.marks.filter((mark) => 'path' in mark && mark.path.includes('C'));
  expect(lines).toHaveLength(2);
});

it('the picture of a ranking has each of its rows', () => {
  const rows = ['A', 'B'].map((title, index) => {
    return { rank: String(index + 1), title, facts: 'f', points: '10', share: 1, big: undefined };
  });
  const svg = toSvg(rankingPicture({ ...AROUND, rows }), measure);
  expect(['A', 'B', '1', '2'].every((text) => svg.includes(`>${text}<`))).toBe(true);
});
