import { describe, expect, it } from 'vitest';
import { createGate } from './gate.ts';
import type { Gate, GateOptions, ServerRules } from './gate.ts';

/** What the calls of these tests fail with. */
class Fault extends Error {
  readonly kind: 'reset' | 'broken' | 'absent';
  readonly pauseSeconds: number | undefined;

  constructor(kind: Fault['kind'], pauseSeconds?: number) {
    super(kind);
    this.kind = kind;
    this.pauseSeconds = pauseSeconds;
  }
}

/** Why the gate itself refused: `unavailable failing 2`, `overloaded 1`, `late asked`. */
class Refusal extends Error {}

interface Setting extends Partial<ServerRules>, Partial<Pick<GateOptions, 'admit' | 'random' | 'wait'>> {
  rulesOf?: (server: string) => Partial<ServerRules>;
}

const SERVER = 'api.example';

/** A gate whose time stands still: it moves by hand, and by what the gate itself waits. */
function gateWith({ admit, random = () => 0.5, wait, rulesOf, ...rules }: Setting = {}) {
  const time = { ms: 0 };
  const clock = { now: () => time.ms, monotonic: () => time.ms };
  const waits: number[] = [];
  const gate = createGate({
    clock,
    random,
    wait:
      wait ??
      ((ms) => {
        waits.push(ms);
        time.ms += ms;
        return Promise.resolve();
      }),
    rulesOf: (server) => ({ places: 4, maxWaiting: 10, retries: 2, ...rules, ...rulesOf?.(server) }),
    admit,
    classify: (error) => ({
      failed: error instanceof Fault && error.kind !== 'absent',
      retry: error instanceof Fault && error.kind === 'reset',
      pauseSeconds: error instanceof Fault ? error.pauseSeconds : undefined,
    }),
    errors: {
      unavailable: (reason, seconds) => new Refusal(`unavailable ${reason} ${seconds}`),
      overloaded: (seconds) => new Refusal(`overloaded ${seconds}`),
      late: (asked) => new Refusal(asked ? 'late asked' : 'late'),
    },
  });
  /** What comes of a run that may take an hour: its value, or the message of its error. */
  const outcomeOf = <T>(call: () => Promise<T>, server = SERVER, ms = 3_600_000) =>
    gate.run(server, call, time.ms + ms).catch((error: unknown) => (error as Error).message);
  return { gate, time, clock, waits, outcomeOf };
}

const succeed = () => Promise.resolve('there');
const fault = (kind: Fault['kind'], pauseSeconds?: number) => () =>
  Promise.reject(new Fault(kind, pauseSeconds));
const turn = () => new Promise((resolve) => setImmediate(resolve));

/** Calls that end when the test says so. */
function heldCalls() {
  const ends: (() => void)[] = [];
  const call = () =>
    new Promise<string>((resolve) => {
      ends.push(() => {
        resolve('there');
      });
    });
  return { ends, call };
}

/** Five failures a second apart: the circuit is open, for two seconds. */
async function breakDown({ outcomeOf, time }: ReturnType<typeof gateWith>) {
  for (let i = 0; i < 5; i++) {
    await outcomeOf(fault('broken'));
    if (i < 4) time.ms += 1_000;
  }
}

describe('the circuit', () => {
  it('stops calls at once, lets one through when its time is over, and its success ends that', async () => {
    const set = gateWith({ random: () => 0 });
    await breakDown(set);
    let calls = 0;
    const call = () => Promise.resolve(++calls);
    for (let i = 0; i < 100; i++) expect(await set.outcomeOf(call)).toBe('unavailable failing 2');
    expect(calls).toBe(0);
    expect(set.gate.figures()).toMatchObject({ open: 1, refused: 100 });
    expect(await set.outcomeOf(succeed, 'other.example')).toBe('there');
    set.time.ms += 2_000;
    expect(await set.outcomeOf(call)).toBe(1);
    expect(await set.outcomeOf(call)).toBe(2);
    expect(set.gate.figures()).toMatchObject({ open: 0 });
  });

  it('takes a "no" for an answer, not for a failure', async () => {
    const set = gateWith();
    for (let i = 0; i < 20; i++) {
      set.time.ms += 1_000;
      expect(await set.outcomeOf(fault('absent'))).toBe('absent');
    }
    expect(set.gate.figures().open).toBe(0);
  });

  it('is probed by one call, which is not repeated, and a failed probe waits longer each time', async () => {
    const set = gateWith({ random: () => 0 });
    for (let i = 0; i < 50; i++) await set.outcomeOf(succeed);
    await breakDown(set);
    let calls = 0;
    const reset = () => {
      calls++;
      return fault('reset')();
    };
    for (const seconds of [2, 4, 8, 16, 30, 30]) {
      expect(await set.outcomeOf(reset)).toBe(`unavailable failing ${seconds}`);
      set.time.ms += seconds * 1_000;
      calls = 0;
      expect(await set.outcomeOf(reset)).toBe('reset');
      expect(calls).toBe(1);
    }
    expect(set.gate.figures().retries).toBe(0);
  });

  it('is closed by a probe that is answered with a "no"', async () => {
    const set = gateWith();
    await breakDown(set);
    set.time.ms += 2_000;
    expect(await set.outcomeOf(fault('absent'))).toBe('absent');
    expect(await set.outcomeOf(succeed)).toBe('there');
  });

  it('refuses the others while the probe is under way', async () => {
    const set = gateWith();
    await breakDown(set);
    set.time.ms += 2_000;
    const { ends, call } = heldCalls();
    const probe = set.outcomeOf(call);
    await turn();
    expect(await set.outcomeOf(succeed)).toBe('unavailable failing 1');
    ends[0]!();
    expect(await probe).toBe('there');
  });

  it('counts calls that ran into their deadline as failures, from their start', async () => {
    const set = gateWith({ places: 5 });
    const hanging = () => new Promise<never>(() => undefined);
    const runs = Array.from({ length: 5 }, () => set.outcomeOf(hanging, SERVER, 20));
    await turn();
    set.time.ms += 1_000;
    expect(await Promise.all(runs)).toEqual(Array.from({ length: 5 }, () => 'late asked'));
    expect(set.gate.figures()).toMatchObject({ open: 1, underWay: 0 });
  });
});

describe('a pause', () => {
  it('that comes with a failure is heeded from the first one on, up to ten minutes', async () => {
    const set = gateWith();
    expect(await set.outcomeOf(fault('broken', 120))).toBe('broken');
    expect(await set.outcomeOf(succeed)).toBe('unavailable paused 120');
    expect(await set.outcomeOf(succeed, 'other.example')).toBe('there');
    set.time.ms += 119_999;
    expect(await set.outcomeOf(succeed)).toBe('unavailable paused 1');
    set.time.ms += 1;
    expect(await set.outcomeOf(fault('broken', 86_400))).toBe('broken');
    expect(await set.outcomeOf(succeed)).toBe('unavailable paused 600');
    set.time.ms += 600_000;
    expect(await set.outcomeOf(succeed)).toBe('there');
  });

  it('that is asked for holds also those who wait, is not shortened, and not ended by earlier calls', async () => {
    const set = gateWith({ places: 1 });
    const { ends, call } = heldCalls();
    const first = set.outcomeOf(call);
    const waiting = set.outcomeOf(succeed);
    await turn();
    set.gate.pause(SERVER, 1_800);
    set.gate.pause(SERVER, 60);
    ends[0]!();
    expect(await first).toBe('there');
    expect(await waiting).toBe('unavailable paused 1800');
    set.time.ms += 1_800_000;
    expect(await set.outcomeOf(succeed)).toBe('there');
  });

  it('is not interrupted by a repeated call', async () => {
    const set = gateWith();
    for (let i = 0; i < 20; i++) await set.outcomeOf(succeed);
    expect(await set.outcomeOf(fault('reset', 5))).toBe('reset');
    expect(set.gate.figures().retries).toBe(0);
  });
});

describe('a retry', () => {
  it('comes after a random while, twice at most, for what is safe to repeat', async () => {
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
    expect(gate.figures()).toMatchObject({ calls: 53, retries: 2 });
  });

  it('is not made where the rules allow none', async () => {
    const { outcomeOf, gate } = gateWith({ retries: 0 });
    for (let i = 0; i < 50; i++) await outcomeOf(succeed);
    await outcomeOf(fault('reset'));
    expect(gate.figures().retries).toBe(0);
  });

  it('is earned by ten runs, and five are saved at most', async () => {
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
    const before = gate.figures().retries;
    for (let i = 0; i < 10; i++) await outcomeOf(flaky());
    expect(gate.figures().retries - before).toBe(5);
  });

  it('adds at most a fifth to the calls, however badly the server fails', async () => {
    const { outcomeOf, gate } = gateWith();
    let calls = 0;
    // Every third call is answered, so that the circuit stays closed and nothing but the savings hold back.
    const call = () => (++calls % 3 === 0 ? succeed() : fault('reset')());
    for (let i = 0; i < 10; i++) await outcomeOf(call);
    expect(calls).toBeLessThanOrEqual(12);
    for (let i = 10; i < 1_000; i++) await outcomeOf(call);
    expect(gate.figures().retries).toBeGreaterThan(50);
    expect(calls).toBeLessThanOrEqual(1_200);
  });

  it('with its call is one failure to the circuit', async () => {
    const { outcomeOf, gate, time } = gateWith();
    for (let i = 0; i < 50; i++) await outcomeOf(succeed);
    for (let i = 0; i < 4; i++) {
      await outcomeOf(fault('reset'));
      time.ms += 1_000;
    }
    expect(gate.figures()).toMatchObject({ open: 0, retries: 5 });
    await outcomeOf(fault('reset'));
    expect(gate.figures().open).toBe(1);
  });

  it('is not waited for when it would come after the deadline', async () => {
    const { gate, time, waits, outcomeOf } = gateWith();
    for (let i = 0; i < 20; i++) await outcomeOf(succeed);
    await expect(gate.run(SERVER, fault('reset'), time.ms + 100)).rejects.toThrow('reset');
    expect(waits).toEqual([]);
  });
});

describe('the queue', () => {
  it('never has more calls under way than places, lets a bounded number wait, and refuses the others', async () => {
    const { gate, outcomeOf } = gateWith();
    const { ends, call } = heldCalls();
    const runs = Array.from({ length: 20 }, () => outcomeOf(call));
    const other = outcomeOf(succeed, 'other.example');
    await turn();
    expect(await other).toBe('there');
    expect(ends).toHaveLength(4);
    expect(gate.figures()).toMatchObject({ servers: 2, underWay: 4, waiting: 10, refused: 6 });
    expect(gate.figures(SERVER)).toMatchObject({
      servers: 1,
      underWay: 4,
      waiting: 10,
      calls: 4,
      refused: 6,
    });
    for (let i = 0; i < 14; i++) {
      ends[i]!();
      await turn();
    }
    const outcomes = await Promise.all(runs);
    expect(outcomes.filter((outcome) => outcome === 'there')).toHaveLength(14);
    expect(outcomes.filter((outcome) => outcome === 'overloaded 1')).toHaveLength(6);
    expect(gate.figures()).toMatchObject({ underWay: 0, waiting: 0 });
  });

  it('refuses those who would wait too long, by the mean of the calls so far', async () => {
    const { gate, time, outcomeOf } = gateWith({ maxWaiting: 1_000, tolerableWaitMs: 400 });
    const slow = () => {
      time.ms += 600;
      return Promise.resolve();
    };
    for (let i = 0; i < 50; i++) await outcomeOf(slow);
    const { ends, call } = heldCalls();
    const runs = Array.from({ length: 100 }, () => outcomeOf(call));
    await turn();
    // The wait may always be as long as one call.
    expect(gate.figures()).toMatchObject({ underWay: 4, waiting: 4 });
    while (gate.figures().underWay > 0) {
      ends.shift()!();
      await turn();
    }
    await Promise.all(runs);
  });

  it('gives a place back after a failure', async () => {
    const { outcomeOf, gate } = gateWith({ places: 1 });
    expect(await outcomeOf(fault('absent'))).toBe('absent');
    expect(await outcomeOf(succeed)).toBe('there');
    expect(gate.figures().underWay).toBe(0);
  });
});

describe('the deadline', () => {
  it('holds while waiting in line, too; the call’s signal is aborted then', async () => {
    const { gate, outcomeOf } = gateWith({ places: 1 });
    let signal: AbortSignal | undefined;
    const hanging = (given: AbortSignal) => {
      signal = given;
      return new Promise<never>(() => undefined);
    };
    const runs = [gate.run(SERVER, hanging, 20), outcomeOf(succeed, SERVER, 5)];
    expect(await runs[1]).toBe('late');
    expect(signal?.aborted).toBe(false);
    await expect(runs[0]).rejects.toThrow('late asked');
    expect(signal?.reason).toBeInstanceOf(Refusal);
    expect(gate.figures()).toMatchObject({ underWay: 0, waiting: 0, calls: 1 });
  });

  it.each([0, -1])('no call is made when it is %i ms away', async (ms) => {
    const { outcomeOf, gate } = gateWith();
    expect(await outcomeOf(succeed, SERVER, ms)).toBe('late');
    expect(gate.figures().calls).toBe(0);
  });

  it('no call starts after it, whatever was waited for', async () => {
    const admit = async () => {
      await turn();
      set.time.ms += 1_000;
    };
    const set = gateWith({ admit });
    expect(await set.outcomeOf(succeed, SERVER, 1_000)).toBe('late');
    expect(await set.outcomeOf(succeed, SERVER, 1_001)).toBe('there');
    expect(set.gate.figures().calls).toBe(1);
  });

  it('may be further away than the longest timer', async () => {
    const { outcomeOf } = gateWith();
    const soon = () => new Promise((resolve) => setTimeout(resolve, 20, 'there'));
    expect(await outcomeOf(soon, SERVER, 2 ** 40)).toBe('there');
    expect(await outcomeOf(soon, SERVER, Infinity)).toBe('there');
  });
});

describe('the rate', () => {
  it('after a burst is kept by waiting, or refused when that takes longer than the deadline', async () => {
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

  it('of a server with a spacing of its own is one call per spacing, whatever the burst', async () => {
    const own = (server: string) => (server === SERVER ? { spacingMs: 10_000 } : {});
    const { outcomeOf, time } = gateWith({ perSecond: 100, burst: 50, rulesOf: own });
    expect(await outcomeOf(succeed, SERVER, 5_000)).toBe('there');
    expect(await outcomeOf(succeed, SERVER, 5_000)).toBe('overloaded 10');
    expect(await outcomeOf(succeed, 'other.example', 5_000)).toBe('there');
    time.ms += 10_000;
    expect(await outcomeOf(succeed, SERVER, 5_000)).toBe('there');
  });

  it('is kept between the calls themselves, also when they waited for a place', async () => {
    const starts: number[] = [];
    const { outcomeOf, time } = gateWith({ places: 1, spacingMs: 1_000 });
    const slow = () => {
      starts.push(time.ms);
      time.ms += 5_000;
      return succeed();
    };
    await Promise.all([outcomeOf(slow), outcomeOf(slow), outcomeOf(succeed), outcomeOf(slow)]);
    expect(starts).toEqual([0, 5_000, 11_000]);
  });

  it('counts those who wait before it refuses', async () => {
    const { outcomeOf, gate } = gateWith({ places: 1, spacingMs: 1_000 });
    const { ends, call } = heldCalls();
    const runs = [outcomeOf(call), outcomeOf(call), outcomeOf(call)];
    expect(await outcomeOf(succeed, SERVER, 3_000)).toBe('overloaded 3');
    while (gate.figures().underWay > 0) {
      ends.shift()?.();
      await turn();
    }
    expect(await Promise.all(runs)).toEqual(['there', 'there', 'there']);
  });
});

describe('whoever asks', () => {
  const asker = { client: '192.0.2.1', background: false };

  it('is asked leave for before every call, repeated ones too; a refusal is no failure of the server', async () => {
    let left = 13;
    const admit = (given: unknown) => {
      expect(given).toBe(asker);
      if (left-- === 0) throw new Refusal('spent');
    };
    const { gate, time } = gateWith({ admit });
    const run = (call: () => Promise<string>) =>
      gate.run(SERVER, call, time.ms + 60_000, asker).catch((error: unknown) => (error as Error).message);
    for (let i = 0; i < 10; i++) expect(await run(succeed)).toBe('there');
    let calls = 0;
    expect(await run(() => (++calls === 1 ? fault('reset')() : succeed()))).toBe('there');
    expect(await run(succeed)).toBe('there');
    for (let i = 0; i < 5; i++) {
      left = 0;
      time.ms += 1_000;
      expect(await run(succeed)).toBe('spent');
    }
    expect(gate.figures()).toMatchObject({ calls: 13, refused: 5, open: 0, underWay: 0 });
  });

  it('may stop waiting: its signal ends the call, also one that still waits for its turn', async () => {
    const { gate } = gateWith({ places: 1 });
    const controller = new AbortController();
    const given = { ...asker, signal: controller.signal };
    let seen: AbortSignal | undefined;
    const hanging = (signal: AbortSignal) => {
      seen = signal;
      return new Promise<never>(() => undefined);
    };
    const runs = [hanging, succeed].map((call) => gate.run(SERVER, call, 60_000, given));
    await turn();
    controller.abort(new Error('gone'));
    for (const run of runs) await expect(run).rejects.toThrow('gone');
    expect(seen?.reason).toMatchObject({ message: 'gone' });
    await expect(gate.run(SERVER, succeed, 60_000, given)).rejects.toThrow('gone');
    expect(gate.figures()).toMatchObject({ underWay: 0, waiting: 0, calls: 1 });
  });
});

describe('the memory of servers', () => {
  const askMany = async ({ outcomeOf }: ReturnType<typeof gateWith>, count: number) => {
    for (let i = 0; i < count; i++) await outcomeOf(succeed, `server${i}.example`);
  };

  it('is bounded: idle ones go first, and what is known of others stays', async () => {
    const set = gateWith();
    await breakDown(set);
    set.gate.pause('paused.example', 60);
    await askMany(set, 1_998);
    expect(set.gate.figures()).toMatchObject({ servers: 2_000, calls: 2_003 });
    await askMany(set, 3_000);
    expect(set.gate.figures().servers).toBeLessThanOrEqual(2_000);
    expect(set.gate.figures().calls).toBe(2_003 + 3_000);
    expect(await set.outcomeOf(succeed, 'paused.example')).toBe('unavailable paused 60');
    expect(set.gate.figures(SERVER).open).toBe(1);
  });

  it('is bounded also when none is idle; those with calls under way are never forgotten', async () => {
    const set: { gate: Gate } & ReturnType<typeof gateWith> = gateWith();
    const { ends, call } = heldCalls();
    const held = set.outcomeOf(call, 'busy.example');
    for (let i = 0; i < 2_500; i++) set.gate.pause(`server${i}.example`, 60);
    await turn();
    expect(set.gate.figures()).toMatchObject({ servers: 2_000, underWay: 1 });
    ends[0]!();
    expect(await held).toBe('there');
  });
});
