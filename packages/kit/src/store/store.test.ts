import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { controlledStore, turn, usableStore } from '../../test/store/controlled-store.ts';
import { stopTimers } from '../../../../test/stop-timers.ts';
import { createLogger } from '../process/logger.ts';
import type { StoreClient } from './connect-store.ts';
import { createStoreKeys, hashKey, storeScript } from './store.ts';
import type { Store } from './store.ts';

/** A store whose log lines are collected. */
async function loggedStore() {
  const lines: { level: number; msg: string; reason?: string }[] = [];
  const stream = { write: (line: string) => lines.push(JSON.parse(line) as (typeof lines)[number]) };
  const { logger } = createLogger('test', 'info', stream);
  return { ...(await usableStore(logger)), lines };
}

describe('the store', () => {
  it('does not delay a start if it refuses the connection', async () => {
    const { store, controls } = controlledStore();
    controls.fail(new Error('connection refused'));
    await store.ready;
    expect(store.isUsable).toBe(false);
  });

  it.each(['connect ETIMEDOUT', 'Ready check failed: Command timed out'])(
    'is awaited at a start after %s: the machine may be busy',
    async (message) => {
      const { store, controls } = controlledStore();
      let isReady = false;
      void store.ready.then(() => (isReady = true));
      controls.fail(new Error(message));
      await turn();
      expect(isReady).toBe(false);
      controls.connect();
      await store.ready;
      expect(store.isUsable).toBe(true);
    },
  );

  it('is awaited at a start for three seconds, and no longer', async () => {
    const pass = stopTimers();
    const { store, controls } = controlledStore();
    controls.fail(new Error('connect ETIMEDOUT'));
    pass(3_000);
    await store.ready;
    expect(store.isUsable).toBe(false);
  });

  it('gets no command without a connection', async () => {
    const { store, controls } = await usableStore();
    expect(await store.run((client) => client.getBuffer('k'))).toBeNull();
    controls.disconnect();
    await expect(store.run((client) => client.getBuffer('k'))).rejects.toThrow('unreachable');
    expect([store.isUsable, controls.commands]).toEqual([false, 1]);
  });

  it('that fails for a second gets no command until a probe succeeds', async () => {
    const { store, controls, time } = await usableStore();
    const get = () => store.run((client) => client.getBuffer('k'));
    controls.mood = 'gone';
    for (let failures = 0; failures < 4; failures++) {
      await expect(get()).rejects.toThrow('the connection is closed');
      time.ms += 250;
    }
    expect(store.isUsable).toBe(true);
    await expect(get()).rejects.toThrow('the connection is closed');
    expect(store.isUsable).toBe(false);
    await expect(get()).rejects.toThrow('unreachable');
    expect(controls.commands).toBe(5);
    controls.mood = 'answering';
    time.ms += 2_000;
    expect(await get()).toBeNull();
    expect(store.isUsable).toBe(true);
  });

  it.each([
    'WRONGTYPE Operation against a key holding the wrong kind of value',
    'ERR Error running script (call to f_ab): @user_script:2: WRONGTYPE Operation against a key',
  ])('is not lost if a key has a foreign value, and warns of it once: %s', async (message) => {
    const { store, controls, lines, time } = await loggedStore();
    for (let run = 0; run < 10; run++) {
      time.ms += 250;
      controls.nextReply = Promise.reject(new Error(message));
      await expect(store.run((client) => client.getBuffer('k'))).rejects.toThrow('WRONGTYPE');
    }
    expect(store.isUsable).toBe(true);
    expect(lines.filter(({ level }) => level === 40)).toHaveLength(1);
  });

  it('is logged as lost with the reason, once a minute, and not after it was closed', async () => {
    const { store, controls, lines, time } = await loggedStore();
    for (const after of [0, 1_000, 60_000]) {
      time.ms += after;
      controls.disconnect();
      controls.fail(new Error('refused'));
      controls.connect();
    }
    await store.close();
    time.ms += 60_000;
    controls.disconnect();
    expect(lines.filter(({ level }) => level === 40).map(({ reason }) => reason)).toEqual([
      'the connection closed',
      'the connection closed',
    ]);
  });
});

it('keys separate services, sources and purposes, and hide external input', () => {
  const keys = createStoreKeys('p:', 'catalogue:narou', 'narou:x');
  expect(hashKey('novels')).toBe('IWlRSwWw2dfKo-ra2CKFwh');
  expect([keys.answerKey('a'), keys.limit('a'), keys.budget]).toEqual([
    `p:catalogue:narou:answer:${hashKey('a')}`,
    `p:catalogue:narou:limit:${hashKey('a')}`,
    'p:narou:x:budget:default',
  ]);
});

const run = storeScript('return 1');

/** A store that runs a known script, or fails with NOSCRIPT. */
function storeWith(failure?: Error) {
  const sent: unknown[][] = [];
  const client = {
    evalsha: (...words: unknown[]) => {
      sent.push(['evalsha', ...words]);
      return failure === undefined ? Promise.resolve([7]) : Promise.reject(failure);
    },
    eval: (...words: unknown[]) => {
      sent.push(['eval', ...words]);
      return Promise.resolve([8]);
    },
  } as unknown as StoreClient;
  const store = { run: <T>(send: (of: StoreClient) => Promise<T>) => send(client) } as unknown as Store;
  return { store, sent };
}

describe('a script in the store', () => {
  it('is named by its hash', async () => {
    const { store, sent } = storeWith();
    expect(await run(store, 'key', ['a', 2], [7])).toEqual([7]);
    const sha = createHash('sha1').update('return 1').digest('hex');
    expect(sent).toEqual([['evalsha', sha, 1, 'key', 'a', 2]]);
  });

  it('is sent whole to a store that has forgotten it', async () => {
    const { store, sent } = storeWith(new Error('NOSCRIPT No matching script.'));
    expect(await run(store, 'key', ['a'], [9])).toEqual([8]);
    expect(sent[1]).toEqual(['eval', 'return 1', 1, 'key', 'a']);
  });

  it('is not sent again after another failure', async () => {
    const failure = new Error('BUSY, not NOSCRIPT');
    const { store, sent } = storeWith(failure);
    await expect(run(store, 'key', [], [])).rejects.toBe(failure);
    expect(sent).toHaveLength(1);
  });

  it('deletes a key that holds more than it can, and the store stays in use', async () => {
    const { store, controls } = await usableStore();
    controls.scriptReplies = [[1, 2_001]];
    for (let i = 0; i < 5; i++)
      await expect(run(store, 'key', [], [1, 2_000])).rejects.toThrow('a script returned 2001');
    expect(controls.deletedKeys).toEqual(Array.from({ length: 5 }, () => 'key'));
    expect(store.isUsable).toBe(true);
  });
});
