import { EventEmitter } from 'node:events';
import { silentLogger } from '../../src/process/logger.ts';
import type { Logger } from '../../src/process/logger.ts';
import type { StoreClient } from '../../src/store/connect-store.ts';
import { Store, createStoreKeys } from '../../src/store/store.ts';
import { manualClock } from '../manual-clock.ts';

export interface Controls {
  /** The fate of commands: a reply, silence, refusal. */
  mood: 'answering' | 'silent' | 'gone';
  /** Results of scripts, one after the other; the last is repeated. */
  scriptReplies: unknown[];
  /** Arguments of each script run, in order. */
  scripts: (string | number)[][];
  /** The key of each script run, in order. */
  scriptKeys: string[];
  deletedKeys: string[];
  commands: number;
  /** SETs as sent; GETs reply from `values`. */
  sets: unknown[][];
  values: Map<string, Buffer>;
  /** Applies to the next command only. */
  nextReply: Promise<unknown> | undefined;
  /** The connection becomes ready. */
  connect(): void;
  /** The connection closes. */
  disconnect(): void;
  /** A connection fails. */
  fail(error: Error): void;
}

/** A client whose server replies, refuses or falls silent as a test says. */
function controlledClient(): { client: StoreClient; controls: Controls } {
  const emitter = new EventEmitter();
  const change = (status: string) => Object.assign(emitter, { status });
  const controls: Controls = {
    mood: 'answering',
    scriptReplies: [[1, 59, 60_000_000]],
    scripts: [],
    scriptKeys: [],
    deletedKeys: [],
    commands: 0,
    sets: [],
    values: new Map(),
    nextReply: undefined,
    connect: () => change('ready').emit('ready'),
    disconnect: () => change('reconnecting').emit('close'),
    fail: (error) => emitter.emit('error', error),
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
  const client = Object.assign(emitter, {
    status: 'connecting',
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
    del: (key: string) => {
      controls.deletedKeys.push(key);
      return reply(1);
    },
    quit: () => Promise.resolve('OK'),
    disconnect: () => undefined,
  }) as unknown as StoreClient;
  return { client, controls };
}

/** A store on such a client and a manual clock, not yet connected. */
export function controlledStore(logger = silentLogger()) {
  const { client, controls } = controlledClient();
  const { time, clock } = manualClock(0);
  const store = new Store({ client, keys: createStoreKeys('mokuroku:', 'test'), clock, logger });
  return { store, controls, time, clock };
}

/** A store in use. */
export async function usableStore(logger?: Logger) {
  const opened = controlledStore(logger);
  opened.controls.connect();
  await opened.store.ready;
  return opened;
}

export const turn = () => new Promise((done) => setImmediate(done));
