import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { systemClock, createLogger } from '@mokuroku/kit/process';
import { openLocalCatalogue } from './index.ts';

function folder(): string {
  const dir = mkdtempSync(join(tmpdir(), 'mokuroku-folder-'));
  onTestFinished(() => {
    rmSync(dir, { recursive: true, force: true });
  });
  return dir;
}

const { logger } = createLogger('test', 'silent');
const open = (dir: string) => openLocalCatalogue({ dir, upstream: undefined, clock: systemClock, logger });

describe('opening the folder of a catalogue', () => {
  it.each(['novels', 'adult', 'rankings'])('reports that its %s is a file', (part) => {
    const dir = folder();
    writeFileSync(join(dir, part), '');
    expect(() => open(dir)).toThrow(`CATALOGUE_DIR="${dir}": ${part} in it must be a folder`);
  });

  it.each(['novels', 'adult', 'rankings'])('reports that its %s cannot be read', (part) => {
    const dir = folder();
    // Unreadable even for root.
    symlinkSync(part, join(dir, part));
    expect(() => open(dir)).toThrow(`${part} in it cannot be read (ELOOP)`);
  });

  it.each(['novels', 'rankings'])(
    'does not wait for a named pipe among the generations of %s',
    async (part) => {
      const dir = folder();
      mkdirSync(join(dir, part));
      execFileSync('mkfifo', [join(dir, part, 'generation-000001.json')]);
      await open(dir).close();
    },
  );
});
