import fs from 'node:fs';
import path from 'node:path';
import { ConfigError, builtScript, createThrottledLog, describeFailure } from '@mokuroku/kit/process';
import { openLocalSource } from './local-source.ts';
import type { LocalSource, LocalSourceOptions } from './local-source.ts';

// What the service imports of the local catalogue, on use: it is off by default.

export type { LocalPart, LocalSource } from './local-source.ts';
export type { PartState } from './newest-generation.ts';

/** Names that a harvest creates in the folder. Each is optional. */
const PARTS = ['novels', 'adult', 'rankings'];

/** Throws ConfigError if a part of a local catalogue is no folder or cannot be read. */
function checkFolder(dir: string): void {
  for (const part of PARTS) {
    try {
      fs.readdirSync(path.join(dir, part));
    } catch (error) {
      const { code = '' } = error as NodeJS.ErrnoException;
      if (code === 'ENOENT') continue;
      const fault = code === 'ENOTDIR' ? 'must be a folder' : `cannot be read (${code})`;
      throw new ConfigError([`CATALOGUE_DIR="${dir}": ${part} in it ${fault}`]);
    }
  }
}

const LOOK_EVERY_MS = 2_000;
const SAY_AGAIN_AFTER_MS = 600_000;

/**
 * Opens the catalogue of a folder and polls it for newer generations until it is closed: file notifications do not work
 * on network volumes. Throws ConfigError if a part of the folder cannot be read.
 */
export function openLocalCatalogue({ dir, ...options }: Omit<LocalSourceOptions, 'loadWorker'>): LocalSource {
  checkFolder(dir);
  const source = openLocalSource({
    ...options,
    dir: path.resolve(dir),
    loadWorker: builtScript('load-worker'),
  });
  const log = createThrottledLog({ ...options, periodMs: SAY_AGAIN_AFTER_MS });
  const look = (): void => {
    source.refresh().catch((err: unknown) => {
      const message =
        'the catalogue folder cannot be read at present; it is read again every two seconds, and an open generation is still served';
      log.logOncePerPeriod('warn', describeFailure(err), { err }, message);
    });
  };
  const timer = setInterval(look, LOOK_EVERY_MS).unref();
  const close = async () => {
    clearInterval(timer);
    await source.close();
  };
  return { ...source, close };
}
