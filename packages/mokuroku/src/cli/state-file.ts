import fs from 'node:fs';
import path from 'node:path';
import { writeAtomically } from '@mokuroku/kit/process';
import { UsageError } from './command.ts';

/**
 * The file that an option names, which has what a run last reported: the next run continues there. Throws a UsageError
 * if it cannot be used.
 */
export function openStateFile(option: string, file: string) {
  const orUsageError = <Result>(use: () => Result): Result => {
    try {
      return use();
    } catch (error) {
      const { message } = error as Error;
      throw new UsageError(
        `${option} ${file} cannot be used (${message}).`,
        `${option} ${file} は使用できません（${message}）。`,
      );
    }
  };
  return {
    /** Undefined without a file yet. The folder is tried too: it is written only after the first requests. */
    read: (): string | undefined =>
      orUsageError(() => {
        fs.accessSync(path.dirname(file), fs.constants.W_OK);
        const found = fs.statSync(file, { throwIfNoEntry: false });
        // A write replaces it: also a device, such as /dev/null.
        if (found && !found.isFile()) throw new Error('no regular file');
        return found && fs.readFileSync(file, 'utf8');
      }),
    write: (text: string): void => orUsageError(() => writeAtomically(file, text)),
  };
}
