import fs from 'node:fs';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Logger } from '../../process/logger.ts';
import { isSystemError } from '../index/engine/files.ts';
import type { NamedFile, SkippedGenerations } from '../index/engine/generations.ts';

/** Broken generations of a folder. Each is logged once. */
export interface DamagedGenerations extends SkippedGenerations {
  /** Marks a generation as damaged until one of its files changes. */
  markDamaged(number: number, files: readonly NamedFile[], why: object): void;
  /**
   * Logs a generation of another layout, or with a missing or truncated file. It is checked again, as it may still be
   * copied.
   */
  skip(number: number): void;
  /** Whether there was any of either kind. */
  hasAny(): boolean;
}

/** Identity of each file: expected size and sum, and properties that change when it is written or replaced. */
export const stampsOf = (dir: string, files: readonly NamedFile[]): string[] =>
  files.map(([file, { sha256 }]) => `${file} ${sha256} ${identityOf(path.join(dir, file))}`);

function identityOf(file: string): string {
  try {
    const { ino, mtimeMs } = fs.statSync(file);
    return `${ino} ${mtimeMs}`;
  } catch (error) {
    if (!isSystemError(error)) throw error;
    return error.code ?? '';
  }
}

export function createDamagedGenerations(dir: string, logger: Logger): DamagedGenerations {
  const stamps = new Map<number, readonly string[]>();
  const skipped = new Set<number>();
  return {
    isDamaged: (generation, files) => isDeepStrictEqual(stamps.get(generation), stampsOf(dir, files)),
    markDamaged: (generation, files, why) => {
      logger.error({ dir, generation, ...why }, 'skipped a damaged generation of the catalogue');
      stamps.set(generation, stampsOf(dir, files));
    },
    skip: (generation) => {
      if (skipped.has(generation)) return;
      skipped.add(generation);
      logger.warn(
        { dir, generation },
        'skipped a generation of the catalogue that is incomplete or of another release',
      );
    },
    hasAny: () => stamps.size + skipped.size > 0,
  };
}
