import { z } from 'zod';
import { wholeNumber } from '../process/config.ts';
import { STORE_URL_FORMS, parseStoreUrl } from './store-url.ts';

const storeUrl = z.string().transform((text, context) => {
  try {
    return parseStoreUrl(text);
  } catch (error) {
    const message = `${error instanceof Error ? error.message : ''}; forms: ${STORE_URL_FORMS}`;
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  }
});

/** What replicas share; part of both services' settings. */
export const storeSettings = {
  STORE_URL: storeUrl
    .optional()
    .describe('Redis or Valkey, shared by replicas: answers, limits, locks, the outgoing budget.'),
  STORE_PREFIX: z
    .string()
    .regex(/^[\w.:-]{1,64}$/, 'must be 1 to 64 letters, digits or ._:-')
    .default('mokuroku:')
    .describe('Every key in the store begins with it.'),
  STORE_TIMEOUT_MS: wholeNumber(10, 5_000)
    .prefault('100')
    .describe('Silence of the store after which a replica goes on without it.'),
};

export type StoreSettings = z.output<z.ZodObject<typeof storeSettings>>;
