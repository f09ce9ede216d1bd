import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { systemClock, createLogger } from '@mokuroku/kit/process';
import { openDiskTier } from '../../packages/kit/src/cache/disk-tier.ts';
import { until } from './redis-servers.ts';

const directory = mkdtempSync(join(tmpdir(), 'mokuroku-crash-'));
const root = join(directory, 'crash-2');
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

function filesUnder(folder: string): string[] {
  const entries = existsSync(folder) ? readdirSync(folder, { recursive: true, withFileTypes: true }) : [];
  return entries.filter((one) => one.isFile()).map((one) => join(one.parentPath, one.name));
}

describe('the tier on disk', () => {
  it('is intact and within its size limit after its writers are killed repeatedly', async () => {
    const complaints: string[] = [];
    const { logger } = createLogger('test', 'warn', { write: (line: string) => complaints.push(line) });
    for (let round = 0; round < 3; round++) {
      const writers = await Promise.all([startWriter(), startWriter(), startWriter()]);
      await until(() => filesUnder(root).length >= 50);
      await wait(40 * round);
      for (const { kill } of writers) await kill();
      const tier = await openDiskTier({
        directory,
        scope: 'crash',
        maxBytes: MAX_BYTES,
        clock: systemClock,
        logger,
      });
      let whole = 0;
      for (let i = 0; i < 500; i++) {
        const entry = await tier.find(`k${i}`);
        if (!entry) continue;
        whole++;
        expect((JSON.parse(entry.data.toString()) as string).replaceAll(`k${i}`, '')).toBe('');
      }
      await tier.sweep();
      expect(tier.stats.bytes).toBeLessThanOrEqual(MAX_BYTES * 0.9);
      await tier.close();
      expect(whole).toBeGreaterThan(10);
      const bytes = filesUnder(root).reduce((sum, file) => sum + statSync(file).size, 0);
      expect(bytes).toBeLessThanOrEqual(MAX_BYTES);
    }
    expect(complaints).toEqual([]);
  });
});
