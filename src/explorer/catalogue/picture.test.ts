import { describe, expect, it } from 'vitest';
import { flowPicture, novelPicture, rankingPicture } from './pictures.ts';
import { PAPER } from './picture.ts';
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

it('the picture of a ranking distinguishes the first three', () => {
  const rows = ['A', 'B', 'C', 'D'].map((title, place) => {
    return { rank: String(place + 1), title, facts: '', points: '', share: 1, big: undefined };
  });
  const { marks } = rankingPicture({ ...AROUND, rows });
  const ranks = marks.filter((mark) => 'text' in mark && /^\d$/.test(mark.text));
  expect(ranks.map(({ fill }) => fill)).toEqual([PAPER.seal, PAPER.seal, PAPER.seal, PAPER.soft]);
});

it('the picture of the first ranking of a flow has its names and its date once, and no lines', () => {
  const picture = flowPicture({
    ...AROUND,
    courses: [{ ncode: 'A', ranks: [1, 2] }],
    board: 0,
    dates: ['1 Nov', '1 Nov'],
    nameOf: (ncode) => `Novel ${ncode}`,
    bigOf: () => undefined,
  });
  const svg = toSvg(picture, measure);
  expect([svg.match(/>Novel A</g)?.length, svg.match(/>1 Nov</g)?.length]).toEqual([1, 1]);
  expect(picture.marks.filter((mark) => 'path' in mark && mark.path.includes('C'))).toEqual([]);
});

it('the picture of a novel has its ranks with gaps, the days of its episodes, and both axes', () => {
  const [firstDay, lastDay] = [20_000, 20_010];
  const points = [0, 1, 5].map((at) => ({ date: '', day: firstDay + at, rank: at + 1, pt: 100 }));
  const { marks, height } = novelPicture({
    ...AROUND,
    type: 'daily',
    points,
    firstDay,
    lastDay,
    episodes: [firstDay - 1, firstDay, lastDay, lastDay + 1],
    labels: { rank: 'Rank', points: 'Points | Episode' },
    monthOf: (date) => date,
    numberOf: (value) => `${value} points`,
  });
  const paths = marks.flatMap((mark) => ('path' in mark ? [mark] : []));
  const lines = paths.filter(({ stroke }) => stroke === PAPER.seal).map(({ path }) => path);
  // A single ranking is a dot.
  expect(lines.map((path) => path.replace(/[\d.]+ [\d.]+/g, ''))).toEqual(['ML', 'Mh0.1']);
  expect(paths.filter(({ path }) => path.endsWith('v8'))).toHaveLength(2);
  const columns = paths.find(({ opacity }) => opacity === 0.55)?.path ?? '';
  const tops = [...columns.matchAll(/V([\d.]+)/g)].map(([, y]) => Number(y));
  expect(tops.every((y) => y > 112 + 300 && y < height)).toBe(true);
  const texts = marks.flatMap((mark) => ('text' in mark ? [mark.text] : []));
  for (const text of ['Rank', '100 points', '0 points']) expect(texts).toContain(text);
});
