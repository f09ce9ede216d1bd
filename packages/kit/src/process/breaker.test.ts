import { describe, expect, it } from 'vitest';
import { manualClock } from '../../test/manual-clock.ts';
import { Breaker } from './breaker.ts';

function breakerAt({ start = 0, random = 0 } = {}) {
  const { time, clock } = manualClock(start);
  const breaker = new Breaker({ clock, random: () => random });
  /** Calls that fail at once, except for the first, which takes a second. */
  const fail = (times: number) => {
    const slow = breaker.acquire();
    for (let i = 1; i < times; i++) breaker.acquire()?.fail();
    time.ms += 1_000;
    slow?.fail();
  };
  return { breaker, time, fail };
}

describe('the breaker', () => {
  it('opens after five failures in a row, not after four', () => {
    const { breaker, fail } = breakerAt();
    fail(4);
    expect(breaker.state).toBe('closed');
    breaker.acquire()?.succeed();
    fail(4);
    expect(breaker.state).toBe('closed');
    fail(1);
    expect(breaker.state).toBe('open');
    expect(breaker.acquire()).toBeUndefined();
    expect(breaker.refusingForMs).toBe(2_000);
  });

  it('stays closed during a burst of quick failures', () => {
    const { breaker, time } = breakerAt();
    for (let i = 0; i < 100; i++) {
      time.ms += 9;
      breaker.acquire()?.fail();
    }
    expect(breaker.state).toBe('closed');
    time.ms += 109;
    breaker.acquire()?.fail();
    expect(breaker.state).toBe('open');
  });

  it('counts the failing span from the start of the calls: those that hang for a second at once open it', () => {
    const { breaker, time } = breakerAt();
    const hanging = Array.from({ length: 6 }, () => breaker.acquire());
    time.ms += 999;
    for (const permit of hanging.slice(0, 5)) permit?.fail();
    expect(breaker.state).toBe('closed');
    time.ms += 1;
    hanging[5]?.fail();
    expect(breaker.state).toBe('open');
  });

  it.each([
    ['the first to fail', ['slow', 'quick', 'quick', 'quick', 'quick']],
    ['the last to fail', ['quick', 'quick', 'quick', 'quick', 'slow']],
  ])('counts the span from the earliest start, even if that is %s', (_which, order) => {
    const { breaker, time } = breakerAt();
    const slow = breaker.acquire();
    time.ms += 1_000;
    for (const each of order) (each === 'slow' ? slow : breaker.acquire())?.fail();
    expect(breaker.state).toBe('open');
  });

  it('a success resets the count and the failing span', () => {
    const { breaker, time } = breakerAt();
    for (let i = 0; i < 4; i++) breaker.acquire()?.fail();
    time.ms += 10_000;
    breaker.acquire()?.succeed();
    for (let i = 0; i < 10; i++) breaker.acquire()?.fail();
    expect(breaker.state).toBe('closed');
  });

  it('admits exactly one probe', () => {
    const { breaker, time, fail } = breakerAt();
    fail(5);
    time.ms += 1_999;
    expect(breaker.acquire()).toBeUndefined();
    time.ms += 1;
    const permits = Array.from({ length: 100 }, () => breaker.acquire()).filter(
      (permit) => permit !== undefined,
    );
    expect(permits).toHaveLength(1);
    expect(breaker.state).toBe('probing');
    expect(breaker.refusingForMs).toBe(1_000);
    permits[0]?.succeed();
    expect(breaker.state).toBe('closed');
    expect(breaker.acquire()).toBeDefined();
  });

  it('stays open for longer with each failed probe, up to half a minute; a success ends that', () => {
    const { breaker, time, fail } = breakerAt();
    fail(5);
    const waits: number[] = [];
    for (let i = 0; i < 6; i++) {
      waits.push(breaker.refusingForMs);
      time.ms += breaker.refusingForMs;
      breaker.acquire()?.fail();
    }
    expect(waits).toEqual([2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
    time.ms += 30_000;
    breaker.acquire()?.succeed();
    fail(5);
    expect(breaker.refusingForMs).toBe(2_000);
  });

  it('stays open for up to a tenth less, so that replicas do not probe in step', () => {
    const { breaker, fail } = breakerAt({ random: 1 });
    fail(5);
    expect(breaker.refusingForMs).toBe(1_800);
  });

  it('ignores the results of calls made before it opened', () => {
    const { breaker, time, fail } = breakerAt();
    const slow = Array.from({ length: 3 }, () => breaker.acquire());
    fail(5);
    slow[0]?.succeed();
    expect(breaker.state).toBe('open');
    time.ms += 2_000;
    const probe = breaker.acquire();
    slow[1]?.fail();
    expect(breaker.state).toBe('probing');
    probe?.succeed();
    slow[2]?.fail();
    expect(breaker.state).toBe('closed');
  });

  it('counts each permit once', () => {
    const { breaker, time } = breakerAt();
    const permit = breaker.acquire();
    time.ms += 1_000;
    for (let i = 0; i < 10; i++) permit?.fail();
    expect(breaker.state).toBe('closed');
  });

  it('counts failures of calls that started before a success', () => {
    const { breaker, time } = breakerAt();
    const slow = Array.from({ length: 5 }, () => breaker.acquire());
    breaker.acquire()?.succeed();
    time.ms += 1_000;
    for (const permit of slow) permit?.fail();
    expect(breaker.state).toBe('open');
  });
});
