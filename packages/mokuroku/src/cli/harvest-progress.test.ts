import { describe, expect, it } from 'vitest';
import { recordingTerminal } from '../../test/cli/recording-terminal.ts';
import type { HarvestProgress } from '@mokuroku/local-catalogue/harvest';
import { createHarvestProgress } from './harvest-progress.ts';
import type { Terminal } from './terminal.ts';

const START = Date.parse('2026-11-21T00:00:00Z');

const at = (done: number, of: Partial<HarvestProgress> = {}): HarvestProgress => ({
  step: 'walk',
  site: 'novels',
  done,
  total: 1_000,
  pause: undefined,
  spent: { requests: done / 10, bytes: done * 100, at: START },
  share: { requests: 40_000, bytes: 200_000_000 },
  usage: { requests: done / 10, bytes: done * 100 },
  ...of,
});

/** The lines shown of progress at these seconds; on a terminal each is drawn over the one before. */
function shown(
  steps: readonly (readonly [second: number, HarvestProgress])[],
  of: Partial<Terminal> = {},
): string[] {
  let now = START;
  const terminal = recordingTerminal({ ...of, now: () => now });
  const progress = createHarvestProgress(terminal);
  for (const [second, step] of steps) {
    now = START + second * 1_000;
    progress.show(step);
  }
  return terminal
    .written()
    .err.split(/[\r\n]+/)
    .filter(Boolean);
}

/** The line of a quarter of the work, after so many seconds. */
const quarterAfter = (
  seconds: number,
  of: Partial<HarvestProgress> = {},
  terminal: Partial<Terminal> = {},
) => {
  const steps = [
    [0, at(0)],
    [seconds, at(250, of)],
  ] as const;
  return shown(steps, terminal).at(-1);
};

describe('the progress of a harvest', () => {
  it('has share, rate, time left and budget, drawn over itself on a terminal', () => {
    expect(quarterAfter(10, {}, { errColumns: 120 })).toBe(
      '\u001b[2Knovels  novels 250  █████░░░░░░░░░░░░░░░ 25 %  25/s  1 min left  budget: 0 % of the requests, 0 % of the bytes',
    );
  });

  it('without a terminal is one line a minute, and one for each step', () => {
    const steps = Array.from({ length: 181 }, (_, second) => [second, at(second)] as const);
    const lines = shown([...steps, [182, at(0, { step: 'build', done: undefined, total: 1_000 })]]);
    expect(lines).toHaveLength(4 + 1);
    expect(lines.at(-1)).toBe('novels  building the index of 1,000');
  });

  // A quarter of the work used three quarters of the share: the rest needs two and a quarter, and two are refilled.
  it.each([
    ['requests', 70, { requests: 30_000, bytes: 1 }, {}, '4 h left'],
    ['bytes', 70, { requests: 1, bytes: 150e6 }, {}, '4 h left'],
    [
      'an overdrawn share only as far as it is missing',
      70,
      { requests: 30_000, bytes: 1 },
      { requests: 80_000 },
      '5 h left',
    ],
    [
      'nothing that is not used up, in hours up to two days',
      12 * 3_600,
      { requests: 25, bytes: 1 },
      {},
      '36 h left',
    ],
  ])('counts the time in which the quota is refilled: %s', (_, seconds, usage, spent, left) => {
    expect(quarterAfter(seconds, { usage, spent: { ...usage, at: START, ...spent } })).toContain(left);
  });

  it('states no time left before any has passed', () => {
    expect(quarterAfter(0, {}, { errColumns: 120 })).toContain('25 %  budget');
  });

  it('states until when it pauses, and why, once', () => {
    const pause = { seconds: 90, message: 'The upstream is not available.' };
    const lines = shown([
      [0, at(0)],
      [1, at(3, { pause })],
      [2, at(3, { pause })],
    ]);
    expect(lines).toHaveLength(2);
    expect(lines[1]).toContain('pausing until 2026-11-21T00:01:31Z: The upstream is not available.');
  });
});
