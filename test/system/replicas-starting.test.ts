import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLimiter } from '../../packages/kit/src/limits/create-limiter.ts';
import { systemClock, silentLogger } from '@mokuroku/kit/process';
import { openStore } from '@mokuroku/kit/store';
import { Agent, request } from 'undici';
import { send, startRedis } from './redis-servers.ts';
import type { RunningRedis } from './redis-servers.ts';
import { startServe } from './running-service.ts';

let redis: RunningRedis;
beforeAll(async () => {
  redis = await startRedis();
});
afterAll(async () => {
  await redis.close();
});

/** One replica: opens the store and admits requests as early as a service would. */
async function startReplica() {
  const store = await openStore(
    { STORE_URL: [redis.url], STORE_PREFIX: 'mokuroku:', STORE_TIMEOUT_MS: 2_000 },
    { scope: 'test', clock: systemClock, logger: silentLogger() },
  );
  const limiter = createLimiter({ requestsPerMinute: 60, clock: systemClock, store })!;
  return { limiter, close: () => store!.close() };
}

/** Blocks the event loop like compilation and first requests at a start. */
function beBusy(milliseconds: number): void {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
}

function beBusyLater(turns: number, milliseconds: number): void {
  setImmediate(() => {
    if (turns >= 1) beBusyLater(turns - 1, milliseconds);
    else beBusy(milliseconds);
  });
}

describe('replicas that start under load', () => {
  it('together never admit more than 60 requests of a client, in fifty starts', async () => {
    for (let round = 0; round < 17; round++) {
      const client = `client ${round}`;
      let admitted = 0;
      const startAndAsk = async (i: number) => {
        beBusy((round * 37 + i * 50) % 150);
        const opening = startReplica();
        // Sometimes so long, at varying moments, that the first connection attempt times out.
        beBusyLater((round / 3) % 10, round % 3 === 0 && i === 1 ? 1_300 : (round * 71) % 120);
        const replica = await opening;
        const decisions = Array.from({ length: 50 }, async () => replica.limiter.admit(client));
        beBusy((round * 53) % 120);
        for (const { isAllowed } of await Promise.all(decisions)) if (isAllowed) admitted++;
        return replica;
      };
      const replicas = await Promise.all([0, 1, 2].map(startAndAsk));
      expect(admitted).toBe(60);
      for (const { close } of replicas) await close();
    }
  });

  it('together never do so as separate processes', async () => {
    const agent = new Agent({ connections: 20 });
    for (let round = 0; round < 3; round++) {
      await send(redis.port, (client) => client.flushall());
      const statuses: number[] = [];
      const replicas = await Promise.all(
        [0, 1, 2].map(async () => {
          const environment = { STORE_URL: redis.url, STORE_TIMEOUT_MS: '2000', LOG_LEVEL: 'warn' };
          const replica = await startServe(environment);
          const answers = Array.from({ length: 50 }, async () => {
            const { statusCode, body } = await request(`${replica.catalogue}/v1/meta/genres`, {
              dispatcher: agent,
            });
            await body.dump();
            statuses.push(statusCode);
          });
          await Promise.all(answers);
          return replica;
        }),
      );
      for (const replica of replicas) await replica.end('SIGKILL');
      expect(statuses.filter((status) => status === 200)).toHaveLength(60);
      expect(statuses.filter((status) => status === 429)).toHaveLength(90);
    }
    await agent.close();
  });
});
