import { closeStore } from '../../store/connect-store.ts';
import type { StoreClient } from '../../store/connect-store.ts';
import { NotChecked, broken, warning, ok } from '../check.ts';
import type { Finding, Row } from '../check.ts';
import type { MachineFacts } from './machine-facts.ts';

/** See docs/decisions/shared-store.md. Any version of Valkey is sufficient: the first was 7.2. */
const MIN_REDIS = 5;
const CONNECT_WITHIN_MS = 3_000;
const PROBES = 20;

/** Resolves when the connection is ready; rejects with the first error, or after a timeout. */
function whenReady(client: StoreClient, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const either = AbortSignal.any([signal, AbortSignal.timeout(CONNECT_WITHIN_MS)]);
    either.addEventListener('abort', () => reject(either.reason as Error));
    client.on('ready', resolve);
    client.on('error', (error: Error) => {
      if (!/ETIMEDOUT|timed out/.test(error.message)) reject(error);
    });
  });
}

/** `Redis 7.2.4`, `Valkey 8.0.1`. */
async function readVersion(client: StoreClient): Promise<{ name: string; version: string }> {
  const text = await client.info('server');
  const [, valkey] = /^valkey_version:(\S+)/m.exec(text) ?? [];
  const [, redis = ''] = /^redis_version:(\S+)/m.exec(text) ?? [];
  return valkey === undefined ? { name: 'Redis', version: redis } : { name: 'Valkey', version: valkey };
}

/** Whether it runs the scripts of limits and budget. */
async function runsScripts(client: StoreClient, key: string): Promise<boolean> {
  const lua = "redis.call('SET', KEYS[1], ARGV[1], 'PX', 1000) return {redis.call('PTTL', KEYS[1]), 7}";
  const reply: unknown = await client.eval(lua, 1, key, '1').catch(() => undefined);
  return Array.isArray(reply) && reply[1] === 7;
}

/** The second slowest of several writes, in milliseconds. */
async function latencyOf(client: StoreClient, key: string, { clock }: MachineFacts): Promise<number> {
  const times: number[] = [];
  for (let probe = 0; probe < PROBES; probe++) {
    const began = clock.monotonic();
    await client.set(key, '1', 'PX', 1_000);
    times.push(clock.monotonic() - began);
  }
  return times.sort((a, b) => a - b).at(-2) ?? 0;
}

async function checkStore(client: StoreClient, machine: MachineFacts, signal: AbortSignal): Promise<Finding> {
  const { STORE_PREFIX: prefix, STORE_TIMEOUT_MS: timeoutMs } = machine.store;
  try {
    await whenReady(client, signal);
  } catch {
    return broken('it cannot be reached', {}, 'Check STORE_URL, its password, and whether the store runs.');
  }
  const key = `${prefix}doctor`;
  const { name, version } = await readVersion(client);
  if (name === 'Redis' && Number(version.split('.')[0]) < MIN_REDIS) {
    const values = { text: `${name} ${version}`, least: MIN_REDIS };
    return broken('{text}', values, 'Redis {least} or later is needed, or any Valkey.');
  }
  if (!(await runsScripts(client, key))) {
    const advice = 'Allow EVAL and EVALSHA to this user of the store.';
    return broken('{name} {version} runs no scripts', { name, version }, advice);
  }
  const ms = Math.round(await latencyOf(client, key, machine));
  const message = '{name} {version}, {ms} ms a command';
  const values = { name, version, ms, timeoutMs };
  const advice = 'It is slow for STORE_TIMEOUT_MS={timeoutMs}: use a nearer store, or raise the setting.';
  // Replicas bypass a store that is silent for this long.
  return ms < timeoutMs / 4 ? ok(message, values) : warning(message, values, advice);
}

export const STORE: Row<MachineFacts> = {
  id: 'store',
  title: 'Shared store',
  run: async (machine, signal) => {
    const { STORE_URL } = machine.store;
    if (STORE_URL === undefined) throw new NotChecked('STORE_URL is not set');
    let client: StoreClient;
    try {
      // A slow store is measured, too.
      client = await machine.connectStore({
        ...machine.store,
        STORE_URL,
        STORE_TIMEOUT_MS: CONNECT_WITHIN_MS,
      });
    } catch {
      return broken('the package ioredis is not installed', {}, 'Install it: npm install ioredis@5');
    }
    try {
      return await checkStore(client, machine, signal);
    } finally {
      await closeStore(client);
    }
  },
};
