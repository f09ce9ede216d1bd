import { z } from 'zod';
import { addressRanges } from '../http/client-address.ts';
import { portNumber, wholeNumber } from '../process/config.ts';
import { storeSettings } from '../store/store-settings.ts';

/** The address of a page, or `:3001`: that port of whatever host the reader has come to. */
const pageAddress = () =>
  z
    .string()
    .regex(/^(?:https?:\/\/[^\s"'<>?#]+|:\d{1,5})$/, 'must be an http(s) address without a query, or :port')
    .transform((address) => address.replace(/\/+$/, ''))
    .optional();

/** The settings that both services have. */
export const SERVICE_SETTINGS = z.object({
  HOST: z.string().default('127.0.0.1').describe('Address to listen on.'),
  CACHE_MAX_BYTES: wholeNumber(1_000_000, 100_000_000_000)
    .prefault('80000000')
    .describe(
      'Most memory that cached responses may take: a fifth for those of more than 64 kB, the rest for all others. CSV and Atom have 16 MB beside it.',
    ),
  IN_FLIGHT_MAX_BYTES: wholeNumber(1_000_000, 100_000_000_000)
    .prefault('64000000')
    .describe(
      'Most memory that requests and their responses may hold until they have left. Beyond it requests wait for up to a second and are then refused with 503. No network (IPv4 /24, IPv6 /48) gets more than half of it.',
    ),
  CLIENT_IN_FLIGHT_MAX_BYTES: wholeNumber(100_000, 100_000_000_000)
    .prefault('16000000')
    .describe('The same for each client.'),
  TRUSTED_PROXIES: addressRanges()
    .prefault('')
    .describe(
      'Addresses and ranges (CIDR) of proxies whose X-Forwarded-For is believed, separated by commas.',
    ),
  RATE_LIMIT: wholeNumber(0, 1_000_000_000)
    .prefault('60')
    .describe('Requests a minute and client; 0 means no limit.'),
  CATALOGUE_PAGE: pageAddress().describe(
    "Where readers reach the catalogue's page: the page of the registration service links to it, and it is what a shared link shows. `mokuroku serve` on the sample knows it.",
  ),
  REGISTRATION_PAGE: pageAddress().describe(
    "The same for the registration service's page, linked to by the catalogue's.",
  ),
  CACHE_DIR: z
    .string()
    .optional()
    .describe('Folder for answers on disk, shared by the workers of a machine and kept over a restart.'),
  CACHE_DISK_MAX_BYTES: wholeNumber(16_000_000, 1_000_000_000_000)
    .prefault('1000000000')
    .describe(
      'Most room that CACHE_DIR may take for each service and source; in passing it may be a tenth more.',
    ),
  ...storeSettings,
  LOG_LEVEL: z
    .enum(['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'])
    .default('info')
    .describe('Least level that is logged.'),
});

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
  RATE_LIMIT: SERVICE_SETTINGS.shape.RATE_LIMIT,
  SERVE_ONLY: z
    .enum(['catalogue', 'registration'])
    .optional()
    .describe('The one service that is run. Not set: both.'),
});

export type ProcessConfig = Readonly<z.output<typeof PROCESS_CONFIG>>;
export type ServiceSettings = Readonly<z.output<typeof SERVICE_SETTINGS>>;
