import { z } from 'zod';
import { wholeNumber } from '../process/config.ts';

/** Where answers outlive the process; part of both services' settings. */
export const diskSettings = {
  CACHE_DIR: z
    .string()
    .optional()
    .describe('Folder for answers on disk, shared by the workers of a machine and kept over a restart.'),
  CACHE_DISK_MAX_BYTES: wholeNumber(16_000_000, 1_000_000_000_000)
    .prefault('1000000000')
    .describe(
      'Most room that CACHE_DIR may take for each service and source; in passing it may be a tenth more.',
    ),
};

export type DiskSettings = z.output<z.ZodObject<typeof diskSettings>>;
