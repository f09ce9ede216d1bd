import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Admission } from './admission.ts';
import type { AdmissionOptions, Claim, Permit } from './admission.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

const one = { key: '192.0.2.1', network: '192.0.2.0' };
const other = { key: '198.51.100.1', network: '198.51.100.0' };
const client = (index: number) => ({ key: `2001:db8:1:${index}::/64`, network: '2001:db8:1::' });

const open = (options: Partial<AdmissionOptions> = {}) =>
  new Admission({ maxBytes: 1_000, maxClientBytes: 200, ...options });

/** The permit, if it is granted within a turn of the event loop; otherwise it is given back. */
async function tryAsk(admission: Admission, claim: Claim): Promise<Permit | undefined> {
  const permit = admission.acquire(claim);
  const isGranted = await Promise.race([permit.granted.then(() => true), nextTurn(false)]).catch(() => false);
  if (!isGranted) permit.release();
  return isGranted ? permit : undefined;
}

/** Asks for work of each client; `begun` has their names as they begin. */
function acquireAll(admission: Admission, claims: readonly (Claim & { name: string })[]) {
  const begun: string[] = [];
  const refused: string[] = [];
  const permits = claims.map(({ name, ...claim }) => {
    const permit = admission.acquire(claim);
    permit.granted.then(
      () => begun.push(name),
      () => refused.push(name),
    );
    return permit;
  });
  return { begun, refused, permits };
}

const pages = (count: number, client: Claim['client'], name: string) =>
  Array.from({ length: count }, (_, index) => ({ client, work: 'page' as const, name: `${name} ${index}` }));

describe('bytes in flight', () => {
  it('are bounded for a client, and free again when their permit is given back', async () => {
    const admission = open();
    const first = await tryAsk(admission, { client: one, bytes: 100 });
    expect(await tryAsk(admission, { client: one, bytes: 100 })).toBeDefined();
    expect(admission.isFull(one)).toBe(true);
    expect(await tryAsk(admission, { client: one, bytes: 1 })).toBeUndefined();
    expect(await tryAsk(admission, { client: other, bytes: 1 })).toBeDefined();
    first?.release();
    first?.release();
    expect(admission.stats.bytes).toBe(101);
    expect(admission.isFull(one)).toBe(false);
    // The other response still counts.
    expect(await tryAsk(admission, { client: one, bytes: 100 })).toBeDefined();
    expect(await tryAsk(admission, { client: one, bytes: 1 })).toBeUndefined();
  });

  it('are bounded in all', async () => {
    const admission = open();
    let granted = 0;
    for (let index = 0; index < 20; index++) {
      const claim = { client: { key: `${index}`, network: `${index}` }, bytes: 100 };
      if (await tryAsk(admission, claim)) granted++;
    }
    expect(granted).toBe(10);
    expect(admission.isFull(one)).toBe(true);
  });

  it('of one network, however many clients it has, are at most half', async () => {
    const admission = open();
    let granted = 0;
    for (let index = 0; index < 100; index++)
      if (await tryAsk(admission, { client: client(index), bytes: 100 })) granted++;
    expect(granted).toBe(5);
    expect([admission.isFull(client(1_000)), admission.isFull(other)]).toEqual([true, false]);
    expect(await tryAsk(admission, { client: other, bytes: 100 })).toBeDefined();
  });

  it('count a body once, however many send it', () => {
    const admission = open();
    const body = {};
    const permits = Array.from({ length: 500 }, () => admission.acquire({ client: one, bytes: 100, body }));
    const counts = permits.map((permit) => {
      permit.release();
      return admission.stats.bytes;
    });
    expect(counts).toEqual([...Array.from({ length: 499 }, () => 100), 0]);
  });

  it('count a body once for each client that sends it, until its last response ends', () => {
    const admission = open();
    const body = {};
    const [first, second, ofAnother] = [client(1), client(1), client(2)].map((each) =>
      admission.addBytes(each, 100, body),
    );
    for (const each of [client(1), client(2)]) admission.addBytes(each, 100);
    const isFull = () => [client(1), client(2)].map((each) => admission.isFull(each));
    first?.();
    first?.();
    expect([admission.stats.bytes, isFull()]).toEqual([300, [true, true]]);
    second?.();
    expect([admission.stats.bytes, isFull()]).toEqual([300, [false, true]]);
    ofAnother?.();
    expect([admission.stats.bytes, isFull()]).toEqual([200, [false, false]]);
  });

  it('admit a body larger than all shares, which takes half of each', async () => {
    const admission = open();
    const permit = await tryAsk(admission, { client: one, bytes: 1e9 });
    expect(admission.stats.bytes).toBe(500);
    expect(await tryAsk(admission, { client: one, bytes: 100 })).toBeDefined();
    expect(await tryAsk(admission, { client: one, bytes: 1 })).toBeUndefined();
    expect(admission.isFull(one)).toBe(true);
    permit?.release();
    expect(admission.stats.bytes).toBe(100);
  });

  it('leave no state of clients that have disconnected', () => {
    setFlagsFromString('--expose-gc');
    const collectGarbage = runInNewContext('gc') as () => void;
    const admission = open();
    const acquireAndRelease = (from: number, to: number) => {
      for (let index = from; index < to; index++) {
        const identity = { key: `${index}`, network: `network ${index}` };
        admission.acquire({ client: identity, bytes: 100 }).release();
      }
      collectGarbage();
      return process.memoryUsage().heapUsed;
    };
    const before = acquireAndRelease(0, 1_000);
    // Less than 100 bytes for each of them.
    expect(acquireAndRelease(1_000, 21_000) - before).toBeLessThan(2_000_000);
    expect(admission.stats).toEqual({ bytes: 0, waitingForBytes: 0, waitingForTurn: 0 });
  });
});

describe('a claim above the bound of bytes', () => {
  const full = (options: Partial<AdmissionOptions> = {}) => {
    const admission = open(options);
    return { admission, releases: [admission.addBytes(one, 100), admission.addBytes(one, 100)] };
  };
  const claim = (name: string) => ({ client: one, bytes: 25, name });

  it('is granted if bytes are freed within a second, in the order of arrival', async () => {
    const { admission, releases } = full();
    const { begun } = acquireAll(admission, [claim('first'), claim('second')]);
    expect(admission.stats).toMatchObject({ waitingForBytes: 2, waitingForTurn: 0 });
    releases[0]?.();
    await expect.poll(() => begun).toEqual(['first', 'second']);
    expect(admission.stats).toEqual({ bytes: 150, waitingForBytes: 0, waitingForTurn: 0 });
    expect(vi.getTimerCount()).toBe(0);
  });

  it('is rejected after a second, and then takes no place of those that wait', async () => {
    const { admission, releases } = full();
    const { refused } = acquireAll(admission, [claim('first')]);
    await vi.advanceTimersByTimeAsync(999);
    expect([admission.stats.waitingForBytes, refused]).toEqual([1, []]);
    await vi.advanceTimersByTimeAsync(1);
    expect(refused).toEqual(['first']);
    const next = acquireAll(admission, [claim('second'), claim('third')]);
    expect(admission.stats.waitingForBytes).toBe(2);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(next.refused).toEqual(['second', 'third']);
    releases[0]?.();
    expect(admission.stats).toEqual({ bytes: 100, waitingForBytes: 0, waitingForTurn: 0 });
  });

  it('is rejected at once if a quarter of the bound is waiting already', async () => {
    const { admission } = full();
    const { refused } = acquireAll(admission, [claim('first'), claim('second'), claim('third')]);
    await nextTurn();
    expect(refused).toEqual(['third']);
    expect(await tryAsk(admission, { client: other, bytes: 25 })).toBeDefined();
  });

  it('does not delay work that has its bytes', async () => {
    const { admission } = full();
    acquireAll(admission, [claim('first'), claim('second')]);
    const { begun } = acquireAll(admission, pages(20, one, 'page'));
    await expect.poll(() => begun).toHaveLength(20);
    expect(admission.stats).toMatchObject({ waitingForBytes: 2, waitingForTurn: 0 });
  });

  it('uses no processor time while it waits', async () => {
    const { admission } = full();
    acquireAll(admission, [claim('first')]);
    for (let turn = 0; turn < 5; turn++) await nextTurn();
    const immediates = vi.spyOn(globalThis, 'setImmediate');
    for (let turn = 0; turn < 5; turn++) await nextTurn();
    expect(immediates).not.toHaveBeenCalled();
    immediates.mockRestore();
  });
});

describe('turns of the event loop', () => {
  it('begin a few works at once and the others later, the networks in rotation, and their clients', async () => {
    const admission = open();
    const { begun } = acquireAll(admission, [
      ...pages(100, client(1), 'many'),
      ...pages(1, client(2), 'neighbour'),
      ...pages(1, other, 'other'),
    ]);
    await Promise.resolve();
    expect(begun).toHaveLength(4);
    await expect.poll(() => begun).toHaveLength(102);
    expect(begun.indexOf('other 0')).toBeLessThan(7);
    expect(begun.indexOf('neighbour 0')).toBeLessThan(9);
    expect(admission.stats.waitingForTurn).toBe(0);
  });

  it('begin four works each, however many wait', async () => {
    const admission = open();
    const { begun } = acquireAll(admission, pages(40, one, 'page'));
    await Promise.resolve();
    for (let before = 4; begun.length < 40; before = begun.length) {
      await nextTurn();
      expect(begun.length - before).toBeLessThanOrEqual(4);
    }
  });

  it('begin no work whose permit was given back', async () => {
    const admission = open();
    const { begun, permits } = acquireAll(admission, pages(20, one, 'page'));
    for (const { release } of permits) release();
    expect(admission.stats.waitingForTurn).toBe(0);
    for (let turn = 0; turn < 10; turn++) await nextTurn();
    expect(begun).toHaveLength(4);
  });

  it('reject requests that have waited 10 s of processor time, but no page of a stream', async () => {
    for (const [usedMs, late] of [
      [10_000, []],
      [10_001, ['request 4', 'request 5', 'request 6']],
    ] as const) {
      let used = 0;
      const admission = open({ processorTime: () => used });
      const requests = Array.from({ length: 7 }, (_, index) => ({
        client: client(index),
        work: 'request' as const,
        name: `request ${index}`,
      }));
      const { begun, refused } = acquireAll(admission, [...requests, ...pages(1, client(9), 'page')]);
      used = usedMs;
      await expect.poll(() => begun.length + refused.length).toBe(8);
      expect(refused).toEqual(late);
      expect(begun).toContain('page 0');
    }
  });
});

describe('compressions', () => {
  it('are two at once, one of a network; the others follow when one is done', async () => {
    const admission = open();
    const ends: (() => void)[] = [];
    const begun: string[] = [];
    const compress = (name: string, client: Claim['client']) =>
      admission.run({ client, work: 'compression' }, () => {
        begun.push(name);
        return new Promise<void>((resolve) => ends.push(resolve));
      });
    const runs = [
      compress('a', client(1)),
      compress('b', client(2)),
      compress('c', client(3)),
      compress('d', other),
      compress('e', one),
    ];
    const { begun: pagesBegun } = acquireAll(admission, pages(1, one, 'page'));
    await expect.poll(() => pagesBegun).toHaveLength(1);
    expect(begun).toEqual(['a', 'd']);
    ends[1]?.();
    await expect.poll(() => begun).toEqual(['a', 'd', 'e']);
    ends[0]?.();
    await expect.poll(() => begun).toEqual(['a', 'd', 'e', 'b']);
    for (let end = 2; end < 5; end++) {
      await expect.poll(() => ends.length).toBeGreaterThan(end);
      ends[end]?.();
    }
    await Promise.all(runs);
  });

  it('that fail leave their place to others', async () => {
    const admission = open();
    const failing = () => Promise.reject(new Error('no memory'));
    for (let time = 0; time < 3; time++) {
      await expect(admission.run({ client: one, work: 'compression' }, failing)).rejects.toThrow('no memory');
    }
  });
});
