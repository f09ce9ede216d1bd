import { describe, expect, it } from 'vitest';
import { countsOf } from './facet-counts.ts';
import { ANY_NOVEL } from './view.ts';

const FACETS = { genre: { 201: 12, 301: 3 }, type: { er: 15 } };

describe('counts beside choices', () => {
  it('are those of the response, and 0 for values without a match', () => {
    const countOf = countsOf(FACETS, ANY_NOVEL);
    expect([countOf('genre', '201'), countOf('genre', '401'), countOf('type', 'er')]).toEqual([12, 0, 15]);
  });
  it('are awaited where the response will have them', () => {
    const awaited = countsOf(null, { ...ANY_NOVEL, genre: '201' });
    expect([awaited('genre', '201'), awaited('type', 'er')]).toEqual([null, null]);
    expect([awaited('genre', '301'), awaited('type', ''), awaited('stop', '1')]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });
  it('are unknown for excluded and for uncounted values', () => {
    const countOf = countsOf(FACETS, { ...ANY_NOVEL, genre: '201,301' });
    expect([countOf('genre', '301'), countOf('genre', '401')]).toEqual([3, undefined]);
    expect(countsOf(FACETS, { ...ANY_NOVEL, notbiggenre: '4' })('genre', '401')).toBeUndefined();
    expect([countOf('type', ''), countOf('biggenre', '2'), countOf('stop', '1')]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(countsOf(undefined, ANY_NOVEL)('genre', '201')).toBeUndefined();
    const ofAdult = countsOf(
      { nocgenre: { 1: 4 }, type: {} },
      { ...ANY_NOVEL, notnocgenre: '2', type: 'er' },
    );
    expect([ofAdult('nocgenre', '1'), ofAdult('nocgenre', '2'), ofAdult('type', 't')]).toEqual([
      4,
      undefined,
      undefined,
    ]);
  });
});
