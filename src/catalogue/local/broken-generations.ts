import fs from 'node:fs';
import path from 'node:path';
import type { Logger } from '../../process/logger.ts';
import type { NamedFile, PassedOver } from '../index/engine/generations.ts';

/** Generations of a folder that are not served, each said once. */
export interface BrokenGenerations extends PassedOver {
  /** Says that one is broken from now on, until a file of it is another. */
  discard(number: number, files: readonly NamedFile[], why: object): void;
  /** Says that one is of another layout, or a file missing or cut short. It is looked at again: it may be on its way. */
  passOver(number: number): void;
}

/** Changes when a file is written to, or another put in its place. */
function stampOf(dir: string, files: readonly NamedFile[]): string {
  const stamps = files.map(([file]) => {
    const { ino, ctimeMs } = fs.statSync(path.join(dir, file), { throwIfNoEntry: false }) ?? {};
    return `${ino} ${ctimeMs}`;
  });
  return stamps.join(' ');
}

export function createBrokenGenerations(dir: string, logger: Logger): BrokenGenerations {
  const stamps = new Map<number, string>();
  const passedOver = new Set<number>();
  return {
    isBroken: (generation, files) => stamps.has(generation) && stamps.get(generation) === stampOf(dir, files),
    discard: (generation, files, why) => {
      logger.error({ dir, generation, ...why }, 'a generation of the catalogue is broken and left out');
      stamps.set(generation, stampOf(dir, files));
    },
    passOver: (generation) => {
      if (passedOver.has(generation)) return;
      passedOver.add(generation);
      logger.warn(
        { dir, generation },
        'a generation of the catalogue is not whole, not all copied yet, or of another release; left out',
      );
    },
  };
}

/** Of a folder that had one: it was taken away, or is being put in the place of another. */
export const noneLeft = (dir: string): Error => new Error(`there is no whole generation in ${dir} any more`);
