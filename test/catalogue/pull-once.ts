// Pulls a catalogue from an address into a folder and exits; for tests that kill it.
import { pull } from '../../src/catalogue/pull/pull.ts';
import { systemClock } from '../../src/process/clock.ts';

const [, , from = '', dir = ''] = process.argv;

const failures = await pull({
  from: new URL(from),
  dir,
  keptGenerations: 2,
  clock: systemClock,
  wait: () => Promise.resolve(),
  random: Math.random,
  signal: new AbortController().signal,
  freeBytes: () => Infinity,
  onProgress: () => undefined,
  onPulled: () => undefined,
  onFailedDownload: () => undefined,
});
process.exitCode = failures.length === 0 ? 0 : 1;
