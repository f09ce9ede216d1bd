import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { closeOnSignals } from './shutdown.ts';
import type { HowToClose } from './shutdown.ts';

/** Shuts two parts down on events of the process, which itself keeps running. */
function watchProcess(close: (how: HowToClose) => Promise<void> = () => Promise.resolve()) {
  const before = new Map(process.eventNames().map((name) => [name, process.listeners(name as 'exit')]));
  const codes: unknown[] = [];
  const exit = vi.spyOn(process, 'exit').mockImplementation((code) => codes.push(code) as never);
  onTestFinished(() => {
    exit.mockRestore();
    for (const name of process.eventNames()) {
      for (const listener of process.listeners(name as 'exit')) {
        if (!before.get(name)?.includes(listener)) process.removeListener(name, listener);
      }
    }
  });
  const closings: HowToClose[] = [];
  const reported: unknown[] = [];
  const closer = (how: HowToClose) => {
    closings.push(how);
    return close(how);
  };
  closeOnSignals([closer, closer], (error) => reported.push(error));
  return { codes, closings, reported };
}

describe('a process', () => {
  it.each([
    ['SIGTERM', 1_000],
    ['SIGINT', 0],
  ] as const)('ends in order on %s, all its parts after a drain of %i ms', async (signal, drainMs) => {
    const { codes, closings, reported } = watchProcess();
    process.emit(signal, signal);
    await expect.poll(() => codes).toEqual([0]);
    expect(closings).toEqual([{ drainMs }, { drainMs }]);
    expect(reported).toEqual([]);
  });

  it('reports the error that ends it, and ends with code 1', async () => {
    const { codes, closings, reported } = watchProcess();
    const error = new Error('unexpected');
    // Its own listener alone: Vitest has one, too.
    process.listeners('uncaughtException').at(-1)?.(error, 'uncaughtException');
    await expect.poll(() => codes).toEqual([1]);
    expect([closings.length, reported]).toEqual([2, [error]]);
  });

  it('does not end before its parts have', async () => {
    const ends: (() => void)[] = [];
    const { codes } = watchProcess(() => new Promise((resolve) => ends.push(resolve)));
    process.emit('SIGTERM', 'SIGTERM');
    expect(ends).toHaveLength(2);
    ends[0]!();
    await new Promise((resolve) => setImmediate(resolve));
    expect(codes).toEqual([]);
    ends[1]!();
    await expect.poll(() => codes).toEqual([0]);
  });
});
