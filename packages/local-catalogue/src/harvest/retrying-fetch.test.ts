import { expect, it } from 'vitest';
import { standingClock } from '../../../narou/test/upstream-under-test.ts';
import { ServiceError } from '@mokuroku/kit';
import {
  OversizedResponse,
  UpstreamUnavailable,
  invalidResponse,
  timedOut,
} from '../../../narou/src/live/upstream-failure.ts';
import { RefusedRequest, createRetryingFetch } from './retrying-fetch.ts';
import { NOVEL_ERRORS } from '@mokuroku/narou';

interface Upstream {
  /** How the request fails; undefined: it succeeds. */
  readonly request: (seconds: number) => ServiceError | undefined;
  /** The same for its probe. */
  readonly probe?: (seconds: number) => ServiceError | undefined;
}

/** Sends a request, with at most `most` pauses. Returns the pauses in seconds, the requests and the end. */
async function fetchFrom(
  { request, probe = request }: Upstream,
  most: number,
  maxOutageMs = Infinity,
  signal = new AbortController().signal,
) {
  const clock = standingClock(0);
  const pauses: number[] = [];
  const messages: string[] = [];
  const sent: string[] = [];
  const send = createRetryingFetch({
    clock,
    maxOutageMs,
    signal,
    intervalMs: 0,
    wait: (milliseconds) => {
      clock.set(clock.now() + milliseconds);
      return pauses.length < most ? Promise.resolve() : Promise.reject(new Error('enough'));
    },
    onPause: ({ seconds, message }) => {
      pauses.push(seconds);
      messages.push(message);
    },
  });
  const answer = (name: string, failureAt: Upstream['request']) => () => {
    sent.push(name);
    const failure = failureAt(clock.now() / 1_000);
    return failure ? Promise.reject(failure) : Promise.resolve('found');
  };
  const end: unknown = await send(answer('request', request), answer('probe', probe)).catch(
    (e: unknown) => e,
  );
  return { pauses, messages, sent, end };
}

const unavailable = new ServiceError(NOVEL_ERRORS.upstream_unavailable, {
  cause: new Error('responded 503'),
});
const always = (failure: ServiceError) => ({ request: () => failure });

it('a fault of this program is no failure of the upstream: nothing is requested again', async () => {
  const fault = new TypeError('x is undefined');
  const { sent, end } = await fetchFrom({ request: () => fault as never }, 3);
  expect([sent, end]).toEqual([['request'], fault]);
});

it('a request that ends because it was interrupted reports no pause', async () => {
  const interrupted = new AbortController();
  const request = () => {
    interrupted.abort(new Error('interrupted'));
    return unavailable;
  };
  const { sent, pauses, end } = await fetchFrom({ request }, 3, Infinity, interrupted.signal);
  expect([sent, pauses, end]).toEqual([['request'], [], interrupted.signal.reason]);
});

it('pauses grow from two seconds to ten minutes while the upstream fails', async () => {
  const { pauses } = await fetchFrom(always(unavailable), 12);
  expect(pauses).toEqual([2, 4, 8, 16, 32, 64, 128, 256, 512, 600, 600, 600]);
});

it.each([
  [
    'a Retry-After of the upstream is obeyed',
    new UpstreamUnavailable('', { isTemporary: true, statedSeconds: 7 }),
    7,
  ],
  ['without one the pause is short', new UpstreamUnavailable('', { isTemporary: true }), 2],
  ['so is the first pause after a timeout', timedOut(''), 2],
  [
    'a quota that is available again at once is not requested without a pause',
    new ServiceError(NOVEL_ERRORS.upstream_budget_spent, { retryAfterSeconds: 0 }),
    2,
  ],
  [
    'the gate before the upstream is waited for',
    new ServiceError(NOVEL_ERRORS.upstream_unavailable, { retryAfterSeconds: 9 }),
    9,
  ],
])('%s', async (_, failure, seconds) => {
  expect((await fetchFrom(always(failure), 1)).pauses).toEqual([seconds]);
});

it('a request is sent only after the interval since the last response', async () => {
  const clock = standingClock(0);
  const sentAt: number[] = [];
  const send = createRetryingFetch({
    clock,
    maxOutageMs: 0,
    signal: new AbortController().signal,
    intervalMs: 1_000,
    wait: async (milliseconds) => {
      await Promise.resolve();
      clock.set(clock.now() + milliseconds);
    },
    onPause: () => undefined,
  });
  const request = () => Promise.resolve(sentAt.push(clock.now()));
  for (let times = 0; times < 3; times++) await send(request, request);
  expect(sentAt).toEqual([0, 1_000, 2_000]);
});

it('a damaged response is requested four times, with pauses of seconds, each logged with its reason', async () => {
  const failure = invalidResponse('100 of 500 rows received');
  const { pauses, messages, sent, end } = await fetchFrom(always(failure), 12);
  expect(pauses).toEqual([2, 4, 8]);
  expect(sent).toEqual(['request', 'request', 'request', 'request']);
  expect(end).toBe(failure);
  const message = 'The upstream sent an unreadable response. (100 of 500 rows received)';
  expect(messages).toEqual([message, message, message]);
});

it('a response that is too large is requested once', async () => {
  const failure = new OversizedResponse('20 MB');
  expect(await fetchFrom(always(failure), 12)).toMatchObject({ pauses: [], end: failure });
});

it('failures are retried until the maximum duration of an outage', async () => {
  const { pauses, end } = await fetchFrom(always(unavailable), 12, 62_000);
  expect(pauses).toEqual([2, 4, 8, 16, 32, 64]);
  expect(end).toMatchObject({ code: 'upstream_unavailable' });
});

it.each(['upstream_unavailable', 'upstream_timeout'] as const)(
  'a request that fails four times with %s while its probe succeeds is refused',
  async (code) => {
    const failure = new ServiceError(NOVEL_ERRORS[code]);
    const { pauses, sent, end } = await fetchFrom({ request: () => failure, probe: () => undefined }, 12);
    expect(end).toBeInstanceOf(RefusedRequest);
    expect(end).toMatchObject({ code: 'upstream_invalid', cause: failure });
    expect(pauses).toEqual([2, 4, 8, 16]);
    expect(sent).toEqual(Array.from({ length: 4 }, () => ['request', 'probe']).flat());
  },
);

it('an outage is waited out, however often it begins again: its request is never refused', async () => {
  let requests = 0;
  let probes = 0;
  const request = () => (++requests <= 10 ? unavailable : undefined);
  // Each outage is met by a request and by the probe after it.
  const probe = () => (++probes % 2 === 1 ? unavailable : undefined);
  const { end, sent } = await fetchFrom({ request, probe }, 1_000);
  expect(end).toBe('found');
  expect(sent).toHaveLength(10 + 20 + 1);
});

it('an outage at the last attempt proves nothing about the request, which gets four more', async () => {
  let probes = 0;
  const probe = () => (++probes === 4 ? unavailable : undefined);
  const { end, sent } = await fetchFrom({ request: () => unavailable, probe }, 1_000);
  expect(end).toBeInstanceOf(RefusedRequest);
  expect(sent.filter((name) => name === 'request')).toHaveLength(8);
});

it('a spent budget is waited for, as often as it takes', async () => {
  let requests = 0;
  const spent = new ServiceError(NOVEL_ERRORS.upstream_budget_spent, { retryAfterSeconds: 3_600 });
  const { end, pauses, messages, sent } = await fetchFrom(
    { request: () => (++requests <= 6 ? spent : undefined), probe: () => undefined },
    12,
    60_000,
  );
  expect(end).toBe('found');
  expect(pauses).toEqual([3_600, 3_600, 3_600, 3_600, 3_600, 3_600]);
  // In the words of a harvest, not those for a service's client.
  expect(messages[0]).toBe("The harvest's share of the daily upstream quota is used up for now.");
  expect(sent).not.toContain('probe');
});

it('a spent budget is no attempt: a damaged response after it is still requested again', async () => {
  const spent = new ServiceError(NOVEL_ERRORS.upstream_share_spent, { retryAfterSeconds: 60 });
  const failures = [spent, spent, spent, spent, invalidResponse('cut off')];
  const { end, pauses } = await fetchFrom({ request: () => failures.shift() }, 12);
  expect(end).toBe('found');
  expect(pauses).toEqual([60, 60, 60, 60, 2]);
});
