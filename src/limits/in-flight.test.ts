import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { InFlight } from './in-flight.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

const one = { key: '192.0.2.1', masked: '192.0.2.0' };
const other = { key: '198.51.100.1', masked: '198.51.100.0' };
const client = (index: number) => ({ key: `2001:db8:1:${index}::/64`, masked: '2001:db8:1::' });

const open = () => new InFlight({ maxBytes: 1_000, maxClientBytes: 200 });

describe('bytes in flight', () => {
  it('are bounded for a client, and released when a response has been sent', () => {
    const inFlight = open();
    const release = inFlight.tryAdd(one, {}, 100);
    expect(inFlight.tryAdd(one, {}, 100)).toBeDefined();
    expect(inFlight.isFull(one)).toBe(true);
    expect(inFlight.tryAdd(one, {}, 1)).toBeUndefined();
    expect(inFlight.tryAdd(other, {}, 1)).toBeDefined();
    release?.();
    release?.();
    expect(inFlight.stats.bytes).toBe(101);
    expect(inFlight.isFull(one)).toBe(false);
    // The other response still counts.
    expect(inFlight.tryAdd(one, {}, 100)).toBeDefined();
    expect(inFlight.tryAdd(one, {}, 1)).toBeUndefined();
  });

  it('are bounded in all', () => {
    const inFlight = open();
    const admitted = Array.from({ length: 20 }, (_, index) =>
      inFlight.tryAdd({ key: `${index}`, masked: `${index}` }, {}, 100),
    );
    expect(admitted.filter((release) => release !== undefined)).toHaveLength(10);
    expect(inFlight.isFull(one)).toBe(true);
  });

  it('of one network, however many clients it has, are at most half', () => {
    const inFlight = open();
    const admitted = Array.from({ length: 1_000 }, (_, index) => inFlight.tryAdd(client(index), {}, 100));
    expect(admitted.filter((release) => release !== undefined)).toHaveLength(5);
    expect([inFlight.isFull(client(1_000)), inFlight.isFull(other)]).toEqual([true, false]);
    expect(inFlight.tryAdd(other, {}, 100)).toBeDefined();
  });

  it('count a body once, however many wait for it', () => {
    const inFlight = open();
    const body = {};
    const releases = Array.from({ length: 500 }, () => inFlight.tryAdd(one, body, 100));
    const counts = releases.map((release) => {
      release?.();
      return inFlight.stats.bytes;
    });
    expect(counts).toEqual([...Array.from({ length: 499 }, () => 100), 0]);
  });

  it('of a client stay counted when one of its empty bodies is released', () => {
    const inFlight = open();
    const releases = [inFlight.tryAdd(one, {}, 0), inFlight.tryAdd(one, {}, 0)];
    releases[0]?.();
    expect(inFlight.tryAdd(one, {}, 100)).toBeDefined();
    releases[1]?.();
    expect(inFlight.tryAdd(one, {}, 100)).toBeDefined();
    expect(inFlight.tryAdd(one, {}, 100)).toBeUndefined();
  });

  it('admit a body larger than all shares, which takes half of each', () => {
    const inFlight = open();
    const release = inFlight.tryAdd(one, {}, 1e9);
    expect(inFlight.stats.bytes).toBe(500);
    expect(inFlight.tryAdd(one, {}, 100)).toBeDefined();
    expect(inFlight.tryAdd(one, {}, 1)).toBeUndefined();
    expect(inFlight.isFull(one)).toBe(true);
    release?.();
    expect(inFlight.stats.bytes).toBe(100);
  });

  it('leave no state of clients that have disconnected', () => {
    const inFlight = open();
    for (let index = 0; index < 100; index++) inFlight.tryAdd(client(index), {}, 100)?.();
    expect(inFlight.stats).toEqual({ bytes: 0, waiting: 0 });
    expect(inFlight.tryAdd(client(0), {}, 100)).toBeDefined();
  });
});

describe('a request above the bound', () => {
  const full = () => {
    const inFlight = open();
    const releases = [inFlight.add(one, {}, 100), inFlight.add(one, {}, 100)];
    return { inFlight, releases };
  };

  it('is admitted if memory is released within a second, in the order of arrival', async () => {
    const { inFlight, releases } = full();
    const admitted: number[] = [];
    const pending = [1, 2].map(async (number) => {
      if (await inFlight.reserve(one, {}, 25)) admitted.push(number);
    });
    expect(inFlight.stats.waiting).toBe(2);
    releases[0]?.();
    await Promise.all(pending);
    expect(admitted).toEqual([1, 2]);
    expect(inFlight.stats).toEqual({ bytes: 150, waiting: 0 });
    expect(vi.getTimerCount()).toBe(0);
  });

  it('is rejected after a second', async () => {
    const { inFlight, releases } = full();
    const inProgress = inFlight.reserve(one, {}, 25);
    await vi.advanceTimersByTimeAsync(999);
    expect(inFlight.stats.waiting).toBe(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(await inProgress).toBeUndefined();
    // Those that waited before take no place of those that wait now.
    const next = [inFlight.reserve(one, {}, 25), inFlight.reserve(one, {}, 25)];
    expect(inFlight.stats.waiting).toBe(2);
    await vi.advanceTimersByTimeAsync(1_000);
    await Promise.all(next);
    releases[0]?.();
    expect(inFlight.stats).toEqual({ bytes: 100, waiting: 0 });
  });

  it('is rejected at once if a quarter of the bound is waiting already', async () => {
    const { inFlight } = full();
    const waiting = [inFlight.reserve(one, {}, 25), inFlight.reserve(one, {}, 25)];
    expect(await inFlight.reserve(one, {}, 25)).toBeUndefined();
    expect(inFlight.stats.waiting).toBe(2);
    expect(await inFlight.reserve(other, {}, 25)).toBeDefined();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await Promise.all(waiting)).toEqual([undefined, undefined]);
  });
});
