import { afterEach, expect, it, vi } from 'vitest';
import { createLogger } from '@mokuroku/kit/process';
import { watchFolder } from './watch-folder.ts';

afterEach(() => {
  vi.useRealTimers();
});

it('an unreadable folder is checked every two seconds, and logged every ten minutes', async () => {
  vi.useFakeTimers();
  const logged: unknown[] = [];
  const { logger } = createLogger('test', 'warn', { write: (line) => logged.push(JSON.parse(line)) });
  const clock = { now: () => Date.now(), monotonic: () => Date.now() };
  let looks = 0;
  const refresh = () => {
    looks++;
    return Promise.reject(new Error('EIO: i/o error'));
  };
  const watch = watchFolder({ refresh }, { logger, clock });
  await vi.advanceTimersByTimeAsync(598_000);
  expect(looks).toBe(300);
  expect(logged).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(logged).toEqual([expect.anything(), expect.objectContaining({ times: 300 })]);
  watch.close();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(looks).toBe(301);
});
