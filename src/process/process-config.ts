import { z } from 'zod';
import { portNumber, wholeNumber } from './config.ts';

/** Settings of the process itself, whatever it serves. */
export const PROCESS_CONFIG = z.object({
  WORKERS: wholeNumber(1, 256)
    .prefault('1')
    .describe('Processes that serve the same ports together; the limits hold for all of them.'),
  METRICS_PORT: portNumber()
    .optional()
    .describe('Port for Prometheus, at /metrics; 0 means any free one. Not set: no metrics are served.'),
  METRICS_HOST: z
    .string()
    .default('127.0.0.1')
    .describe('Address that the metrics listen on; they need not be public.'),
  RATE_LIMIT: wholeNumber(0, 1_000_000_000)
    .prefault('60')
    .describe('Requests a minute and client; 0 means no limit.'),
});

export type ProcessConfig = Readonly<z.output<typeof PROCESS_CONFIG>>;
