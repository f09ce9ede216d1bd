import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { policy } from '../../test/cache/cache-under-test.ts';
import { controlledStore, usableStore } from '../../test/store/controlled-store.ts';
import { createStoreKeys } from '../store/store.ts';
import { createDataEntry } from './cache-entry.ts';
import type { CacheEntry } from './cache-entry.ts';
import { createEntryStore } from './entry-store.ts';

const MIB = 1024 * 1024;
const NOW = 1_000_000_000_000;
const keys = createStoreKeys('mokuroku:', 'test');
const answerOf = (data: unknown) => createDataEntry({ data, meta: {} }, policy, NOW);

async function open() {
  const { store, controls, time } = await usableStore();
  const entries = createEntryStore(store);
  /** The bytes that the store gets for an entry. */
  const sent = (key: string, entry: CacheEntry): Buffer => {
    entries.put(key, entry, NOW);
    return controls.sets.pop()?.[1] as Buffer;
  };
  const found = (key: string, bytes: Buffer) => {
    controls.values.set(keys.answerKey(key), bytes);
    return entries.find(key);
  };
  return { controls, time, entries, sent, found };
}

describe('the entries in the store', () => {
  it('returns what was put; the store expires it when it may no longer be used', async () => {
    const { entries, controls, sent, found } = await open();
    const meta = fc.dictionary(fc.stringMatching(/^[a-z][A-Za-z]{0,20}$/), fc.jsonValue());
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), meta, fc.constantFrom(200, 404), async (data, drawn, status) => {
        const entry = { ...answerOf(data), status, meta: JSON.parse(JSON.stringify(drawn)) as typeof drawn };
        expect(await found('k', sent('k', entry))).toEqual(entry);
      }),
      { numRuns: 50 },
    );
    entries.put('k', answerOf(1), NOW);
    expect(controls.sets).toEqual([[keys.answerKey('k'), expect.any(Buffer), 'PX', 14 * 86_400_000]]);
    expect(await entries.find('other')).toBeUndefined();
    expect(await found('other', sent('k', answerOf(1)))).toBeUndefined();
  });

  it('finds nothing in bytes that are cut off or continued', async () => {
    const { sent, found } = await open();
    const bytes = sent('k', answerOf({ title: '目録' }));
    for (let i = 0; i < bytes.length; i++) expect(await found('k', bytes.subarray(0, i))).toBeUndefined();
    expect(await found('k', Buffer.concat([bytes, Buffer.from([0])]))).toBeUndefined();
  });

  it('finds nothing under a header that is not ours', async () => {
    const { sent, found } = await open();
    const etags = ['a\r\nb: c', 'a W/"b"', 'W/"a"\r\nb: c'].map((etag) => ({ etag }));
    const statuses = [99, 201, 500].map((status) => ({ status: status as never }));
    for (const wrong of [...etags, ...statuses, { freshUntil: 'soon' as never }])
      expect(await found('k', sent('k', { ...answerOf(1), ...wrong }))).toBeUndefined();
  });

  it('stores responses up to 8 MiB', async () => {
    const { entries, controls } = await open();
    // Two quotes are the rest of the JSON.
    entries.put('whole', answerOf('x'.repeat(8 * MIB - 2)), NOW);
    entries.put('larger', answerOf('x'.repeat(8 * MIB - 1)), NOW);
    expect(controls.sets.map(([key]) => key)).toEqual([keys.answerKey('whole')]);
  });

  it('finds nothing, and sends nothing, while the store is unavailable', async () => {
    const { store, controls } = controlledStore();
    const entries = createEntryStore(store);
    entries.put('k', answerOf(1), NOW);
    expect(await entries.find('k')).toBeUndefined();
    expect(controls.commands).toBe(0);
  });

  it('finds what is in a store that has failed, once it responds again', async () => {
    const { controls, entries, sent, time } = await open();
    controls.values.set(keys.answerKey('k'), sent('k', answerOf(1)));
    controls.mood = 'gone';
    for (let failures = 0; failures < 5; failures++) {
      expect(await entries.find('k')).toBeUndefined();
      time.ms += 250;
    }
    controls.mood = 'answering';
    time.ms += 2_000;
    expect(await entries.find('k')).toEqual(answerOf(1));
  });

  it('finds nothing when the store fails at this query', async () => {
    const { entries, controls } = await open();
    controls.mood = 'gone';
    expect(await entries.find('k')).toBeUndefined();
    entries.put('k', answerOf(1), NOW);
    await new Promise(setImmediate);
  });
});
