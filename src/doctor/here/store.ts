import { once } from 'node:events';
import type { Clock } from '../../process/clock.ts';
import { closeStore, connectStore } from '../../store/connect-store.ts';
import type { StoreClient } from '../../store/connect-store.ts';
import type { StoreSettings } from '../../store/store-settings.ts';
import { broken, ok, warning } from '../check.ts';
import type { Finding, Row } from '../check.ts';
import { text } from '../../process/text.ts';

const WITHIN_MS = 3_000;
const PROBES = 20;

/** Like the scripts of limits and budget, it writes after TIME, which servers before Redis 5 refuse. */
const SCRIPT = "redis.call('TIME') redis.call('SET', KEYS[1], ARGV[1], 'PX', 1000) return 7";

async function checkStore(client: StoreClient, settings: StoreSettings, clock: Clock): Promise<Finding> {
  const { STORE_PREFIX, STORE_TIMEOUT_MS } = settings;
  const runScript = () => client.eval(SCRIPT, 1, `${STORE_PREFIX}doctor`, '1');
  const reply = await runScript().catch((error: unknown) => {
    if (!(error instanceof Error && error.name === 'ReplyError')) throw error;
  });
  if (reply !== 7) {
    return broken(
      text('it does not run the scripts of the services', 'スクリプトが動きません'),
      text(
        'Redis 5 or later is needed, or any Valkey, with EVAL and EVALSHA allowed to this user of the store.',
        'Redis 5 以降か Valkey が要ります。このユーザに EVAL と EVALSHA を許してください。',
      ),
    );
  }
  const startedAt = clock.monotonic();
  for (let probe = 0; probe < PROBES; probe++) await runScript();
  const ms = Math.round((clock.monotonic() - startedAt) / PROBES);
  const message = text(`${ms} ms a command`, `1 命令 ${ms} ms`);
  // Replicas bypass a store that is silent for STORE_TIMEOUT_MS.
  if (ms < STORE_TIMEOUT_MS / 4) return ok(message);
  return warning(
    message,
    text(
      `It is slow for STORE_TIMEOUT_MS=${STORE_TIMEOUT_MS}: use a nearer store, or raise the setting.`,
      `STORE_TIMEOUT_MS=${STORE_TIMEOUT_MS} に対して遅すぎます。近くに置くか、値を上げてください。`,
    ),
  );
}

export const storeCheck = (settings: StoreSettings, clock: Clock): Row => ({
  id: 'store',
  title: text('Shared store', '共有ストア'),
  needs: [
    { missing: settings.STORE_URL ? undefined : text('STORE_URL is not set', 'STORE_URL がありません') },
  ],
  run: async (signal) => {
    // A slow store is measured, too.
    const slow = { ...settings, STORE_URL: settings.STORE_URL ?? [], STORE_TIMEOUT_MS: WITHIN_MS };
    const client = await connectStore(slow).catch(() => undefined);
    if (client === undefined) {
      return broken(
        text('the package ioredis is not installed', 'ioredis が入っていません'),
        text('Install it: npm install ioredis@5', '入れてください: npm install ioredis@5'),
      );
    }
    client.on('error', () => undefined);
    try {
      await once(client, 'ready', { signal: AbortSignal.any([signal, AbortSignal.timeout(WITHIN_MS)]) });
      return await checkStore(client, settings, clock);
    } catch {
      return broken(
        text('it cannot be reached', '届きません'),
        text(
          'Check STORE_URL, its password, and whether the store runs.',
          'STORE_URL とパスワード、ストアが動いているかを確かめてください。',
        ),
      );
    } finally {
      await closeStore(client);
    }
  },
});
