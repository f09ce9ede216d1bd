import { z } from 'zod';
import { commaList, wholeNumberSetting } from '../process/config.ts';

const FORMS =
  'must be redis://[user:password@]host[:6379][/db], rediss://... (TLS) or the path of a socket, or several addresses, separated by commas';

const isAddress = (text: string): boolean =>
  /^rediss?:\/\/\S+$/.test(text) && URL.canParse(text) && new URL(text).hostname !== '';

const isStoreUrl = ([first = '', ...more]: readonly string[]): boolean =>
  (more.length === 0 && first.startsWith('/')) || [first, ...more].every(isAddress);

/** Settings of the shared store, for both services. */
export const storeSettings = {
  STORE_URL: commaList()
    .refine(isStoreUrl, FORMS)
    .optional()
    .describe(
      'Redis or Valkey, shared by replicas: cached responses, limits, the daily quota. Several addresses are nodes of a cluster, or Sentinels; the first one has the login for all.',
    ),
  STORE_SENTINEL_NAME: z
    .string()
    .optional()
    .describe('Name of the master, if STORE_URL has the addresses of Sentinels (port 26379).'),
  STORE_PREFIX: z
    .string()
    .regex(/^[\w.:-]{1,64}$/, 'must be 1 to 64 letters, digits or ._:-')
    .default('mokuroku:')
    .describe('Prefix of every key in the store.'),
  STORE_TIMEOUT_MS: wholeNumberSetting(10, 5_000)
    .prefault('100')
    .describe('Timeout of a command to the store, after which a replica continues without its reply.'),
};

export type StoreSettings = z.output<z.ZodObject<typeof storeSettings>>;
