import { describe, expect, it } from 'vitest';
import {
  SERVER,
  breakDown,
  fault,
  gateWith,
  pendingCalls,
  succeed,
  turn,
} from '../../test/upstream/gate-by-hand.ts';
import type { Gate } from './gate.ts';

describe('the memory of servers', () => {
  const sendMany = async ({ outcomeOf }: ReturnType<typeof gateWith>, count: number) => {
    for (let i = 0; i < count; i++) await outcomeOf(succeed, `server${i}.example`);
  };

  it('is bounded: idle ones are dropped first, and the state of others stays', async () => {
    const set = gateWith();
    await breakDown(set);
    await set.outcomeOf(fault('broken', 60), 'paused.example');
    await sendMany(set, 1_998);
    expect(set.gate.stats()).toMatchObject({ servers: 2_000, calls: 2_004 });
    await sendMany(set, 3_000);
    expect(set.gate.stats().servers).toBeLessThanOrEqual(2_000);
    expect(set.gate.stats().calls).toBe(2_004 + 3_000);
    expect(await set.outcomeOf(succeed, 'paused.example')).toBe('unavailable paused 60');
    expect(set.gate.stats().open).toBe(1);
  });

  it('includes the used rate of a server', async () => {
    const set = gateWith({ rulesOf: (server) => (server === SERVER ? { spacingMs: 10_000 } : {}) });
    await set.outcomeOf(succeed);
    await sendMany(set, 2_500);
    expect(await set.outcomeOf(succeed, SERVER, 5_000)).toBe('overloaded 10');
  });

  it('is bounded also if none is idle; servers with running calls are never dropped', async () => {
    const set: { gate: Gate } & ReturnType<typeof gateWith> = gateWith();
    const { ends, call } = pendingCalls();
    const pendingCall = set.outcomeOf(call, 'busy.example');
    for (let i = 0; i < 2_500; i++) await set.outcomeOf(fault('broken', 60), `server${i}.example`);
    await turn();
    expect(set.gate.stats()).toMatchObject({ servers: 2_000, running: 1 });
    // The oldest are dropped.
    expect(await set.outcomeOf(succeed, 'server2000.example')).toBe('unavailable paused 60');
    expect(await set.outcomeOf(succeed, 'server0.example')).toBe('there');
    ends[0]!();
    expect(await pendingCall).toBe('there');
  });
});
