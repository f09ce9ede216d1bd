import { expect, it } from 'vitest';
import { mapUnordered } from './map-unordered.ts';

it('bounds the concurrent calls and yields results as they arrive', async () => {
  const ends: (() => void)[] = [];
  let most = 0;
  let running = 0;
  const call = async (input: string, index: number) => {
    most = Math.max(most, ++running);
    await new Promise<void>((end) => (ends[index] = end));
    running--;
    return `${input}${index}`;
  };
  const outputs = mapUnordered(['a', 'b', 'c', 'd'], { atOnce: 2 }, call);
  const next = async (index: number) => {
    const output = outputs.next();
    await new Promise(setImmediate);
    ends[index]?.();
    return (await output).value;
  };
  expect(await next(1)).toBe('b1');
  expect(await next(2)).toBe('c2');
  expect(await next(0)).toBe('a0');
  expect(await next(3)).toBe('d3');
  expect(await outputs.next()).toEqual({ done: true, value: undefined });
  expect(most).toBe(2);
});

it('makes no further call once its reader has stopped', async () => {
  const calls: number[] = [];
  const results = mapUnordered([1, 2, 3, 4], { atOnce: 2 }, (input) => {
    calls.push(input);
    return Promise.resolve(input);
  });
  await results.next();
  await results.return();
  expect(calls).toEqual([1, 2]);
});
