import path from 'node:path';
import { builtScript } from '@mokuroku/kit/process';
import { checkFolder } from './check-folder.ts';
import { openLocalSource } from './local-source.ts';
import type { LocalSource, LocalSourceOptions } from './local-source.ts';
import { watchFolder } from './watch-folder.ts';

// What the service imports of the local catalogue, on use: it is off by default.

export type { LocalPart, LocalSource } from './local-source.ts';
export type { PartState } from './newest-generation.ts';

/**
 * Opens the catalogue of a folder and polls it for newer generations until it is closed. Throws ConfigError if a part of
 * the folder cannot be read.
 */
export function openLocalCatalogue({ dir, ...options }: Omit<LocalSourceOptions, 'loadWorker'>): LocalSource {
  checkFolder(dir);
  const source = openLocalSource({
    ...options,
    dir: path.resolve(dir),
    loadWorker: builtScript('load-worker'),
  });
  const watch = watchFolder(source, options);
  const close = async () => {
    watch.close();
    await source.close();
  };
  return { ...source, close };
}
