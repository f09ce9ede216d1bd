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

/** Shows each progress at its time; returns the output. */
function shown(
  steps: readonly (readonly [second: number, HarvestProgress])[],
  of: Partial<Terminal> = {},
): string {
  let now = START;
  const terminal = recordingTerminal({ ...of, now: () => now });
  const progress = createHarvestProgress(terminal);
  for (const [second, step] of steps) {
    now = START + second * 1_000;
    progress.show(step);
  }
  return terminal.written().err;
}

const lastLine = (text: string): string =>
  text
    .split(/[\r\n]+/)
    .filter(Boolean)
    .at(-1) ?? '';

describe('the progress of a harvest', () => {
  it('has share, rate, time left and budget, drawn over itself on a terminal', () => {
    const steps = [
      [0, at(0)],
      [10, at(250)],
    ] as const;
    const text = shown(steps, { errColumns: 120 });
    expect(text).not.toContain('\n');
    expect(lastLine(text)).toBe(
      '\u001b[2Knovels  novels 250  █████░░░░░░░░░░░░░░░ 25 %  25/s  1 min left  budget: 0 % of the requests, 0 % of the bytes',
    );
  });

  it('without a terminal is one line a minute, and one for each step', () => {
    const steps = Array.from({ length: 181 }, (_, second) => [second, at(second)] as const);
    const lines = shown([...steps, [182, at(0, { step: 'build', total: 1_000 })]]).split('\n');
    expect(lines.filter((line) => line.includes('novels 1')).length).toBeLessThanOrEqual(2);
    expect(lines).toHaveLength(4 + 1 + 1);
    expect(lines.at(-2)).toBe('novels  building the index of 1,000');
  });

  it.each([
    ['requests', { requested: { requests: 30_000, bytes: 1 }, spent: { requests: 30_000, bytes: 1 } }],
    ['bytes', { requested: { requests: 1, bytes: 150e6 }, spent: { requests: 1, bytes: 150e6 } }],
  ])('counts the time in which the quota of %s is refilled', (_, { requested, spent }) => {
    // A quarter of the work used three quarters of the share: the rest needs two and a quarter, and two are refilled.
    const later = at(250, { usage: requested, spent: { ...spent, at: START } });
    const text = shown([
      [0, at(0)],
      [10, later],
    ]);
    expect(
      lastLine(
        shown([
          [0, at(0)],
          [70, later],
        ]),
      ),
    ).toContain('4 h left');
    expect(text).toContain('novels 0');
  });

  it('counts hours up to two days', () => {
    const text = shown([
      [0, at(0)],
      [12 * 3_600, at(250)],
    ]);
    expect(lastLine(text)).toContain('36 h left');
  });

  it('counts only what is missing from a share that is overdrawn', () => {
    const requested = { requests: 30_000, bytes: 1 };
    const spent = { requests: 80_000, bytes: 1, at: START };
    const text = shown([
      [0, at(0)],
      [70, at(250, { usage: requested, spent })],
    ]);
    expect(lastLine(text)).toContain('5 h left');
  });

  it('states no time left before any has passed', () => {
    const text = shown(
      [
        [0, at(0)],
        [0, at(250)],
      ],
      { errColumns: 120 },
    );
    expect(lastLine(text)).toContain('25 %  budget');
  });

  it('states until when it pauses, and why', () => {
    const pause = { reason: 'failure', seconds: 90, message: 'The upstream is not available.' } as const;
    const text = shown([
      [0, at(0)],
      [1, at(3, { pause })],
      [2, at(3, { pause })],
    ]);
    expect(text).toContain('pausing until 2026-11-21T00:01:31Z: The upstream is not available.');
    expect(text.match(/pausing until/g)).toHaveLength(1);
  });
});
