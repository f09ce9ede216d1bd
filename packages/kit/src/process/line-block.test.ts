import { describe, expect, it } from 'vitest';
import { createLineBlock } from './line-block.ts';

const BLOCK = 65_536;
const lineOf = (length: number, letter = 'x') => `${letter.repeat(length - 1)}\n`;

function blockUnderTest() {
  const written: string[] = [];
  return { written, ...createLineBlock((text) => written.push(text)) };
}

describe('lines of the log', () => {
  it('are flushed as one text, and not at all if there are none', () => {
    const { append, flush, written } = blockUnderTest();
    flush();
    append('one\n');
    append('two\n');
    expect(written).toEqual([]);
    flush();
    flush();
    expect(written).toEqual(['one\ntwo\n']);
  });

  it('are buffered up to exactly 64 kB', () => {
    const { append, flush, written } = blockUnderTest();
    append(lineOf(BLOCK - 10, 'a'));
    append(lineOf(10, 'b'));
    expect(written).toEqual([]);
    append('c\n');
    expect(written).toEqual([lineOf(BLOCK - 10, 'a') + lineOf(10, 'b')]);
    flush();
    expect(written[1]).toBe('c\n');
  });

  it('that are longer than a block are written alone, after those before them', () => {
    const { append, flush, written } = blockUnderTest();
    append('a\n');
    append(lineOf(BLOCK, 'b'));
    expect(written).toEqual(['a\n']);
    append(lineOf(BLOCK + 1, 'c'));
    expect(written).toEqual(['a\n', lineOf(BLOCK, 'b'), lineOf(BLOCK + 1, 'c')]);
    flush();
    expect(written).toHaveLength(3);
  });
});
