import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { createSlidingWindow } from './rate-limiter.ts';
import { decideForWorker, createWorkerLimiter } from './worker-limiter.ts';

/** A worker whose primary answers when, and as, the test says. */
function workerByHand() {
  const sent: { batch: number; clients: string[]; cancelled: string[] }[] = [];
  let say: (message: unknown) => void = () => undefined;
  const limiter = createWorkerLimiter({
    name: 'catalogue',
    limit: 60,
    windowSeconds: 60,
    primary: {
      send: (message) => {
        sent.push(message as (typeof sent)[number]);
      },
      subscribe: (listener) => {
        say = listener;
      },
    },
  });
  const decided: string[] = [];
  const query = (client: string) => {
    void limiter.admit(client).then(({ remaining }) => decided.push(`${client} ${remaining}`));
  };
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  const answer = (batch: number, ...left: number[]) => ({
    kind: 'mokuroku:decisions',
    limiter: 'catalogue',
    batch,
    decisions: left.map((remaining) => ({ isAllowed: true, remaining, resetSeconds: 60 })),
  });
  return {
    limiter,
    sent,
    decided,
    query,
    turn,
    answer,
    say: (message: unknown) => {
      say(message);
    },
  };
}

/** Workers of one primary, whose messages are copied as between processes. */
function startPrimary() {
  const clock = { now: () => 0, monotonic: () => 0 };
  const window = createSlidingWindow({ clock, limit: 60, windowSeconds: 60, maxClients: 100 });
  const windows = new Map([['catalogue', window]]);
  const count = { messages: 0 };
  function startWorker(name = 'catalogue') {
    const listeners: ((message: unknown) => void)[] = [];
    return createWorkerLimiter({
      name,
      limit: 60,
      windowSeconds: 60,
      primary: {
        send: (message) => {
          count.messages++;
          const answer = structuredClone(decideForWorker(windows, structuredClone(message)));
          setImmediate(() => {
            for (const listener of listeners) listener(answer);
          });
        },
        subscribe: (listener) => {
          listeners.push(listener);
        },
      },
    });
  }
  return { startWorker, count, windows };
}

describe('the limiter of several workers', () => {
  it('counts for all of them together, and replies in order, with one message a turn', async () => {
    const { startWorker, count } = startPrimary();
    const workers = Array.from({ length: 4 }, () => startWorker());
    const decisions = await Promise.all(
      Array.from({ length: 200 }, (_, i) => workers[i % 4]!.admit(i % 2 === 0 ? 'a' : 'b')),
    );
    const allowed = (parity: number) => decisions.filter((d, i) => i % 2 === parity && d.isAllowed).length;
    expect([allowed(0), allowed(1)]).toEqual([60, 60]);
    expect(count.messages).toBe(4);
    expect(decisions[0]).toEqual({ isAllowed: true, remaining: 59, resetSeconds: 60 });
  });

  it('returns admissions of requests that did not proceed', async () => {
    const { startWorker } = startPrimary();
    const [one, two] = [startWorker(), startWorker()];
    for (let i = 0; i < 60; i++) await one.admit('a');
    expect((await two.admit('a')).isAllowed).toBe(false);
    two.cancelAdmission('a');
    expect((await two.admit('a')).isAllowed).toBe(true);
    expect((await one.admit('a')).isAllowed).toBe(false);
  });

  it('ignores unrelated messages', () => {
    const { windows } = startPrimary();
    for (const other of [null, 'text', { kind: 'mokuroku:listening' }]) {
      expect(decideForWorker(windows, other)).toBeUndefined();
    }
  });

  it('matches replies to batches, whatever the order', async () => {
    const { sent, decided, query, turn, answer, say } = workerByHand();
    query('a');
    await turn();
    query('b');
    query('c');
    await turn();
    expect(sent.map(({ clients }) => clients)).toEqual([['a'], ['b', 'c']]);
    const [first, second] = sent.map(({ batch }) => batch) as [number, number];
    say(answer(second, 7, 8));
    await turn();
    expect(decided).toEqual(['b 7', 'c 8']);
    say(answer(first, 9));
    say(answer(first, 1));
    await turn();
    expect(decided).toEqual(['b 7', 'c 8', 'a 9']);
  });

  it('ignores replies to other queries', async () => {
    const { decided, query, turn, answer, say, sent } = workerByHand();
    query('a');
    await turn();
    const right = answer(sent[0]?.batch ?? 0, 5);
    for (const wrong of [
      { ...right, kind: 'mokuroku:other' },
      { ...right, limiter: 'registration' },
      { ...right, batch: undefined },
      { ...right, batch: 99 },
    ]) {
      say(wrong);
    }
    await turn();
    expect(decided).toEqual([]);
    say(right);
    await turn();
    expect(decided).toEqual(['a 5']);
  });

  it('admits clients that the primary does not mention', async () => {
    const { limiter, turn, say, sent } = workerByHand();
    const decision = limiter.admit('a');
    await turn();
    say({ kind: 'mokuroku:decisions', limiter: 'catalogue', batch: sent[0]?.batch });
    expect(await decision).toEqual({ isAllowed: true, remaining: 0, resetSeconds: 60 });
  });

  it('sends admissions and returns in one message a turn', async () => {
    const { limiter, query, turn, sent } = workerByHand();
    limiter.cancelAdmission('a');
    query('b');
    limiter.cancelAdmission('c');
    await turn();
    expect(sent).toMatchObject([{ clients: ['b'], cancelled: ['a', 'c'] }]);
    await turn();
    expect(sent).toHaveLength(1);
  });

  it('gets an empty reply if the primary has no such window', () => {
    const { windows } = startPrimary();
    const request = { kind: 'mokuroku:admit', limiter: 'other', batch: 3, clients: ['a'], cancelled: ['a'] };
    const reply = { kind: 'mokuroku:decisions', limiter: 'other', batch: 3, decisions: [] };
    expect(decideForWorker(windows, request)).toEqual(reply);
  });

  it('has no memory of answered batches', async () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const used = () => {
      collect();
      return process.memoryUsage().heapUsed;
    };
    const { limiter, sent, answer, say } = workerByHand();
    const admitBatches = async (count: number) => {
      for (let index = 0; index < count; index++) {
        const decision = limiter.admit('a');
        await new Promise(setImmediate);
        say(answer(sent.pop()?.batch ?? 0, 5));
        await decision;
      }
    };
    await admitBatches(1_000);
    const before = used();
    await admitBatches(30_000);
    expect(used() - before).toBeLessThan(3_000_000);
  });
});
