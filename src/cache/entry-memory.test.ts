import { describe, expect, it } from 'vitest';
import { policy } from '../../test/cache/cache-under-test.ts';
import { EntryMemory } from './entry-memory.ts';
import { createDataEntry } from './cache-entry.ts';

const NOW = 0;

/** With so many bytes of data. */
const answerOf = (bytes: number) => createDataEntry({ data: Buffer.alloc(bytes), meta: {} }, policy, 0);

describe('answers in memory', () => {
  it('stay if they are small, however many large ones arrive', () => {
    const memory = new EntryMemory(2_000_000, 1);
    const small = answerOf(65_536);
    memory.set('small', small);
    for (let i = 0; i < 100; i++) memory.set(`large ${i}`, answerOf(65_537));
    expect(memory.get('small', NOW)).toBe(small);
    expect(memory.get('large 99', NOW)).toBeDefined();
    expect(memory.get('large 0', NOW)).toBeUndefined();
    expect(memory.get('large 95', NOW)).toBeDefined();
    expect(memory.stats.bytes).toBeLessThanOrEqual(400_000 + 65_536 + 2_058);
  });

  it('never exceed the bound, whatever their sizes', () => {
    const memory = new EntryMemory(1_200_000, 1);
    for (let i = 0; i < 100; i++) {
      memory.set(`large ${i}`, answerOf(65_537));
      memory.set(`small ${i}`, answerOf(5_000));
      expect(memory.stats.bytes).toBeLessThanOrEqual(1_200_000);
    }
    for (let i = 0; i < 200; i++) memory.set(`smaller ${i}`, answerOf(5_000));
    expect(memory.stats.bytes).toBeLessThanOrEqual(1_200_000);
    expect(memory.get('smaller 100', NOW)).toBeDefined();
  });

  it('are replaced per key, also by one of another size class', () => {
    const memory = new EntryMemory(1_000_000, 1);
    for (const bytes of [10, 100_000, 20]) {
      memory.set('k', answerOf(bytes));
      expect(memory.get('k', NOW)?.data).toHaveLength(bytes);
      expect(memory.stats).toEqual({ entries: 1, bytes: bytes + 2 + 2_048 });
    }
  });

  it('are dropped when they are too old to be served at all', () => {
    const memory = new EntryMemory(1_000_000, 1);
    const entry = answerOf(10);
    memory.set('k', entry);
    expect(memory.get('k', entry.staleIfErrorUntil - 1)).toBe(entry);
    expect(memory.get('k', entry.staleIfErrorUntil)).toBeUndefined();
    expect(memory.stats).toEqual({ entries: 0, bytes: 0 });
  });

  it('are not stored in a memory of 0 bytes', () => {
    const memory = new EntryMemory(1, 1);
    memory.set('k', answerOf(10));
    expect(memory.get('k', NOW)).toBeUndefined();
  });
});
