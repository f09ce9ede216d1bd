import { damagedFiles } from '../src/engine/generations.ts';
import { filesToVerify, requireGeneration } from '../src/engine/index-generations.ts';

/** Reads every file of the newest generation of an index, and returns the damaged ones. */
export const verifyIndex = (dir: string): string[] =>
  damagedFiles(dir, filesToVerify(requireGeneration(dir)));
