import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { endThings, startThings, stopThings } from '../../test/http/things-service.ts';
import { averageLag, ownLag, weighRequest } from './overload.ts';

afterEach(endThings);

const codeOf = (answer: string) => /"code":"(\w+)"/.exec(answer)?.[1];
const plain = () => Promise.resolve({ data: 1 });

describe('simultaneous work', () => {
  it('beyond the bound is rejected, while health checks are served', async () => {
    let release: (loaded: { data: unknown }) => void = () => undefined;
    let loads = 0;
    const { get } = await startThings(
      () => {
        loads++;
        return new Promise((resolve) => (release = resolve));
      },
      { maxInFlight: 1 },
    );
    const first = get('/things/one');
    await expect.poll(() => loads).toBe(1);
    const refused = await get('/things/two');
    expect([refused.status, codeOf(refused.text), refused.headers['retry-after']]).toEqual([
      503,
      'overloaded',
      '1',
    ]);
    expect((await get('/livez')).status).toBe(200);
    release({ data: 1 });
    expect((await first).status).toBe(200);
    expect((await get('/livez')).status).toBe(200);
  });

  it('is admitted again when earlier work is complete', async () => {
    const { get } = await startThings(plain, { maxInFlight: 1 });
    for (const name of ['one', 'two', 'three']) expect((await get(`/things/${name}`)).status).toBe(200);
  });

  it('is rejected beyond the maximum, whatever the networks', async () => {
    const releases: ((loaded: { data: unknown }) => void)[] = [];
    const load = (name: string) =>
      name === '3' ? plain() : new Promise<{ data: unknown }>((resolve) => releases.push(resolve));
    const { get } = await startThings(load, { maxInFlight: 2, trustedProxies: ['127.0.0.1'] });
    const request = (host: number) => get(`/things/${host}`, { 'x-forwarded-for': `198.51.${host}.1` });
    const admitted = [request(1), request(2)];
    await expect.poll(() => releases).toHaveLength(2);
    const third = await request(3);
    for (const release of releases) release({ data: 1 });
    expect(third.status).toBe(503);
    expect((await Promise.all(admitted)).map(({ status }) => status)).toEqual([200, 200]);
  });

  it('of one network, however many clients it has, leaves half to all others; networks take turns', async () => {
    const names: string[] = [];
    const releases: (() => void)[] = [];
    const load = (name: string) => {
      names.push(name);
      return new Promise<{ data: unknown }>((resolve) => {
        releases.push(() => {
          resolve({ data: 1 });
        });
      });
    };
    const { get } = await startThings(load, { maxInFlight: 40, trustedProxies: ['127.0.0.1'] });
    const query = (name: string, from: string) => get(`/things/${name}`, { 'x-forwarded-for': from });
    const many = Array.from({ length: 30 }, (_, index) => query(`many-${index}`, `2001:db8:1:${index}::1`));
    const refused = await Promise.race(many);
    expect(refused).toMatchObject({ status: 503, headers: { 'retry-after': '1' } });
    const other = query('other', '198.51.100.1');
    await expect.poll(() => names).toContain('other');
    await expect.poll(() => names).toHaveLength(21);
    for (const release of releases) release();
    expect((await other).status).toBe(200);
    const statuses = (await Promise.all(many)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(20);
  });

  it('is measured only while the service runs', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    await startThings(plain);
    expect(vi.getTimerCount()).toBeGreaterThan(0);
    await stopThings();
    expect(vi.getTimerCount()).toBe(0);
  });

  it.each([
    ['the machine is busy with others', 1, 0, 5, 200],
    ['it is our own doing', 1, 1_000, 5, 503],
    ['no later than is allowed', 0.3, 1_000, 5, 200],
    ['once, however late', 100, 100_000, 1, 200],
  ])(
    'of more than a few requests, with a late clock: %s',
    async (_what, seconds, usedEachMs, samples, status) => {
      vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
      onTestFinished(() => void vi.useRealTimers());
      const releases: ((loaded: { data: unknown }) => void)[] = [];
      let used = 0;
      const { get, advance } = await startThings(
        (name) =>
          name.startsWith('slow')
            ? new Promise((resolve) => releases.push(resolve))
            : Promise.resolve({ data: 1 }),
        { maxLagMs: 250, processorTime: () => used },
      );
      const atWork = Array.from({ length: 8 }, (_, index) => get(`/things/slow-${index}`));
      await expect.poll(() => releases).toHaveLength(8);
      for (let sample = 0; sample < samples; sample++) {
        advance(seconds);
        used += usedEachMs;
        vi.advanceTimersByTime(50);
      }
      expect((await get('/things/one')).status).toBe(status);
      for (const release of releases) release({ data: 1 });
      await Promise.all(atWork);
      // The only client is not refused because of its own last request.
      expect((await get('/things/two')).status).toBe(200);
    },
  );

  it('counts lag only up to the processor time used', () => {
    expect([ownLag(300, 20), ownLag(300, 400)]).toEqual([20, 300]);
  });

  it('needs memory for its headers twice, as text and as fields', () => {
    expect(weighRequest({ rawHeaders: ['Host', 'a.example'] })).toBe(4_096 + 2 * 'Hosta.example'.length);
  });

  it('is rejected after several late samples, not after one: each weighs three tenths', () => {
    expect(averageLag(0, 100)).toBe(30);
    expect(averageLag(30, 100)).toBe(51);
    expect(averageLag(100, -5)).toBe(70);
  });
});
