import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { ConnectionBurst } from './connection-burst.ts';
import { Turns } from './turns.ts';

const clockAt = (time: { ms: number }) => ({ now: () => time.ms, monotonic: () => time.ms });

function open() {
  const time = { ms: 0 };
  const burst = new ConnectionBurst(clockAt(time));
  const turns = new Turns(burst);
  const begun: string[] = [];
  const enter = (network: string, name: string) => turns.start(network, () => void begun.push(name));
  return { time, burst, turns, begun, enter };
}

describe('turns of the event loop', () => {
  it('start a few requests at once, and the others later, the networks in rotation', async () => {
    const { turns, begun, enter } = open();
    for (let index = 0; index < 100; index++) enter('many', `many ${index}`);
    enter('one', 'one 0');
    expect(begun).toHaveLength(4);
    await expect.poll(() => begun.includes('one 0')).toBe(true);
    expect(begun.indexOf('one 0')).toBeLessThan(10);
    await expect.poll(() => begun.length).toBe(101);
    expect(turns.waiting).toBe(0);
    enter('many', 'late');
    expect(begun).toHaveLength(102);
  });

  it('start four requests each, however many wait', async () => {
    const { turns, begun, enter } = open();
    for (let index = 0; index < 40; index++) enter('many', String(index));
    for (let before = 4; turns.waiting > 0; before = begun.length) {
      await nextTurn();
      expect(begun.length - before).toBeLessThanOrEqual(4);
    }
    expect(begun).toHaveLength(40);
  });

  it('start no abandoned request', async () => {
    const { turns, begun, enter } = open();
    const leaves = Array.from({ length: 20 }, (_, index) => enter('a', String(index)));
    for (const leave of leaves) leave();
    expect(turns.waiting).toBe(0);
    for (let turn = 0; turn < 10; turn++) await nextTurn();
    expect(begun).toEqual(['0', '1', '2', '3']);
  });
});

async function begin(burst: ConnectionBurst): Promise<void> {
  while (!burst.isActive) {
    burst.countConnection();
    await nextTurn();
  }
}

describe('while many connections are being accepted', () => {
  it('a few of them have no effect', async () => {
    const { burst } = open();
    for (let count = 0; count < 5; count++) {
      burst.countConnection();
      await nextTurn();
    }
    for (let count = 0; count < 20; count++) burst.countConnection();
    await nextTurn();
    expect(burst.isActive).toBe(false);
  });

  it('no request starts until a turn without a new connection', async () => {
    const { burst, begun, enter } = open();
    await begin(burst);
    enter('a', 'first');
    const over = burst.over().then(() => begun.push('over'));
    for (let turn = 0; turn < 10; turn++) {
      burst.countConnection();
      await nextTurn();
    }
    expect(begun).toEqual([]);
    await over;
    await expect.poll(() => begun).toEqual(['over', 'first']);
    await burst.over();
  });

  it('no request waits longer than half a second; then connections wait for requests', async () => {
    const { time, burst, begun, enter } = open();
    await begin(burst);
    enter('a', 'first');
    while (burst.isActive) {
      time.ms += 50;
      burst.countConnection();
      await nextTurn();
    }
    expect(time.ms).toBeLessThanOrEqual(500);
    await expect.poll(() => begun).toEqual(['first']);
    for (let turn = 0; turn < 20; turn++) {
      burst.countConnection();
      await nextTurn();
    }
    expect(burst.isActive).toBe(false);
    // For a tenth of a second.
    time.ms += 100;
    burst.countConnection();
    await nextTurn();
    expect(burst.isActive).toBe(true);
  });

  it('requests wait again at once if more connections arrive after a turn without one', async () => {
    const { burst } = open();
    await begin(burst);
    await burst.over();
    for (let turn = 0; turn < 20; turn++) {
      burst.countConnection();
      await nextTurn();
    }
    expect(burst.isActive).toBe(true);
  });
});
