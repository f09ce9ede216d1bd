import { onTestFinished, vi } from 'vitest';
import { manualClock } from '../../../kit/test/manual-clock.ts';
import type { Requester } from '../../src/upstream/budget.ts';
import { Gate } from '../../src/upstream/gate.ts';
import type { GateOptions } from '../../src/upstream/gate.ts';

/** The error of the calls in these tests. */
export class Fault extends Error {
  readonly kind: 'reset' | 'broken' | 'absent';
  readonly pauseSeconds: number | undefined;

  constructor(kind: Fault['kind'], pauseSeconds?: number) {
    super(kind);
    this.kind = kind;
    this.pauseSeconds = pauseSeconds;
  }
}

/** The gate's own reason: `unavailable failing 2`, `overloaded 1`, `late called`. */
export class Rejection extends Error {}

/**
 * A gate on a manual clock, which the gate's own waits move too. Deadlines pass by `pass` alone, however long a busy
 * machine takes.
 */
export function gateWith({ random = () => 0.5, wait, ...rules }: Partial<GateOptions> = {}) {
  if (!vi.isFakeTimers()) {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
  }
  const { time, clock } = manualClock(0);
  const waits: number[] = [];
  const gate = new Gate({
    clock,
    random,
    wait:
      wait ??
      ((ms) => {
        waits.push(ms);
        time.ms += ms;
        return Promise.resolve();
      }),
    maxConcurrent: 4,
    maxWaiting: 10,
    ...rules,
    classify: (error) => ({
      failed: error instanceof Fault && error.kind !== 'absent',
      retry: error instanceof Fault && error.kind === 'reset',
      pauseSeconds: error instanceof Fault ? error.pauseSeconds : undefined,
    }),
    errors: {
      unavailable: (reason, seconds) => new Rejection(`unavailable ${reason} ${seconds}`),
      overloaded: (seconds) => new Rejection(`overloaded ${seconds}`),
      timedOut: ({ wasCalled }) => new Rejection(wasCalled ? 'late called' : 'late'),
    },
  });
  /** The outcome of a run of up to an hour: its value, or the message of its error. */
  const outcomeOf = <T>(call: (signal: AbortSignal) => Promise<T>, ms = 3_600_000, requester?: Requester) =>
    gate.run(call, time.ms + ms, requester).catch((error: unknown) => (error as Error).message);
  const outcomeFor = <T>(requester: Requester, call: Parameters<typeof outcomeOf<T>>[0], ms?: number) =>
    outcomeOf(call, ms, requester);
  const pass = async (ms: number) => {
    await turn();
    time.ms += ms;
    await vi.advanceTimersByTimeAsync(ms);
  };
  return { gate, time, clock, waits, outcomeOf, outcomeFor, pass };
}

export const requesterOf = (client: string, signal?: AbortSignal): Requester => ({
  client,
  background: false,
  ...(signal && { signal }),
});

/** A requester that leaves when the test says so, with the reason 'gone'. */
export function leavingRequester() {
  const controller = new AbortController();
  return {
    requester: requesterOf('192.0.2.1', controller.signal),
    leave: () => controller.abort(new Error('gone')),
  };
}

export const succeed = () => Promise.resolve('there');
export const fault = (kind: Fault['kind'], pauseSeconds?: number) => () =>
  Promise.reject(new Fault(kind, pauseSeconds));
export const turn = () => new Promise((resolve) => setImmediate(resolve));

/** Calls that end when the test lets them. */
export function pendingCalls() {
  const ends: (() => void)[] = [];
  const call = () =>
    new Promise<string>((resolve) => {
      ends.push(() => resolve('there'));
    });
  return { ends, call };
}

/** Five failures a second apart open the circuit for two seconds. */
export async function breakDown({ outcomeOf, time }: ReturnType<typeof gateWith>) {
  for (let i = 0; i < 5; i++) {
    await outcomeOf(fault('broken'));
    if (i < 4) time.ms += 1_000;
  }
}
