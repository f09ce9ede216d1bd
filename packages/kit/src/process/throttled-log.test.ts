import { describe, expect, it } from 'vitest';
import { manualClock } from '../../test/manual-clock.ts';
import { createLogger } from './logger.ts';
import { createThrottledLog, describeFailure } from './throttled-log.ts';

function throttledLog() {
  const { time, clock } = manualClock(0);
  const lines: { level: number; msg: string }[] = [];
  const stream = { write: (line: string) => lines.push(JSON.parse(line) as (typeof lines)[number]) };
  const { logger } = createLogger('test', 'warn', stream);
  return { time, lines, log: createThrottledLog({ logger, clock }) };
}

describe('a repeated failure', () => {
  it('is logged at once, and then once a period, by its kind', () => {
    const { time, lines, log } = throttledLog();
    for (let i = 0; i < 3_000; i++) {
      log.logOncePerPeriod('warn', 'a', { i }, 'a failed');
      if (i % 100 === 50) log.logOncePerPeriod('error', 'b', { i }, 'b failed');
      time.ms += 30;
    }
    expect(lines).toMatchObject([
      { level: 40, msg: 'a failed', i: 0 },
      { level: 50, msg: 'b failed', i: 50 },
      { level: 40, msg: 'a failed', i: 2_000 },
      { level: 50, msg: 'b failed', i: 2_050 },
    ]);
  });

  it('uses bounded memory', () => {
    const { lines, log } = throttledLog();
    for (let i = 0; i < 1_000; i++) log.logOncePerPeriod('warn', `kind ${i}`, {}, 'failed');
    log.logOncePerPeriod('warn', 'kind 0', {}, 'failed');
    expect(lines).toHaveLength(1_000);
    log.logOncePerPeriod('warn', 'one more', {}, 'failed');
    log.logOncePerPeriod('warn', 'kind 0', {}, 'failed');
    expect(lines).toHaveLength(1_002);
  });
});

describe('a failure in one line', () => {
  it('has the messages and codes of all its causes and no stack', () => {
    const cause = Object.assign(new Error('connect failed'), { code: 'ECONNREFUSED' });
    const text = describeFailure(new Error('unavailable', { cause }));
    expect(text).toBe('unavailable: connect failed (ECONNREFUSED)');
    expect(describeFailure('odd')).toBe('odd');
  });
});
