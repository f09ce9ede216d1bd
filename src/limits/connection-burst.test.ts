import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { Admission } from './admission.ts';
import type { ConnectionBurst } from './connection-burst.ts';

const clockAt = (time: { ms: number }) => ({ now: () => time.ms, monotonic: () => time.ms });

function open() {
  const time = { ms: 0 };
  const admission = new Admission({ clock: clockAt(time), maxBytes: 1_000, maxClientBytes: 1_000 });
  const begun: string[] = [];
  const enter = (network: string, name: string) =>
    void admission
      .ask({ client: { key: network, network }, work: 'page' })
      .granted.then(() => begun.push(name));
  return { time, burst: admission.burst, begun, enter };
}

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
