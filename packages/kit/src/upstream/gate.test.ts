import { describe, expect, it, vi } from 'vitest';
import {
  Rejection,
  SERVER,
  breakDown,
  gateWith,
  leavingRequester,
  requesterOf,
  succeed,
  fault,
  turn,
  pendingCalls,
} from '../../test/upstream/gate-by-hand.ts';

describe('the queue', () => {
  it('never runs more calls than places, lets a bounded number wait, and rejects the others', async () => {
    const { gate, outcomeOf } = gateWith();
    const { ends, call } = pendingCalls();
    const runs = Array.from({ length: 20 }, () => outcomeOf(call));
    const other = outcomeOf(succeed, 'other.example');
    await turn();
    expect(await other).toBe('there');
    expect(ends).toHaveLength(4);
    expect(gate.stats()).toMatchObject({ servers: 2, running: 4, waiting: 10, calls: 5, refused: 6 });
    for (let i = 0; i < 14; i++) {
      ends[i]!();
      await turn();
    }
    const outcomes = await Promise.all(runs);
    expect(outcomes.filter((outcome) => outcome === 'there')).toHaveLength(14);
    expect(outcomes.filter((outcome) => outcome === 'overloaded 1')).toHaveLength(6);
    expect(gate.stats()).toMatchObject({ running: 0, waiting: 0 });
  });

  it('rejects with the expected wait, whatever the uptime and the calls that were not made', async () => {
    let isSpent = false;
    const admit = () => {
      if (isSpent) throw new Rejection('spent');
    };
    const { outcomeOf, time } = gateWith({ maxConcurrent: 1, tolerableWaitMs: 0, admit });
    time.ms = 10_000_000;
    for (let i = 0; i < 100; i++) {
      await outcomeOf(() => {
        time.ms += 4_000;
        return succeed();
      });
    }
    isSpent = true;
    for (let i = 0; i < 100; i++) expect(await outcomeOf(succeed)).toBe('spent');
    isSpent = false;
    const { ends, call } = pendingCalls();
    // One call may always wait for the mean duration.
    const runs = [outcomeOf(call), outcomeOf(succeed)];
    await turn();
    expect(await outcomeOf(succeed)).toBe('overloaded 8');
    ends[0]!();
    expect(await Promise.all(runs)).toEqual(['there', 'there']);
  });

  it('releases a place after a failure', async () => {
    const { outcomeOf, gate } = gateWith({ maxConcurrent: 1 });
    expect(await outcomeOf(fault('absent'))).toBe('absent');
    expect(await outcomeOf(succeed)).toBe('there');
    expect(gate.stats().running).toBe(0);
  });
});

describe('the deadline', () => {
  it('also applies while a call waits in the queue; the signal of the call is aborted then', async () => {
    const { gate, outcomeOf, pass } = gateWith({ maxConcurrent: 1 });
    let signal: AbortSignal | undefined;
    const hanging = (given: AbortSignal) => {
      signal = given;
      return new Promise<never>(() => undefined);
    };
    const runs = [outcomeOf(hanging, SERVER, 20), outcomeOf(succeed, SERVER, 5)];
    await pass(5);
    expect(await runs[1]).toBe('late');
    expect(signal?.aborted).toBe(false);
    await pass(15);
    expect(await runs[0]).toBe('late called');
    expect(signal?.reason).toBeInstanceOf(Rejection);
    expect(gate.stats()).toMatchObject({ running: 0, waiting: 0, calls: 1 });
  });

  it.each([0, -1])('no call is made when it is %i ms away', async (ms) => {
    const { outcomeOf, gate } = gateWith();
    expect(await outcomeOf(succeed, SERVER, ms)).toBe('late');
    expect(gate.stats().calls).toBe(0);
  });

  it('no call starts after it, whatever it waited for', async () => {
    const admit = async () => {
      await turn();
      set.time.ms += 1_000;
    };
    const set = gateWith({ admit });
    expect(await set.outcomeOf(succeed, SERVER, 1_000)).toBe('late');
    expect(await set.outcomeOf(succeed, SERVER, 1_001)).toBe('there');
    expect(set.gate.stats().calls).toBe(1);
  });

  it('counts from now, whatever the uptime', async () => {
    const { outcomeOf, pass, time } = gateWith();
    time.ms = 10_000_000;
    const run = outcomeOf(() => new Promise<never>(() => undefined), SERVER, 20);
    await pass(20);
    expect(await run).toBe('late called');
  });

  it('leaves no timer behind once the call has ended', async () => {
    const { outcomeOf } = gateWith();
    expect(await outcomeOf(succeed)).toBe('there');
    expect(await outcomeOf(fault('absent'))).toBe('absent');
    expect(vi.getTimerCount()).toBe(0);
  });

  it('may be further away than the longest timer', async () => {
    const { outcomeOf, pass } = gateWith();
    const soon = () => new Promise((resolve) => setTimeout(resolve, 20, 'there'));
    const runs = [outcomeOf(soon, SERVER, 2 ** 40), outcomeOf(soon, SERVER, Infinity)];
    await pass(20);
    expect(await Promise.all(runs)).toEqual(['there', 'there']);
  });
});

describe('the rate', () => {
  it('after a burst delays calls, or rejects those that would miss the deadline', async () => {
    const { outcomeOf, waits, time } = gateWith({ perSecond: 1, burst: 3 });
    const burst = Array.from({ length: 3 }, () => outcomeOf(succeed, SERVER, 500));
    expect(await Promise.all(burst)).toEqual(['there', 'there', 'there']);
    expect(await outcomeOf(succeed, SERVER, 1_000)).toBe('overloaded 1');
    expect(waits).toEqual([]);
    expect(await outcomeOf(succeed, SERVER, 1_001)).toBe('there');
    expect(waits).toEqual([1_000]);
    time.ms += 10_000;
    const again = await Promise.all(Array.from({ length: 4 }, () => outcomeOf(succeed, SERVER, 500)));
    expect(again).toEqual(['there', 'there', 'there', 'overloaded 1']);
  });

  it('of a server with its own spacing is one call per spacing, whatever the burst', async () => {
    const own = (server: string) => (server === SERVER ? { spacingMs: 10_000 } : {});
    const { outcomeOf, time } = gateWith({ perSecond: 100, burst: 50, rulesOf: own });
    expect(await outcomeOf(succeed, SERVER, 5_000)).toBe('there');
    expect(await outcomeOf(succeed, SERVER, 5_000)).toBe('overloaded 10');
    expect(await outcomeOf(succeed, 'other.example', 5_000)).toBe('there');
    time.ms += 10_000;
    expect(await outcomeOf(succeed, SERVER, 5_000)).toBe('there');
  });

  it('applies between the calls themselves, also if they waited for a place', async () => {
    const starts: number[] = [];
    const { outcomeOf, time } = gateWith({ maxConcurrent: 1, spacingMs: 1_000 });
    const slow = () => {
      starts.push(time.ms);
      time.ms += 5_000;
      return succeed();
    };
    await Promise.all([outcomeOf(slow), outcomeOf(slow), outcomeOf(succeed), outcomeOf(slow)]);
    expect(starts).toEqual([0, 5_000, 11_000]);
  });

  it('includes the waiting calls in its prediction', async () => {
    const { outcomeOf, gate, time } = gateWith({ maxConcurrent: 1, spacingMs: 1_000 });
    const { ends, call } = pendingCalls();
    const runs = [outcomeOf(call), outcomeOf(call), outcomeOf(call)];
    expect(await outcomeOf(succeed, SERVER, 3_000)).toBe('overloaded 3');
    time.ms += 10_000;
    expect(await outcomeOf(succeed, SERVER, 2_000)).toBe('overloaded 2');
    while (gate.stats().running > 0) {
      ends.shift()?.();
      await turn();
    }
    expect(await Promise.all(runs)).toEqual(['there', 'there', 'there']);
  });

  it('rejects a call in its turn if calls of other networks that overtook it used up its time', async () => {
    const { time, outcomeFor } = gateWith({ maxConcurrent: 1, perSecond: 0.1 });
    const [one, other] = [requesterOf('192.0.2.1'), requesterOf('198.51.100.1')];
    const { ends, call } = pendingCalls();
    const running = outcomeFor(one, call);
    await turn();
    const waiting = [outcomeFor(one, succeed), outcomeFor(one, succeed, 25_000), outcomeFor(other, succeed)];
    ends[0]!();
    await running;
    expect(await Promise.all(waiting)).toEqual(['there', 'overloaded 10', 'there']);
    // It took no token.
    expect(await outcomeFor(one, succeed)).toBe('there');
    expect(time.ms).toBe(30_000);
  });

  it('predicts for a caller of another network without all waiting calls of a busy one', async () => {
    const { gate, outcomeFor } = gateWith({ maxConcurrent: 1, spacingMs: 1_000, maxWaiting: 20 });
    const { ends, call } = pendingCalls();
    const busy = Array.from({ length: 7 }, () => outcomeFor(requesterOf('192.0.2.1'), call, 60_000));
    const other = outcomeFor(requesterOf('198.51.100.1'), call, 3_500);
    while (gate.stats().running > 0) {
      ends.shift()?.();
      await turn();
    }
    expect(await other).toBe('there');
    await Promise.all(busy);
  });
});

describe('the caller', () => {
  it('is checked before every call, retries too; a rejection is no failure of the server', async () => {
    const requester = requesterOf('192.0.2.1');
    let left = 13;
    const admit = (given: unknown) => {
      expect(given).toBe(requester);
      if (left-- === 0) throw new Rejection('spent');
    };
    const { gate, time, outcomeFor } = gateWith({ admit });
    for (let i = 0; i < 10; i++) expect(await outcomeFor(requester, succeed)).toBe('there');
    let calls = 0;
    const flaky = () => (++calls === 1 ? fault('reset')() : succeed());
    expect(await outcomeFor(requester, flaky)).toBe('there');
    expect(await outcomeFor(requester, succeed)).toBe('there');
    for (let i = 0; i < 5; i++) {
      left = 0;
      time.ms += 1_000;
      expect(await outcomeFor(requester, succeed)).toBe('spent');
    }
    expect(gate.stats()).toMatchObject({ calls: 13, refused: 5, open: 0, running: 0 });
  });

  it('may abort by its signal a running or a waiting call', async () => {
    const { gate, outcomeFor } = gateWith({ maxConcurrent: 1 });
    const { requester, leave } = leavingRequester();
    let seen: AbortSignal | undefined;
    const hanging = (signal: AbortSignal) => {
      seen = signal;
      return new Promise<never>(() => undefined);
    };
    const runs = [hanging, succeed].map((call) => outcomeFor(requester, call));
    await turn();
    leave();
    expect(await Promise.all(runs)).toEqual(['gone', 'gone']);
    expect(seen?.reason).toMatchObject({ message: 'gone' });
    expect(await outcomeFor(requester, succeed)).toBe('gone');
    expect(gate.stats()).toMatchObject({ running: 0, waiting: 0, calls: 1 });
  });

  it('is not waited for if its own call aborts it', async () => {
    const { requester, leave } = leavingRequester();
    const call = () => {
      leave();
      return new Promise<never>(() => undefined);
    };
    expect(await gateWith().outcomeFor(requester, call)).toBe('gone');
  });
});

describe('the memory of servers', () => {
  const sendMany = async ({ outcomeOf }: ReturnType<typeof gateWith>, count: number) => {
    for (let i = 0; i < count; i++) await outcomeOf(succeed, `server${i}.example`);
  };

  it('is bounded: idle ones are dropped first, and the state of others stays', async () => {
    const set = gateWith();
    await breakDown(set);
    await set.outcomeOf(fault('broken', 60), 'paused.example');
    await sendMany(set, 1_998);
    expect(set.gate.stats()).toMatchObject({ servers: 2_000, calls: 2_004 });
    await sendMany(set, 3_000);
    expect(set.gate.stats().servers).toBeLessThanOrEqual(2_000);
    expect(set.gate.stats().calls).toBe(2_004 + 3_000);
    expect(await set.outcomeOf(succeed, 'paused.example')).toBe('unavailable paused 60');
    expect(set.gate.stats().open).toBe(1);
  });

  it('includes the used rate of a server', async () => {
    const set = gateWith({ rulesOf: (server) => (server === SERVER ? { spacingMs: 10_000 } : {}) });
    await set.outcomeOf(succeed);
    await sendMany(set, 2_500);
    expect(await set.outcomeOf(succeed, SERVER, 5_000)).toBe('overloaded 10');
  });

  it('is bounded also if none is idle; servers with running calls are never dropped', async () => {
    const set = gateWith();
    const { ends, call } = pendingCalls();
    const pendingCall = set.outcomeOf(call, 'busy.example');
    for (let i = 0; i < 2_500; i++) await set.outcomeOf(fault('broken', 60), `server${i}.example`);
    await turn();
    expect(set.gate.stats()).toMatchObject({ servers: 2_000, running: 1 });
    // The oldest are dropped.
    expect(await set.outcomeOf(succeed, 'server2000.example')).toBe('unavailable paused 60');
    expect(await set.outcomeOf(succeed, 'server0.example')).toBe('there');
    ends[0]!();
    expect(await pendingCall).toBe('there');
  });
});
