import { describe, expect, it } from 'vitest';
import { cacheOver, loaded, policy } from '../../test/cache/cache-under-test.ts';
import { manualClock } from '../../test/manual-clock.ts';
import type { LoadedData } from '../cache/cache-entry.ts';
import { ServiceError } from '../errors.ts';
import { createLogger } from '../process/logger.ts';
import { createLoadFailureLog } from './open-service.ts';
import { TEST_ERRORS } from '../../test/test-errors.ts';

function openCache() {
  const { time, clock } = manualClock();
  const lines: { level: number; msg: string; key: string }[] = [];
  const stream = { write: (line: string) => lines.push(JSON.parse(line) as (typeof lines)[number]) };
  const { logger } = createLogger('test', 'warn', stream);
  const cache = cacheOver(undefined, clock, { onFailure: createLoadFailureLog(logger, clock) });
  const send = (load: () => Promise<LoadedData>, key = 'a') => cache.get({ key, load }, policy);
  return { time, lines, send };
}

describe('a load that fails', () => {
  it('by a fault of our own is logged as an error, also in a background revalidation', async () => {
    const { time, lines, send } = openCache();
    await send(loaded(1));
    time.ms += 61_000;
    let isBroken = (): void => undefined;
    const broken = new Promise<void>((resolve) => (isBroken = resolve));
    const { outcome } = await send(() => {
      isBroken();
      return Promise.reject(new TypeError('cannot read'));
    });
    await broken;
    await new Promise(setImmediate);
    expect(outcome).toBe('revalidating');
    expect(lines).toMatchObject([{ level: 50, key: 'a', msg: 'load failed unexpectedly' }]);
  });

  it('by the same fault repeatedly, whatever it loads, is logged once a minute', async () => {
    const { time, lines, send } = openCache();
    for (const [wait, key] of [
      [0, 'a'],
      [59_999, 'b'],
      [1, 'c'],
    ] as const) {
      time.ms += wait;
      await expect(send(() => Promise.reject(new TypeError('cannot read')), key)).rejects.toThrow();
    }
    expect(lines).toMatchObject([{ key: 'a' }, { key: 'c' }]);
  });

  it('by an upstream error is not logged here: the client gets it, and the access log has it', async () => {
    const { lines, send } = openCache();
    await expect(
      send(() => Promise.reject(new ServiceError(TEST_ERRORS.upstream_timeout))),
    ).rejects.toThrow();
    expect(lines).toEqual([]);
  });
});

it('no log has the details of an error, which may be the text of a registry', () => {
  const lines: string[] = [];
  const { logger } = createLogger('test', 'debug', { write: (line: string) => lines.push(line) });
  const err = new ServiceError(TEST_ERRORS.not_registered, { details: { raw: 'Registrant: Hoshi Hana' } });
  logger.debug({ key: 'a', err, cause: new Error('x', { cause: err }) }, 'load failed');
  expect(lines.join()).toContain('not_registered');
  expect(lines.join()).not.toContain('Hoshi');
});
