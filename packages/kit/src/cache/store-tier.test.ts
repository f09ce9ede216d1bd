import { describe, expect, it } from 'vitest';
import { policy } from '../../test/cache/cache-under-test.ts';
import { controlledStore, usableStore } from '../../test/store/controlled-store.ts';
import { createStoreKeys } from '../store/store-keys.ts';
import type { Store } from '../store/store.ts';
import { createDataEntry } from './cache-entry.ts';
import { encodeEntry } from './entry-codec.ts';
import { createStoreTier } from './store-tier.ts';

const MIB = 1024 * 1024;
const NOW = 1_000_000_000_000;
const clock = { now: () => NOW, monotonic: () => NOW };
const keys = createStoreKeys('mokuroku:', 'test');
const answerOf = (data: unknown) => createDataEntry({ data, meta: {} }, policy, NOW);

async function open() {
  const { store, controls } = await usableStore();
  return { store, controls, tier: createStoreTier(store, clock) };
}

describe('the tier in the store', () => {
  it('returns what was put; the store expires it when it may no longer be used', async () => {
    const { tier, controls } = await open();
    const entry = answerOf({ title: '目録' });
    tier.put('k', entry);
    expect(controls.sets).toEqual([[keys.answerKey('k'), encodeEntry('k', entry), 'PX', 14 * 86_400_000]]);
    controls.values.set(keys.answerKey('k'), encodeEntry('k', entry));
    expect(await tier.find('k')).toEqual(entry);
    expect(await tier.find('other')).toBeUndefined();
    controls.values.set(keys.answerKey('other'), encodeEntry('k', entry));
    expect(await tier.find('other')).toBeUndefined();
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
