import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { policy } from '../../test/cache/cache-under-test.ts';
import { controlledStore, usableStore } from '../../test/store/controlled-store.ts';
import { createStoreKeys } from '../store/store.ts';
import type { Store } from '../store/store.ts';
import { createDataEntry } from './cache-entry.ts';
import type { CacheEntry } from './cache-entry.ts';
import { createStoreTier } from './store-tier.ts';

const MIB = 1024 * 1024;
const NOW = 1_000_000_000_000;
const clock = { now: () => NOW, monotonic: () => NOW };
const keys = createStoreKeys('mokuroku:', 'test');
const answerOf = (data: unknown) => createDataEntry({ data, meta: {} }, policy, NOW);

async function open() {
  const { store, controls } = await usableStore();
  const tier = createStoreTier(store, clock);
  /** The bytes that the store gets for an entry. */
  const sent = (key: string, entry: CacheEntry): Buffer => {
    tier.put(key, entry);
    return controls.sets.pop()?.[1] as Buffer;
  };
  const found = (key: string, bytes: Buffer) => {
    controls.values.set(keys.answerKey(key), bytes);
    return tier.find(key);
  };
  return { store, controls, tier, sent, found };
}

describe('the tier in the store', () => {
  it('returns what was put; the store expires it when it may no longer be used', async () => {
    const { tier, controls, sent, found } = await open();
    const meta = fc.dictionary(fc.stringMatching(/^[a-z][A-Za-z]{0,20}$/), fc.jsonValue());
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), meta, fc.constantFrom(200, 404), async (data, drawn, status) => {
        const entry = { ...answerOf(data), status, meta: JSON.parse(JSON.stringify(drawn)) as typeof drawn };
        expect(await found('k', sent('k', entry))).toEqual(entry);
      }),
      { numRuns: 50 },
    );
    tier.put('k', answerOf(1));
    expect(controls.sets).toEqual([[keys.answerKey('k'), expect.any(Buffer), 'PX', 14 * 86_400_000]]);
    expect(await tier.find('other')).toBeUndefined();
    expect(await found('other', sent('k', answerOf(1)))).toBeUndefined();
  });

  it('finds nothing in bytes of which one is missing, changed or added', async () => {
    const { sent, found } = await open();
    const bytes = sent('k', answerOf({ title: '目録' }));
    for (let i = 0; i < bytes.length; i++) {
      const changed = Buffer.from(bytes);
      changed[i]! ^= 0x20;
      expect(await found('k', changed)).toBeUndefined();
      expect(await found('k', bytes.subarray(0, i))).toBeUndefined();
    }
    expect(await found('k', Buffer.concat([bytes, Buffer.from([0])]))).toBeUndefined();
  });

  it('finds nothing under a header that is not ours', async () => {
    const { sent, found } = await open();
    const etags = ['a\r\nb: c', 'a W/"b"', 'W/"a"\r\nb: c'].map((etag) => ({ etag }));
    const statuses = [99, 201, 500].map((status) => ({ status }));
    for (const wrong of [...etags, ...statuses, { freshUntil: 'soon' as never }])
      expect(await found('k', sent('k', { ...answerOf(1), ...wrong }))).toBeUndefined();
  });

  it('stores nothing that has expired', async () => {
    const { tier, controls } = await open();
    tier.put('over', { ...answerOf(1), staleIfErrorUntil: NOW });
    tier.put('last', { ...answerOf(1), staleIfErrorUntil: NOW + 1 });
    expect(controls.sets.map(([key]) => key)).toEqual([keys.answerKey('last')]);
  });

  it('stores responses up to 8 MiB', async () => {
    const { tier, controls } = await open();
    // Two quotes are the rest of the JSON.
    tier.put('whole', answerOf('x'.repeat(8 * MIB - 2)));
    tier.put('larger', answerOf('x'.repeat(8 * MIB - 1)));
    expect(controls.sets.map(([key]) => key)).toEqual([keys.answerKey('whole')]);
  });

  it('has at most 32 MiB unconfirmed, and continues once the store confirms', async () => {
    const { tier, controls } = await open();
    controls.mood = 'silent';
    for (let i = 0; i < 10; i++) tier.put(`k${i}`, answerOf('x'.repeat(6 * MIB)));
    expect(controls.sets).toHaveLength(5);
    const { tier: other, controls: of } = await open();
    for (let i = 0; i < 10; i++) {
      other.put(`k${i}`, answerOf('x'.repeat(6 * MIB)));
      await new Promise(setImmediate);
    }
    expect(of.sets).toHaveLength(10);
  });

  it('continues after writes that the store refuses', async () => {
    let sentCount = 0;
    const run = () => {
      sentCount++;
      return Promise.reject(new Error('WRONGTYPE'));
    };
    const tier = createStoreTier({ isUsable: true, keys, run } as unknown as Store, clock);
    for (let i = 0; i < 10; i++) {
      tier.put(`k${i}`, answerOf('x'.repeat(6 * MIB)));
      await new Promise(setImmediate);
    }
    expect(sentCount).toBe(10);
  });

  it('finds nothing, and sends nothing, while the store is unavailable', async () => {
    const { store, controls } = controlledStore();
    const tier = createStoreTier(store, clock);
    tier.put('k', answerOf(1));
    expect(await tier.find('k')).toBeUndefined();
    expect(controls.commands).toBe(0);
  });

  it('finds nothing when the store fails at this query', async () => {
    const { tier, controls } = await open();
    controls.mood = 'gone';
    expect(await tier.find('k')).toBeUndefined();
    tier.put('k', answerOf(1));
    await new Promise(setImmediate);
  });
});
