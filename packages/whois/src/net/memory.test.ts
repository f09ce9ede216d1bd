import { expect, it } from 'vitest';
import { Memory } from './memory.ts';

function memoryOf(max: number, lifetimeMs?: (value: string) => number) {
  const time = { ms: 0 };
  const clock = { now: () => time.ms, monotonic: () => time.ms };
  return { time, memory: new Memory<string>({ clock, max, ...(lifetimeMs && { lifetimeMs }) }) };
}

it('a value is fresh for its lifetime, and is known beyond it', () => {
  const { time, memory } = memoryOf(2, (value) => (value === 'short' ? 10 : 20));
  memory.set('a', 'short');
  memory.set('b', 'long');
  time.ms = 9;
  expect([memory.getFresh('a'), memory.getFresh('b')]).toEqual(['short', 'long']);
  time.ms = 10;
  expect([memory.getFresh('a'), memory.getFresh('b')]).toEqual([undefined, 'long']);
  expect(memory.get('a')).toEqual({ value: 'short', isFresh: false });
});

it('without a lifetime a value stays fresh; beyond the maximum the least recently used one is dropped', () => {
  const { time, memory } = memoryOf(2);
  memory.set('a', 'first');
  memory.set('b', 'second');
  time.ms = 1e12;
  expect(memory.getFresh('a')).toBe('first');
  memory.set('c', 'third');
  memory.set('c', 'again');
  expect(['a', 'b', 'c'].map((key) => memory.getFresh(key))).toEqual(['first', undefined, 'again']);
});

it('beyond the maximum a value at rest is dropped, and another one only if none is', () => {
  const clock = { now: () => 0, monotonic: () => 0 };
  const memory = new Memory<string>({ clock, max: 2, isAtRest: (value) => value === 'rests' });
  const keys = () => ['a', 'b', 'c', 'd'].filter((key) => memory.get(key) !== undefined);
  memory.set('a', 'runs');
  memory.set('b', 'rests');
  memory.set('c', 'runs');
  expect(keys()).toEqual(['a', 'c']);
  memory.set('d', 'runs');
  expect(keys()).toEqual(['c', 'd']);
});

it('concurrent loads of a key are one; a failed one is not remembered, and the next one loads again', async () => {
  const { memory } = memoryOf(2);
  let loads = 0;
  const load = async () => {
    loads++;
    await new Promise(setImmediate);
    if (loads === 1) throw new Error('the first fails');
    return `loaded ${loads}`;
  };
  const failed = await Promise.allSettled([memory.load('a', load), memory.load('a', load)]);
  expect([failed.map(({ status }) => status), loads]).toEqual([['rejected', 'rejected'], 1]);
  expect(memory.get('a')).toBeUndefined();
  expect(await Promise.all([memory.load('a', load), memory.load('a', load)])).toEqual([
    'loaded 2',
    'loaded 2',
  ]);
  expect(memory.getFresh('a')).toBe('loaded 2');
});
