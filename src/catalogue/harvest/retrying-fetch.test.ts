import { expect, it } from 'vitest';
import { standingClock } from '../../../test/catalogue/upstream-under-test.ts';
import { ServiceError } from '../../errors.ts';
import { OversizedResponse, invalidResponse } from '../narou/upstream-failure.ts';
import { createRetryingFetch } from './retrying-fetch.ts';

/** Sends a request that always fails; returns the pauses in seconds, at most `most`, and how it ended. */
async function restsOf(failure: ServiceError, most: number, patienceMs = Infinity) {
  const clock = standingClock(0);
  const rests: number[] = [];
  const ask = createRetryingFetch({
    clock,
    patienceMs,
    signal: new AbortController().signal,
    pauseMs: 0,
    wait: (milliseconds) => {
      clock.set(clock.now() + milliseconds);
      return rests.length < most ? Promise.resolve() : Promise.reject(new Error('enough'));
    },
    onRest: ({ seconds }) => rests.push(seconds),
  });
  const error: unknown = await ask(() => Promise.reject(failure)).catch((e: unknown) => e);
  return { rests, error };
}

it('pauses grow from two seconds to ten minutes while the upstream fails', async () => {
  const { rests } = await restsOf(new ServiceError('upstream_unavailable'), 12);
  expect(rests).toEqual([2, 4, 8, 16, 32, 64, 128, 256, 512, 600, 600, 600]);
});

it('a damaged response is requested four times, with pauses of seconds', async () => {
  const failure = invalidResponse(new Error('cut off'));
  const { rests, error } = await restsOf(failure, 12);
  expect(rests).toEqual([2, 4, 8]);
  expect(error).toBe(failure);
});

it('a response that is too large is requested once', async () => {
  const failure = new OversizedResponse(new Error('20 MB'));
  expect(await restsOf(failure, 12)).toEqual({ rests: [], error: failure });
});

it('failures are retried until the patience is over', async () => {
  const { rests, error } = await restsOf(new ServiceError('upstream_unavailable'), 12, 62_000);
  expect(rests).toEqual([2, 4, 8, 16, 32, 64]);
  expect(error).toMatchObject({ code: 'upstream_unavailable' });
});

it('a pause logs the reason that the failing check gave', async () => {
  const clock = standingClock(0);
  const messages: string[] = [];
  const ask = createRetryingFetch({
    clock,
    patienceMs: Infinity,
    signal: new AbortController().signal,
    pauseMs: 0,
    wait: () => Promise.resolve(),
    onRest: ({ message }) => messages.push(message),
  });
  const cause = new Error('100 of 500 rows came');
  const failure = new ServiceError('upstream_invalid', { cause });
  await expect(ask(() => Promise.reject(failure))).rejects.toBe(failure);
  expect(new Set(messages)).toEqual(
    new Set(['The upstream sent an unreadable response. (100 of 500 rows came)']),
  );
});
