import { describe, expect, it } from 'vitest';
import {
  gateWith,
  leavingRequester,
  succeed,
  fault,
  turn,
  pendingCalls,
  breakDown,
} from '../../test/upstream/gate-by-hand.ts';

describe('the circuit', () => {
  it('rejects calls at once, admits one later, and closes on its success', async () => {
    const set = gateWith({ random: () => 0 });
    await breakDown(set);
    let calls = 0;
    const call = () => Promise.resolve(++calls);
    expect(await set.outcomeOf(call)).toBe('unavailable failing 2');
    expect(set.gate.stats()).toMatchObject({ isOpen: true, refused: 1 });
    set.time.ms += 2_000;
    expect(await set.outcomeOf(call)).toBe(1);
    expect(await set.outcomeOf(call)).toBe(2);
    expect(set.gate.stats()).toMatchObject({ isOpen: false });
  });

  it('never opens because a server denies', async () => {
    const set = gateWith();
    for (let i = 0; i < 20; i++) {
      set.time.ms += 1_000;
      expect(await set.outcomeOf(fault('absent'))).toBe('absent');
    }
    expect(set.gate.stats().isOpen).toBe(false);
  });

  it('is probed by one call without retries; its failure is the reason for a longer pause', async () => {
    const set = gateWith({ random: () => 0 });
    for (let i = 0; i < 50; i++) await set.outcomeOf(succeed);
    await breakDown(set);
    set.time.ms += 2_000;
    expect(await set.outcomeOf(fault('reset'))).toBe('reset');
    expect(await set.outcomeOf(succeed)).toBe('unavailable failing 4');
    expect(set.gate.stats().retries).toBe(0);
  });

  it('is closed by a probe whose response is a denial', async () => {
    const set = gateWith();
    await breakDown(set);
    set.time.ms += 2_000;
    expect(await set.outcomeOf(fault('absent'))).toBe('absent');
    expect(await set.outcomeOf(succeed)).toBe('there');
  });

  it('opens for longer if the caller of the probe leaves', async () => {
    const set = gateWith({ random: () => 0 });
    await breakDown(set);
    set.time.ms += 2_000;
    const { requester, leave } = leavingRequester();
    const probe = set.outcomeFor(requester, pendingCalls().call);
    await turn();
    leave();
    expect(await probe).toBe('gone');
    expect(await set.outcomeOf(succeed)).toBe('unavailable failing 4');
    set.time.ms += 4_000;
    expect(await set.outcomeOf(succeed)).toBe('there');
  });

  it('does not count calls whose callers left', async () => {
    const { time, outcomeOf, outcomeFor } = gateWith();
    for (let call = 0; call < 10; call++) {
      const { requester, leave } = leavingRequester();
      const left = outcomeFor(requester, pendingCalls().call);
      await turn();
      time.ms += 1_000;
      leave();
      expect(await left).toBe('gone');
    }
    expect(await outcomeOf(succeed)).toBe('there');
  });

  it('counts calls that ran into their deadline as failures, from their start', async () => {
    const set = gateWith({ maxConcurrent: 5 });
    const hanging = () => new Promise<never>(() => undefined);
    const runs = Array.from({ length: 5 }, () => set.outcomeOf(hanging, 20));
    await set.pass(1_000);
    expect(await Promise.all(runs)).toEqual(Array.from({ length: 5 }, () => 'late called'));
    expect(set.gate.stats()).toMatchObject({ isOpen: true, running: 0 });
  });
});

describe('a pause', () => {
  it('that comes with a failure applies from the first one on, up to ten minutes', async () => {
    const set = gateWith();
    expect(await set.outcomeOf(fault('broken', 120))).toBe('broken');
    expect(await set.outcomeOf(succeed)).toBe('unavailable paused 120');
    set.time.ms += 119_999;
    expect(await set.outcomeOf(succeed)).toBe('unavailable paused 1');
    set.time.ms += 1;
    expect(await set.outcomeOf(fault('broken', 86_400))).toBe('broken');
    expect(await set.outcomeOf(succeed)).toBe('unavailable paused 600');
    set.time.ms += 600_000;
    expect(await set.outcomeOf(succeed)).toBe('there');
  });

  it('also applies to waiting calls, is not shortened, and not ended by earlier calls', async () => {
    const set = gateWith({ maxConcurrent: 3 });
    const { ends, call } = pendingCalls();
    const after = (then: () => Promise<string>) => set.outcomeOf(() => call().then(then));
    const calls = [after(fault('broken', 600)), after(fault('broken', 60)), after(succeed)];
    const waiting = set.outcomeOf(succeed);
    await turn();
    for (const end of ends) end();
    expect(await Promise.all(calls)).toEqual(['broken', 'broken', 'there']);
    expect(await waiting).toBe('unavailable paused 600');
    set.time.ms += 600_000;
    expect(await set.outcomeOf(succeed)).toBe('there');
  });

  it('is not interrupted by a retry', async () => {
    const set = gateWith();
    for (let i = 0; i < 20; i++) await set.outcomeOf(succeed);
    expect(await set.outcomeOf(fault('reset', 5))).toBe('reset');
    expect(set.gate.stats().retries).toBe(0);
  });
});

describe('a retry', () => {
  it('comes after a random delay, twice at most, for retryable failures', async () => {
    const { outcomeOf, waits, gate } = gateWith();
    for (let i = 0; i < 49; i++) await outcomeOf(succeed);
    let calls = 0;
    const reset = () => {
      calls++;
      return fault('reset')();
    };
    expect(await outcomeOf(reset)).toBe('reset');
    expect(calls).toBe(3);
    expect(waits).toEqual([50, 100]);
    expect(await outcomeOf(fault('broken'))).toBe('broken');
    expect(waits).toHaveLength(2);
    expect(gate.stats()).toMatchObject({ calls: 53, retries: 2 });
  });

  it('is earned by ten runs, with at most five saved', async () => {
    const { outcomeOf, gate } = gateWith();
    const flaky = () => {
      let calls = 0;
      return () => (++calls === 1 ? fault('reset')() : succeed());
    };
    for (let i = 0; i < 9; i++) expect(await outcomeOf(flaky())).toBe('reset');
    expect(await outcomeOf(succeed)).toBe('there');
    expect(await outcomeOf(flaky())).toBe('there');
    expect(await outcomeOf(flaky())).toBe('reset');
    for (let i = 0; i < 1_000; i++) await outcomeOf(succeed);
    const before = gate.stats().retries;
    for (let i = 0; i < 10; i++) await outcomeOf(flaky());
    expect(gate.stats().retries - before).toBe(5);
  });

  it('adds at most a tenth to the calls, however badly the server fails', async () => {
    const { outcomeOf, gate } = gateWith();
    let calls = 0;
    // Every third call succeeds, so that the circuit stays closed and only the saved retries limit.
    const call = () => (++calls % 3 === 0 ? succeed() : fault('reset')());
    for (let i = 0; i < 10; i++) await outcomeOf(call);
    expect(calls).toBeLessThanOrEqual(12);
    for (let i = 10; i < 1_000; i++) await outcomeOf(call);
    expect(gate.stats().retries).toBeGreaterThan(50);
    expect(calls).toBeLessThanOrEqual(1_100);
  });

  it('with its call is one failure to the circuit', async () => {
    const { outcomeOf, gate, time } = gateWith();
    for (let i = 0; i < 50; i++) await outcomeOf(succeed);
    for (let i = 0; i < 4; i++) {
      await outcomeOf(fault('reset'));
      time.ms += 1_000;
    }
    expect(gate.stats()).toMatchObject({ isOpen: false, retries: 5 });
    await outcomeOf(fault('reset'));
    expect(gate.stats().isOpen).toBe(true);
  });

  it('that is rejected does not hide the failure of its call from the circuit', async () => {
    let left = Infinity;
    const admit = () => {
      if (left-- === 0) throw new Error('spent');
    };
    const { outcomeOf, gate, time } = gateWith({ admit });
    for (let i = 0; i < 50; i++) await outcomeOf(succeed);
    for (let i = 0; i < 5; i++) {
      left = 1;
      time.ms += 1_000;
      expect(await outcomeOf(fault('reset'))).toBe('spent');
    }
    expect(gate.stats()).toMatchObject({ isOpen: true, retries: 5 });
  });

  it('is not made if it would start after the deadline', async () => {
    const { waits, outcomeOf } = gateWith({ random: () => 1 });
    for (let i = 0; i < 50; i++) await outcomeOf(succeed);
    // The first one may wait for up to 100 ms, the second for up to 200 ms.
    for (const [ms, waited] of [
      [100, []],
      [300, [100]],
      [301, [100, 100, 200]],
    ] as const) {
      expect(await outcomeOf(fault('reset'), ms)).toBe('reset');
      expect(waits).toEqual(waited);
    }
  });
});
