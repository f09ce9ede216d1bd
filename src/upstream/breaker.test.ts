import { describe, expect, it } from 'vitest';
import { Breaker } from './breaker.ts';

function breakerAt(start = 0) {
  const time = { ms: start };
  const clock = { now: () => time.ms, monotonic: () => time.ms };
  const breaker = new Breaker({ clock, random: () => 0 });
  /** Calls that fail at once, but for the last, which takes a second. */
  const fail = (times: number, leaveAloneMs?: number) => {
    const slow = breaker.enter();
    for (let i = 1; i < times; i++) breaker.enter()?.fail(leaveAloneMs);
    time.ms += 1_000;
    slow?.fail(leaveAloneMs);
  };
  return { breaker, time, fail };
}

describe('the breaker', () => {
  it('opens after five failures in a row, for the time that the upstream stated', () => {
    const { breaker, time, fail } = breakerAt();
    fail(4);
    breaker.enter()?.succeed();
    fail(4);
    expect(breaker.state).toBe('closed');
    fail(1);
    expect(breaker.enter()).toBeUndefined();
    expect(breaker.refusingForMs).toBe(2_000);
    time.ms += 2_000;
    breaker.enter()?.succeed();
    fail(5, 90_000);
    expect(breaker.refusingForMs).toBe(90_000);
  });

  it('bears a burst of quick failures', () => {
    const { breaker, time } = breakerAt();
    for (let i = 0; i < 100; i++) {
      time.ms += 9;
      breaker.enter()?.fail();
    }
    expect(breaker.state).toBe('closed');
    time.ms += 109;
    breaker.enter()?.fail();
    expect(breaker.state).toBe('open');
  });

  it('lets one probe through and no more, however many knock', () => {
    const { breaker, time, fail } = breakerAt();
    fail(5);
    time.ms += 2_000;
    const passes = Array.from({ length: 100 }, () => breaker.enter()).filter((pass) => pass !== undefined);
    expect(passes).toHaveLength(1);
    passes[0]?.succeed();
    expect(breaker.state).toBe('closed');
    expect(breaker.enter()).toBeDefined();
  });

  it('stays open for longer with each failed probe, up to half a minute', () => {
    const { breaker, time, fail } = breakerAt();
    fail(5);
    const waits: number[] = [];
    for (let i = 0; i < 6; i++) {
      waits.push(breaker.refusingForMs);
      time.ms += breaker.refusingForMs;
      breaker.enter()?.fail();
    }
    expect(waits).toEqual([2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
  });

  it('does not hear calls that were made before it opened', () => {
    const { breaker, time, fail } = breakerAt();
    const slow = Array.from({ length: 3 }, () => breaker.enter());
    fail(5);
    slow[0]?.succeed();
    expect(breaker.state).toBe('open');
    time.ms += 2_000;
    const probe = breaker.enter();
    slow[1]?.fail();
    expect(breaker.state).toBe('probing');
    probe?.succeed();
    slow[2]?.fail();
    expect(breaker.state).toBe('closed');
  });
});
