import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { silentLogger } from '../../process/logger.ts';
import { openLocalSource } from './local-source.ts';

it('a missing ranking counts as late for a day, then as not available here', async () => {
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'mokuroku-late-'));
  // The ranking of 2026-11-21 is there by seven in the morning in Japan.
  let now = Date.parse('2026-11-22T07:00:00+09:00') - 1;
  const clock = { now: () => now, monotonic: () => now };
  const source = openLocalSource({ dir, upstream: undefined, clock, logger: silentLogger() });
  onTestFinished(async () => {
    await source.close();
    fs.rmSync(dir, { recursive: true });
  });
  expect(await source.getRanking('daily', '2026-11-21')).toBeNull();
  now += 1;
  await expect(source.getRanking('daily', '2026-11-21')).rejects.toMatchObject({
    code: 'not_available_here',
  });
});
