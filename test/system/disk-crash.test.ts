import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/process/clock.ts';
import { silentLogger } from '../../src/process/logger.ts';
import { openDiskTier } from '../../src/cache/disk-tier.ts';

const directory = mkdtempSync(join(tmpdir(), 'mokuroku-crash-'));
const MAX_BYTES = 16_000_000;
afterAll(() => {
  rmSync(directory, { recursive: true, force: true });
});

/** Writes until it is killed. */
async function startWriter(): Promise<{ kill: () => Promise<void> }> {
  const script = join(import.meta.dirname, 'disk-writer.ts');
  const child = spawn(process.execPath, ['--import', 'tsx', script, directory, String(MAX_BYTES)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const gone = new Promise<void>((resolve) => {
    child.once('exit', () => {
      resolve();
    });
  });
  await new Promise((opened) => child.stdout.once('data', opened));
  return {
    kill: async () => {
      child.kill('SIGKILL');
      await gone;
    },
  };
}

describe('the tier on disk', () => {
  it('is whole and within its bound after its writers are killed, again and again', async () => {
    for (let round = 0; round < 5; round++) {
      const writers = await Promise.all([startWriter(), startWriter(), startWriter()]);
      await wait(200 + 100 * round);
      for (const { kill } of writers) await kill();
      const tier = await openDiskTier({
        ...{ directory, scope: 'crash', maxBytes: MAX_BYTES },
        ...{ clock: systemClock, logger: silentLogger() },
      });
      let whole = 0;
      for (let i = 0; i < 500; i++) {
        const found = await tier.find(`k${i}`);
        if (!found) continue;
        whole++;
        const data = JSON.parse(found.data.toString()) as string;
        expect(data.replaceAll(`k${i}`, '')).toBe('');
      }
      const { entries, bytes } = tier.figures;
      await tier.close();
      expect(whole).toBe(entries);
      expect(whole).toBeGreaterThan(10);
      expect(bytes).toBeLessThanOrEqual(MAX_BYTES * 0.65);
      expect(statSync(join(directory, 'crash-1', 'data.mdb')).size).toBeLessThanOrEqual(MAX_BYTES * 1.25);
    }
  });
});
