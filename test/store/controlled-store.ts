import { systemClock } from '../../src/process/clock.ts';
import { silentLogger } from '../../src/process/logger.ts';
import type { Clock } from '../../src/process/clock.ts';
import type { Logger } from '../../src/process/logger.ts';
import type { StoreClient, StoreLink } from '../../src/store/connect-store.ts';
import { createStoreKeys } from '../../src/store/store-keys.ts';
import { GuardedStore } from '../../src/store/store.ts';

export interface Controls {
  /** The fate of commands: a reply, silence, refusal. */
  mood: 'answering' | 'silent' | 'gone';
  /** Results of scripts, one after the other; the last is repeated. */
  scriptReplies: unknown[];
  /** Arguments of each script run, in order. */
  scripts: (string | number)[][];
  /** The key of each script run, in order. */
  scriptKeys: string[];
  commands: number;
  /** SETs as sent; GETs reply from `values`. */
  sets: unknown[][];
  values: Map<string, Buffer>;
  reconnects: number;
  closes: number;
  /** Applies to the next command only. */
  nextReply: Promise<unknown> | undefined;
  onReady: () => void;
  onTrouble: (error: Error, isRefusal: boolean) => void;
}

/** A link to a store that replies, refuses or falls silent as a test says. */
function controlledLink(): { link: StoreLink; controls: Controls } {
  const controls: Controls = {
    mood: 'answering',
    scriptReplies: [[1, 59, 60_000_000]],
    scripts: [],
    scriptKeys: [],
    commands: 0,
    sets: [],
    values: new Map(),
    reconnects: 0,
    closes: 0,
    nextReply: undefined,
    onReady: () => undefined,
    onTrouble: () => undefined,
  };
  function reply(value: unknown): Promise<never> {
    controls.commands++;
    const { nextReply } = controls;
    controls.nextReply = undefined;
    if (nextReply) return nextReply as Promise<never>;
    if (controls.mood === 'silent') return new Promise(() => undefined);
    if (controls.mood === 'gone') return Promise.reject(new Error('the connection is closed'));
    return Promise.resolve(value as never);
  }
  const client = {
    set: (...set: unknown[]) => {
      controls.sets.push(set);
      return reply('OK');
    },
    getBuffer: (key: string) => reply(controls.values.get(key) ?? null),
    evalsha: (_sha: string, _keys: number, key: string, ...values: (string | number)[]) => {
      controls.scriptKeys.push(key);
      controls.scripts.push(values);
      const { scriptReplies } = controls;
      return reply(scriptReplies.length > 1 ? scriptReplies.shift() : scriptReplies[0]);
    },
  } as unknown as StoreClient;
  return {
    controls,
    link: {
      client,
      watch: (onReady, onTrouble) => {
        controls.onReady = onReady;
        controls.onTrouble = onTrouble;
      },
      reconnect: () => {
        controls.reconnects++;
      },
      close: () => {
        controls.closes++;
        return Promise.resolve();
      },
    },
  };
}

/** A store on such a link, not yet connected. */
export function controlledStore(parts: { clock?: Clock; logger?: Logger } = {}) {
  const { link, controls } = controlledLink();
  const store = new GuardedStore({
    link,
    keys: createStoreKeys('mokuroku:', 'test'),
    timeoutMs: 10,
    clock: parts.clock ?? systemClock,
    logger: parts.logger ?? silentLogger(),
  });
  return { store, controls };
}

/** A store in use. */
export async function usableStore(parts: { clock?: Clock; logger?: Logger } = {}) {
  const { store, controls } = controlledStore(parts);
  controls.onReady();
  await store.ready;
  return { store, controls };
}

export const turn = () => new Promise((done) => setImmediate(done));

/** Resolves when the store is usable again; the test's timeout bounds it. */
export async function regained(store: GuardedStore): Promise<void> {
  while (!store.isUsable) await turn();
}
