import { afterEach, describe, expect, it, vi } from 'vitest';
import { createLogger } from '../process/logger.ts';
import { controlledStore, regained, turn, usableStore } from '../../test/store/controlled-store.ts';

describe('the guarded store', () => {
  it('does not fail a start if the store refuses the connection', async () => {
    const { store, controls } = controlledStore();
    controls.onTrouble(new Error('connection refused'), true);
    await store.ready;
    expect(store.isUsable).toBe(false);
    await store.close();
  });

  it('waits at startup for a second attempt if the first one timed out', async () => {
    const { store, controls } = controlledStore();
    controls.onTrouble(new Error('connect ETIMEDOUT'), false);
    controls.onReady();
    await store.ready;
    expect(store.isUsable).toBe(true);
    await store.close();
  });

  it('costs one timeout when the store stops responding, and is used again when it responds', async () => {
    const { store, controls } = await usableStore();
    controls.mood = 'silent';
    const waiting = Array.from({ length: 50 }, () => store.run((client) => client.getBuffer('k')));
    const ends = await Promise.allSettled(waiting);
    expect(ends.every(({ status }) => status === 'rejected')).toBe(true);
    const sent = controls.commands;
    await expect(store.run((client) => client.getBuffer('k'))).rejects.toThrow('unreachable');
    expect(controls.commands).toBe(sent);
    controls.mood = 'answering';
    await regained(store);
    expect(await store.run((client) => client.getBuffer('k'))).toBeNull();
    await store.close();
  });

  it.each([
    'WRONGTYPE Operation against a key holding the wrong kind of value',
    'ERR Error running script (call to f_ab): @user_script:2: WRONGTYPE Operation against a key',
  ])('is not lost if a key has a foreign value, and warns of it once: %s', async (message) => {
    const logged: string[] = [];
    const { logger } = createLogger('test', 'warn', { write: (line) => logged.push(line) });
    const { store, controls } = await usableStore({ logger });
    for (let time = 0; time < 2; time++) {
      controls.nextReply = Promise.reject(new Error(message));
      await expect(store.run((client) => client.getBuffer('k'))).rejects.toThrow('WRONGTYPE');
      expect(store.isUsable).toBe(true);
    }
    expect(logged).toHaveLength(1);
    await store.close();
  });

  it('rejects all waiting commands when the connection breaks', async () => {
    const { store, controls } = await usableStore();
    controls.mood = 'silent';
    const waiting = store.run((client) => client.getBuffer('k'));
    controls.onTrouble(new Error('reset'), true);
    await expect(waiting).rejects.toThrow('reset');
    expect(store.isUsable).toBe(false);
    await store.close();
  });

  it('reconnects if the store stays unresponsive on a connection', async () => {
    const { store, controls } = await usableStore();
    controls.mood = 'silent';
    await store.run((client) => client.getBuffer('k')).catch(() => undefined);
    while (controls.reconnects === 0) await turn();
    controls.mood = 'answering';
    await regained(store);
    await store.close();
  });

  it('lets 10,000 commands wait and sends no more, without opening the circuit', async () => {
    const { store, controls } = await usableStore();
    const before = controls.commands;
    const pending: (() => void)[] = [];
    const waitForRelease = () => new Promise<void>((done) => pending.push(done));
    const waiting = Array.from({ length: 10_000 }, () => store.run(waitForRelease));
    await expect(store.run((client) => client.getBuffer('k'))).rejects.toThrow('unreachable');
    expect(controls.commands).toBe(before);
    for (const done of pending) done();
    await Promise.all(waiting);
    expect(store.isUsable).toBe(true);
    expect(await store.run((client) => client.getBuffer('k'))).toBeNull();
    await store.close();
  });

  it('notifies listeners whenever it becomes usable, before it is used', async () => {
    const { store, controls } = await usableStore();
    const order: string[] = [];
    store.onUsable(() => {
      order.push('notified');
    });
    for (let losses = 0; losses < 2; losses++) {
      controls.onTrouble(new Error('reset'), true);
      const used = regained(store).then(() => order.push('used'));
      controls.onReady();
      await used;
    }
    expect(order).toEqual(['notified', 'used', 'notified', 'used']);
    await store.close();
  });
});

describe('an unavailable store', () => {
  afterEach(() => {
    vi.useRealTimers();
  });
  const clock = { now: () => Date.now(), monotonic: () => Date.now() };

  /** Pauses before the next probes, in milliseconds. */
  async function probeDelays(controls: { commands: number }, count: number): Promise<number[]> {
    const delays: number[] = [];
    let since = Date.now();
    let sent = controls.commands;
    while (delays.length < count) {
      await vi.advanceTimersByTimeAsync(1);
      if (controls.commands === sent) continue;
      delays.push(Date.now() - since);
      sent = controls.commands;
      since = Date.now();
    }
    return delays;
  }

  it('is probed with growing pauses, up to a second', async () => {
    vi.useFakeTimers();
    const { store, controls } = await usableStore({ clock });
    await vi.advanceTimersByTimeAsync(10_001);
    controls.mood = 'gone';
    controls.onTrouble(new Error('gone'), true);
    expect(await probeDelays(controls, 6)).toEqual([50, 100, 250, 500, 1_000, 1_000]);
    await store.close();
  });

  it('is reconnected after every four failed probes', async () => {
    vi.useFakeTimers();
    const { store, controls } = await usableStore({ clock });
    await vi.advanceTimersByTimeAsync(10_001);
    controls.mood = 'gone';
    controls.onTrouble(new Error('gone'), true);
    const reconnects: number[] = [];
    for (let probes = 1; probes <= 9; probes++) {
      await probeDelays(controls, 1);
      await vi.advanceTimersByTimeAsync(0);
      reconnects.push(controls.reconnects);
    }
    expect(reconnects).toEqual([0, 0, 0, 1, 1, 1, 1, 2, 2]);
    await store.close();
  });

  it('keeps its longer pause if it was available for at most 10 s, otherwise starts over', async () => {
    vi.useFakeTimers();
    const { store, controls } = await usableStore({ clock });
    await vi.advanceTimersByTimeAsync(10_000);
    controls.onTrouble(new Error('gone'), true);
    expect(await probeDelays(controls, 1)).toEqual([100]);
    await vi.advanceTimersByTimeAsync(10_001);
    controls.onTrouble(new Error('gone'), true);
    expect(await probeDelays(controls, 1)).toEqual([50]);
    await store.close();
  });

  it('is logged as lost once, with the reason, until it has been in use again', async () => {
    const lines: { level: number; msg: string; reason?: string }[] = [];
    const stream = { write: (line: string) => lines.push(JSON.parse(line) as (typeof lines)[number]) };
    const { store, controls } = await usableStore({ logger: createLogger('test', 'info', stream).logger });
    for (const reason of ['reset', 'refused', 'refused again']) controls.onTrouble(new Error(reason), true);
    controls.onReady();
    await regained(store);
    controls.onTrouble(new Error('reset anew'), true);
    await store.close();
    controls.onTrouble(new Error('closed'), true);
    expect(lines.map(({ level, reason }) => [level, reason])).toEqual([
      [30, undefined],
      [40, 'reset'],
      [30, undefined],
      [40, 'reset anew'],
    ]);
  });

  it('is probed by one command at a time, and by none while it is in use or closed', async () => {
    const { store, controls } = controlledStore();
    let answer: (value: unknown) => void = () => undefined;
    controls.nextReply = new Promise((resolve) => (answer = resolve));
    controls.onReady();
    controls.onReady();
    expect(controls.commands).toBe(1);
    answer('OK');
    await store.ready;
    controls.onReady();
    expect(controls.commands).toBe(1);
    await store.close();
    controls.onReady();
    expect([controls.commands, store.isUsable]).toEqual([1, false]);
  });

  it('is probed again if the first probe at startup fails', async () => {
    const { store, controls } = controlledStore();
    controls.mood = 'gone';
    controls.onReady();
    await turn();
    controls.mood = 'answering';
    await regained(store);
    expect(controls.commands).toBe(2);
    await store.close();
  });

  it('is lost when a command fails, and sends nothing more', async () => {
    const { store, controls } = await usableStore();
    controls.mood = 'gone';
    await expect(store.run((client) => client.getBuffer('k'))).rejects.toThrow('closed');
    expect(store.isUsable).toBe(false);
    await store.close();
  });

  it('is not used if its first reply arrives while it closes', async () => {
    const { store, controls } = controlledStore();
    let notices = 0;
    store.onUsable(() => notices++);
    let answer: (value: unknown) => void = () => undefined;
    controls.nextReply = new Promise((resolve) => (answer = resolve));
    controls.onReady();
    const closed = store.close();
    answer('OK');
    await closed;
    await turn();
    expect([store.isUsable, notices]).toEqual([false, 0]);
  });

  it('rejects waiting commands when it is closed, and is not used again', async () => {
    const { store, controls } = await usableStore();
    controls.mood = 'silent';
    const waiting = store.run((client) => client.getBuffer('k'));
    const settled = expect(waiting).rejects.toThrow();
    await store.close();
    await settled;
    expect([store.isUsable, controls.closes]).toEqual([false, 1]);
  });
});
