import { setImmediate as nextImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { Admission } from './admission.ts';
import type { Release } from './bounded-use.ts';
import type { ClientIdentity } from './rules.ts';

const one = { key: '192.0.2.1', network: '192.0.2.0' };
const other = { key: '198.51.100.1', network: '198.51.100.0' };
const client = (index: number) => ({ key: `2001:db8:1:${index}::/64`, network: '2001:db8:1::' });

const open = () => new Admission({ maxBytes: 1_000, maxClientBytes: 200 });

/** Undefined if the bytes are refused. */
function tryAcquire(admission: Admission, identity: ClientIdentity, bytes: number): Release | undefined {
  try {
    return admission.acquireBytes(identity, bytes);
  } catch (error) {
    expect(error).toMatchObject({ code: 'overloaded', retryAfterSeconds: 1 });
    return undefined;
  }
}

describe('bytes in flight', () => {
  it('are bounded for a client, and free again when they are released', () => {
    const admission = open();
    const first = tryAcquire(admission, one, 100);
    expect(tryAcquire(admission, one, 100)).toBeDefined();
    expect(admission.isFull(one)).toBe(true);
    expect(tryAcquire(admission, one, 1)).toBeUndefined();
    expect(tryAcquire(admission, other, 1)).toBeDefined();
    first?.();
    first?.();
    expect(admission.stats.bytes).toBe(101);
    expect(admission.isFull(one)).toBe(false);
    // The other response still counts.
    expect(tryAcquire(admission, one, 100)).toBeDefined();
    expect(tryAcquire(admission, one, 1)).toBeUndefined();
  });

  it('are bounded in all', () => {
    const admission = open();
    let granted = 0;
    for (let index = 0; index < 20; index++) {
      if (tryAcquire(admission, { key: `${index}`, network: `${index}` }, 100)) granted++;
    }
    expect(granted).toBe(10);
    expect(admission.isFull(one)).toBe(true);
  });

  it('of one network, however many clients it has, are at most half', () => {
    const admission = open();
    let granted = 0;
    for (let index = 0; index < 100; index++) if (tryAcquire(admission, client(index), 100)) granted++;
    expect(granted).toBe(5);
    expect([admission.isFull(client(1_000)), admission.isFull(other)]).toEqual([true, false]);
    expect(tryAcquire(admission, other, 100)).toBeDefined();
  });

  it('count a body once, however many send it', () => {
    const admission = open();
    const body = {};
    const releases = Array.from({ length: 500 }, () => admission.acquireBytes(one, 100, body));
    const counts = releases.map((release) => {
      release();
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

  it('admit a body larger than all shares, which takes half of each', () => {
    const admission = open();
    const release = tryAcquire(admission, one, 1e9);
    expect(admission.stats.bytes).toBe(500);
    expect(tryAcquire(admission, one, 100)).toBeDefined();
    expect(tryAcquire(admission, one, 1)).toBeUndefined();
    expect(admission.isFull(one)).toBe(true);
    release?.();
    expect(admission.stats.bytes).toBe(100);
  });

  it('leave no state of clients that have disconnected', () => {
    setFlagsFromString('--expose-gc');
    const collectGarbage = runInNewContext('gc') as () => void;
    const admission = open();
    const acquireAndRelease = (from: number, to: number) => {
      for (let index = from; index < to; index++) {
        const identity = { key: `${index}`, network: `network ${index}` };
        admission.acquireRequest(identity, 100)();
      }
      collectGarbage();
      return process.memoryUsage().heapUsed;
    };
    const before = acquireAndRelease(0, 1_000);
    // Less than 100 bytes for each of them.
    expect(acquireAndRelease(1_000, 21_000) - before).toBeLessThan(2_000_000);
    expect(admission.stats).toEqual({ requests: 0, bytes: 0 });
  });
});

describe('a request', () => {
  it('that is refused for its bytes is not counted, nor its bytes if there are too many requests', () => {
    const admission = new Admission({ maxBytes: 1_000, maxClientBytes: 1_000, maxRequests: 1 });
    const releases = [admission.addBytes(other, 250), admission.addBytes(other, 250)];
    expect(() => admission.acquireRequest(other, 1)).toThrow();
    expect(admission.stats).toEqual({ requests: 0, bytes: 500 });
    for (const release of releases) release();
    const release = admission.acquireRequest(one, 100);
    expect(() => admission.acquireRequest(other, 100)).toThrow();
    expect(admission.stats).toEqual({ requests: 1, bytes: 100 });
    release();
    expect(admission.stats).toEqual({ requests: 0, bytes: 0 });
  });
});

describe('turns of the event loop', () => {
  it('begin one work of a kind each, in the order of arrival, whatever waits of another kind', async () => {
    const admission = open();
    const begun: string[] = [];
    const add = (kind: 'load' | 'page', index: number) =>
      admission.nextTurn(kind, one).then(() => begun.push(`${kind} ${index}`));
    for (let index = 0; index < 20; index++) void add('page', index);
    for (let index = 0; index < 2; index++) void add('load', index);
    const rounds: string[][] = [];
    for (let before = 0; begun.length < 22; before = begun.length) {
      await nextImmediate();
      rounds.push(begun.slice(before));
    }
    const pages = rounds.map((round) => round.filter((name) => name.startsWith('page')));
    const loads = rounds.map((round) => round.filter((name) => name.startsWith('load')));
    expect(pages.flat()).toEqual(Array.from({ length: 20 }, (_, index) => `page ${index}`));
    expect(Math.max(...pages.map(({ length }) => length))).toBe(1);
    expect(loads.slice(0, 3).flat()).toEqual(['load 0', 'load 1']);
    expect(Math.max(...loads.map(({ length }) => length))).toBe(1);
  });
});

describe('turns beside new connections', () => {
  it('wait for a turn that brings none, but not for ever', async () => {
    const admission = open();
    let isBegun = false;
    void admission.nextTurn('load', one).then(() => (isBegun = true));
    let turns = 0;
    for (; !isBegun; turns++) {
      admission.addConnection(other)();
      await nextImmediate();
    }
    expect(turns).toBeGreaterThan(100);
    expect(turns).toBeLessThan(1_000);
  });
});

describe('turns of several networks', () => {
  it('go round: a network with a thousand delays one of another by one turn', async () => {
    const admission = open();
    const begun: string[] = [];
    const add = (name: string, identity: ClientIdentity) =>
      admission.nextTurn('load', identity).then(() => begun.push(name));
    const all = Array.from({ length: 1_000 }, (_, index) => add('many', client(index)));
    await add('other', other);
    expect(begun.length).toBeLessThan(4);
    await Promise.all(all);
    expect(begun).toHaveLength(1_001);
  });
});

describe('compressions', () => {
  it('are two at once, in the order of arrival; one that fails leaves its place to the next', async () => {
    const admission = open();
    const begun: string[] = [];
    const ends: ((isDone: boolean) => void)[] = [];
    const runs = ['a', 'b', 'c', 'd'].map((name) =>
      admission.runCompression(() => {
        begun.push(name);
        return new Promise<string>((resolve, reject) =>
          ends.push((isDone) => (isDone ? resolve(name) : reject(new Error(name)))),
        );
      }),
    );
    const results = Promise.allSettled(runs);
    await nextImmediate();
    expect(begun).toEqual(['a', 'b']);
    ends[0]?.(false);
    await nextImmediate();
    expect(begun).toEqual(['a', 'b', 'c']);
    for (const at of [1, 2]) ends[at]?.(true);
    await nextImmediate();
    ends[3]?.(true);
    expect((await results).map(({ status }) => status)).toEqual([
      'rejected',
      'fulfilled',
      'fulfilled',
      'fulfilled',
    ]);
  });
});
