import { expect, it } from 'vitest';
import { createLimiter } from '../../../../kit/src/limits/create-limiter.ts';
import type { Sleep } from '../../../../kit/src/process/clock.ts';
import { LINES_A_REQUEST, createLineThrottle } from './stream-lines.ts';
import type { EndpointServices } from './endpoint.ts';

function counter(isLimited: boolean, limit = 1, sleep?: Sleep) {
  const time = { ms: 0 };
  const clock = { now: () => time.ms, monotonic: () => time.ms };
  const window = createLimiter({ requestsPerMinute: limit, clock, store: undefined })!;
  const services = { clock, limiter: isLimited ? window : undefined, client: 'one' } as EndpointServices;
  const disconnect = new AbortController();
  return { time, window, disconnect, count: createLineThrottle(services, disconnect.signal, sleep) };
}

it('a stream that waits for the limit of its client ends with the connection, and is not charged', async () => {
  const { time, window, disconnect, count } = counter(true);
  await count(LINES_A_REQUEST);
  await window.admit('one');
  const waiting = count(1);
  disconnect.abort();
  await expect(waiting).rejects.toThrow('aborted');
  time.ms += 60_001;
  expect((await window.admit('one')).isAllowed).toBe(true);
});

it('a stream waits exactly as long as the limit demands', async () => {
  const waits: number[] = [];
  const { time, count } = counter(true, 1, (waitMs) => {
    waits.push(waitMs);
    time.ms += waitMs + 1;
    return Promise.resolve();
  });
  for (let batch = 0; batch < 3; batch++) await count(LINES_A_REQUEST);
  expect(waits).toEqual([60_000]);
});

it('lines beyond those of a request count for the next, whatever the size of a batch', async () => {
  const { window, count } = counter(true, 100);
  for (let batch = 0; batch < 20; batch++) await count(300);
  // 5,700 lines before the last batch are twelve requests, of which the request itself is one.
  expect((await window.admit('one')).remaining).toBe(100 - 11 - 1);
});

it('a stream without a limit ends after an hour', async () => {
  const { time, count } = counter(false);
  await count(10 * LINES_A_REQUEST);
  time.ms += 3_600_000;
  await count(1);
  time.ms += 1;
  await expect(count(1)).rejects.toMatchObject({ code: 'upstream_timeout' });
});
