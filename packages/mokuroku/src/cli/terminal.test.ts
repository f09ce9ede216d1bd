import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { systemSleep } from '@mokuroku/kit/deadline';
import { createStyle, processTerminal } from './terminal.ts';

describe('the terminal of the process', () => {
  it.each(['SIGINT', 'SIGTERM'] as const)('ends requests and pauses on %s', async (signal) => {
    const terminal = processTerminal();
    const { interrupted } = terminal;
    expect([interrupted.aborted, terminal.interrupted]).toEqual([false, interrupted]);
    // Longer than a timer of Node.
    const paused = terminal.pause(30 * 86_400_000).then(() => 'ended');
    expect(await Promise.race([paused, systemSleep(5)])).toBeUndefined();
    process.emit(signal);
    await expect(paused).rejects.toThrow('interrupted');
    expect(interrupted.reason).toMatchObject({ message: 'interrupted' });
  });

  it.each([
    [80, 80],
    [0, undefined],
  ])('of %i columns cuts lines to %j', (columns, expected) => {
    Object.defineProperties(process.stdout, {
      isTTY: { value: true, configurable: true },
      columns: { value: columns, configurable: true },
    });
    onTestFinished(() =>
      ['isTTY', 'columns'].forEach((name) => Reflect.deleteProperty(process.stdout, name)),
    );
    expect(processTerminal().columns).toBe(expected);
  });
});

describe('colours', () => {
  afterEach(() => vi.unstubAllEnvs());

  it.each([
    ['', '1', true],
    ['', '0', false],
    ['', 'false', false],
    ['1', '3', false],
  ])('where NO_COLOR is "%s" and FORCE_COLOR "%s": %s, in pipes too', (no, force, expected) => {
    vi.stubEnv('NO_COLOR', no);
    vi.stubEnv('FORCE_COLOR', force);
    expect(processTerminal()).toMatchObject({ outHasColour: expected, errHasColour: expected });
  });

  it('need a terminal that can show them', () => {
    vi.stubEnv('NO_COLOR', '');
    vi.stubEnv('FORCE_COLOR', '');
    Object.defineProperty(process.stdout, 'isTTY', { value: true, configurable: true });
    onTestFinished(() => void Reflect.deleteProperty(process.stdout, 'isTTY'));
    const hasColour = (term: string) => {
      vi.stubEnv('TERM', term);
      return processTerminal().outHasColour;
    };
    expect([hasColour('xterm'), hasColour('dumb')]).toEqual([true, false]);
  });

  it('surround a text and end after it, or are omitted', () => {
    const texts = (hasColour: boolean) =>
      Object.values(createStyle(hasColour)).map((style) => style('x').replaceAll('\u001b', '^'));
    expect(texts(true)).toEqual(['^[1mx^[22m', '^[2mx^[22m', '^[31mx^[39m', '^[33mx^[39m']);
    expect(texts(false)).toEqual(['x', 'x', 'x', 'x']);
  });
});
