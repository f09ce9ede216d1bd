import { describe, expect, it } from 'vitest';
import { createPatientLimiter } from './patient-limiter.ts';
import { createSlidingWindow } from './rate-limiter.ts';

function patientAt(start: number) {
  const time = { ms: start };
  const clock = { now: () => time.ms, monotonic: () => time.ms };
  const waits: number[] = [];
  const inner = createSlidingWindow({ clock, limit: 60, windowSeconds: 60, maxClients: 10 });
  const limiter = createPatientLimiter(inner, (ms) => {
    waits.push(ms);
    time.ms += ms;
    return Promise.resolve();
  });
  return { limiter, time, waits };
}

describe('the limiter with patience', () => {
  it('never refuses one request a second, though the network brings some of them early', async () => {
    const { limiter, time, waits } = patientAt(0);
    for (let i = 0; i < 600; i++) {
      time.ms = Math.max(time.ms, i * 1000 + (i % 60 === 0 ? 40 : (i * 7) % 40));
      expect((await limiter.take('a')).allowed).toBe(true);
    }
    expect(waits.length).toBeGreaterThan(0);
  });

  it('refuses at once what is more than a moment early', async () => {
    const { limiter, time, waits } = patientAt(0);
    for (let i = 0; i < 60; i++) await limiter.take('a');
    time.ms = 59_900;
    expect(await limiter.take('a')).toMatchObject({ allowed: false, resetSeconds: 1 });
    expect(waits).toEqual([]);
  });

  it('waits up to and including 50 ms for a place, and not a moment longer', async () => {
    const { limiter, time, waits } = patientAt(0);
    for (let i = 0; i < 60; i++) await limiter.take('a');
    time.ms = 59_949;
    expect((await limiter.take('a')).allowed).toBe(false);
    expect(waits).toEqual([]);
    time.ms = 59_950;
    expect((await limiter.take('a')).allowed).toBe(true);
    expect(waits).toEqual([51]);
  });

  it('lets a thousand requests wait for a place, and refuses more as ever', async () => {
    const clock = { now: () => 0, monotonic: () => 0 };
    const inner = createSlidingWindow({ clock, limit: 1, windowSeconds: 0.05, maxClients: 2_000 });
    const due: (() => void)[] = [];
    const limiter = createPatientLimiter(inner, () => new Promise<void>((resume) => due.push(resume)));
    for (let i = 0; i < 1_001; i++) await limiter.take(`client ${i}`);
    const waiting = Array.from({ length: 1_000 }, (_, i) => Promise.resolve(limiter.take(`client ${i}`)));
    expect(due).toHaveLength(1_000);
    expect(await limiter.take('client 1000')).toMatchObject({ allowed: false, waitMs: 50 });
    for (const resume of due.splice(0)) resume();
    await Promise.all(waiting);
    void limiter.take('client 1000');
    expect(due).toHaveLength(1);
  });

  it('goes on admitting at most 60 in any 60 s', async () => {
    const { limiter, time } = patientAt(0);
    const admitted: number[] = [];
    for (let i = 0; i < 5_000; i++) {
      time.ms += (i * 31) % 97;
      if ((await limiter.take('a')).allowed) admitted.push(time.ms);
    }
    for (let i = 60; i < admitted.length; i++)
      expect(admitted[i]! - admitted[i - 60]!).toBeGreaterThan(60_000);
    expect(admitted.length).toBeGreaterThan(120);
  });
});
