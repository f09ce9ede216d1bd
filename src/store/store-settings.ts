import { z } from 'zod';
import { wholeNumberSetting } from '../process/config.ts';
import { rejectValue } from '../process/reject-value.ts';
import { STORE_URL_FORMS, parseStoreUrl } from './store-url.ts';

const storeUrl = z.string().transform((text, context) => {
  try {
    return parseStoreUrl(text);
  } catch (error) {
    return rejectValue(context, `${error instanceof Error ? error.message : ''}; forms: ${STORE_URL_FORMS}`);
  }
});

/** Settings of the shared store, for both services. */
export const storeSettings = {
  STORE_URL: storeUrl
    .optional()
    .describe('Redis or Valkey, shared by replicas: cached responses, limits, locks, the daily quota.'),
  STORE_PREFIX: z
    .string()
    .regex(/^[\w.:-]{1,64}$/, 'must be 1 to 64 letters, digits or ._:-')
    .default('mokuroku:')
    .describe('Prefix of every key in the store.'),
  STORE_TIMEOUT_MS: wholeNumberSetting(10, 5_000)
    .prefault('100')
    .describe('Timeout of the store, after which a replica continues without it.'),
};

export type StoreSettings = z.output<z.ZodObject<typeof storeSettings>>;
