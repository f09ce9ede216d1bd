import { describe, expect, it, vi } from 'vitest';
import { DeadlineError } from '@mokuroku/kit/deadline';
import {
  Rejection,
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
    await turn();
    expect(ends).toHaveLength(4);
    expect(gate.stats()).toMatchObject({ running: 4, waiting: 10, calls: 4, refused: 6 });
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

  it('lets networks take turns, and gives none of them more than half of the places', async () => {
    const { outcomeFor } = gateWith({ maxConcurrent: 1 });
    const order: string[] = [];
    const send = (client: string) =>
      outcomeFor(requesterOf(client), () => Promise.resolve(order.push(client)));
    const outcomes = [...Array.from({ length: 7 }, () => '192.0.2.1'), '198.51.100.1'].map(send);
    expect((await Promise.all(outcomes))[6]).toBe('overloaded 1');
    expect(order.slice(0, 3)).toEqual(['192.0.2.1', '192.0.2.1', '198.51.100.1']);
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
    const runs = [outcomeOf(hanging, 20), outcomeOf(succeed, 5)];
    await pass(5);
    expect(await runs[1]).toBe('late');
    expect(signal?.aborted).toBe(false);
    await pass(15);
    expect(await runs[0]).toBe('late called');
    expect(signal?.reason).toBeInstanceOf(DeadlineError);
    expect(gate.stats()).toMatchObject({ running: 0, waiting: 0, calls: 1 });
  });

  it.each([0, -1])('no call is made when it is %i ms away', async (ms) => {
    const { outcomeOf, gate } = gateWith();
    expect(await outcomeOf(succeed, ms)).toBe('late');
    expect(gate.stats().calls).toBe(0);
  });

  it('no call starts after it, whatever it waited for', async () => {
    const admit = async () => {
      await turn();
      set.time.ms += 1_000;
    };
    const set = gateWith({ admit });
    expect(await set.outcomeOf(succeed, 1_000)).toBe('late');
    expect(await set.outcomeOf(succeed, 1_001)).toBe('there');
    expect(set.gate.stats().calls).toBe(1);
  });

  it('counts from now, whatever the uptime', async () => {
    const { outcomeOf, pass, time } = gateWith();
    time.ms = 10_000_000;
    const run = outcomeOf(() => new Promise<never>(() => undefined), 20);
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
    const runs = [outcomeOf(soon, 2 ** 40), outcomeOf(soon, Infinity)];
    await pass(20);
    expect(await Promise.all(runs)).toEqual(['there', 'there']);
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
    expect(gate.stats()).toMatchObject({ calls: 13, refused: 5, isOpen: false, running: 0 });
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
