import { describe, expect, it } from 'vitest';
import { excessOf } from './transport.ts';

const excess = (text: string) => excessOf(Buffer.from(text));
const list = (values: number) => `[${Array.from({ length: values }, () => '{}').join(',')}]`;

describe('bounds of parsed JSON', () => {
  it('are 16 levels', () => {
    expect(excess('[{"a":'.repeat(8) + '1' + '}]'.repeat(8))).toBeUndefined();
    expect(excess('[{"a":'.repeat(8) + '[]' + '}]'.repeat(8))).toContain('16 levels');
    expect(excess('[],'.repeat(1_000))).toBeUndefined();
  });

  it('are 100,000 values', () => {
    expect(excess(`[${'1,'.repeat(99_999)}1]`)).toBeUndefined();
    expect(excess(`[${'1,'.repeat(100_000)}1]`)).toContain('100000 values');
    expect(excess(list(50_000))).toBeUndefined();
    expect(excess(list(50_001))).toContain('100000 values');
  });

  it('do not count brackets within strings', () => {
    const commas = Array.from({ length: 3 }, () => ','.repeat(60_000));
    expect(excess(JSON.stringify(['['.repeat(100), ...commas, '\\"['.repeat(50)]))).toBeUndefined();
    expect(excess(`["\\\\",${'['.repeat(16)}`)).toContain('16 levels');
    expect(excess(`["\\"${'['.repeat(16)}`)).toBeUndefined();
  });

  it('do not apply to the length of a text: the record reader drops that text', () => {
    expect(excess(JSON.stringify(['a'.repeat(1_000_000)]))).toBeUndefined();
  });

  it('apply to the number of entities to decode', () => {
    const entities = (count: number) =>
      JSON.stringify(Array.from({ length: count }, () => '&amp;'.repeat(999)));
    expect(excess(entities(100))).toBeUndefined();
    expect(excess(entities(101))).toContain('100000 values');
  });

  it('also apply to text that is not JSON', () => {
    for (const text of ['', '"', '"\\', ']]]]', 'Error: x', '<html>']) expect(excess(text)).toBeUndefined();
  });
});
