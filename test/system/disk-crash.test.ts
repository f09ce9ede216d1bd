import { once } from 'node:events';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { systemClock, createLogger } from '@mokuroku/kit/process';
import { openDiskTier } from '../../packages/kit/src/cache/disk-tier.ts';
import { endWithTest, startProgram, until } from './running-service.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const directory = temporaryFolder();
const root = join(directory, 'crash-2');
const MAX_BYTES = 16_000_000;

/** Writes until it is killed. */
async function startWriter() {
  const script = join(import.meta.dirname, 'disk-writer.ts');
  const args = ['--import', 'tsx', script, directory, String(MAX_BYTES)];
  const writer = endWithTest(startProgram(process.execPath, args));
  await once(writer.child.stdout!, 'data');
  return writer;
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
      for (const writer of writers) await writer.end('SIGKILL');
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
