import type { Logger } from '../../process/logger.ts';

/** Generations of a folder that are not served, each said once. */
export interface BrokenGenerations {
  /** The numbers of those that are whole in size and yet not what was written. */
  readonly numbers: ReadonlySet<number>;
  /** Says that one is among these from now on. */
  discard(number: number, why: object): void;
  /** Says that one is of another layout, or a file missing or cut short. It is looked at again: it may be on its way. */
  passOver(number: number): void;
}

export function createBrokenGenerations(dir: string, logger: Logger): BrokenGenerations {
  const numbers = new Set<number>();
  const passedOver = new Set<number>();
  return {
    numbers,
    discard: (generation, why) => {
      logger.error({ dir, generation, ...why }, 'a generation of the catalogue is broken and left out');
      numbers.add(generation);
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
