import fs from 'node:fs';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Logger } from '../../process/logger.ts';
import type { NamedFile, PassedOver } from '../index/engine/generations.ts';

/** Generations of a folder that are not served, each said once. */
export interface BrokenGenerations extends PassedOver {
  /** Says that one is broken from now on, until a file of it is another. */
  discard(number: number, files: readonly NamedFile[], why: object): void;
  /** Says that one is of another layout, or a file missing or cut short. It is looked at again: it may be on its way. */
  passOver(number: number): void;
}

/** What each file is known by: by what it should be, and by what changes when it is written to or another takes its place. */
export const stampsOf = (dir: string, files: readonly NamedFile[]): string[] =>
  files.map(([file, { sha256 }]) => {
    const { ino, mtimeMs } = fs.statSync(path.join(dir, file), { throwIfNoEntry: false }) ?? {};
    return `${file} ${sha256} ${ino} ${mtimeMs}`;
  });

export function createBrokenGenerations(dir: string, logger: Logger): BrokenGenerations {
  const stamps = new Map<number, readonly string[]>();
  const passedOver = new Set<number>();
  return {
    isBroken: (generation, files) => isDeepStrictEqual(stamps.get(generation), stampsOf(dir, files)),
    discard: (generation, files, why) => {
      logger.error({ dir, generation, ...why }, 'skipped a damaged generation of the catalogue');
      stamps.set(generation, stampsOf(dir, files));
    },
    passOver: (generation) => {
      if (passedOver.has(generation)) return;
      passedOver.add(generation);
      logger.warn(
        { dir, generation },
        'skipped a generation of the catalogue that is incomplete or of another release',
      );
    },
  };
}

/** Of a folder that had one: it was taken away, or is being put in the place of another. */
export const noneLeft = (dir: string): Error => new Error(`no whole generation is left in ${dir}`);
