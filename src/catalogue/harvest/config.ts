import type { z } from 'zod';
import { wholeNumberSetting } from '../../process/config.ts';
import { CATALOGUE_CONFIG } from '../config.ts';

/** The settings of a harvest: its own, and those of the catalogue service about its upstream. */
export const HARVEST_CONFIG = CATALOGUE_CONFIG.pick({
  NAROU_BASE_URL: true,
  NAROU_CONTACT: true,
  UPSTREAM_TIMEOUT_MS: true,
  UPSTREAM_DAILY_REQUESTS: true,
  UPSTREAM_DAILY_BYTES: true,
  STORE_URL: true,
  STORE_SENTINEL_NAME: true,
  STORE_PREFIX: true,
  STORE_TIMEOUT_MS: true,
}).extend({
  HARVEST_SHARE_PERCENT: wholeNumberSetting(1, 80)
    .prefault('50')
    .describe(
      'Per cent of the daily requests and bytes that `mokuroku harvest` may use. The last fifth is reserved for clients.',
    ),
  HARVEST_PAUSE_MS: wholeNumberSetting(0, 10_000)
    .prefault('1000')
    .describe('Pause of `mokuroku harvest` between a response and the next request.'),
});

export type HarvestConfig = Readonly<z.output<typeof HARVEST_CONFIG>>;
