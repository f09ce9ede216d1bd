import { z } from 'zod';
import type { HarvestConfig } from '../catalogue/harvest/index.ts';
import { wholeNumberSetting } from '../process/config.ts';
import { storeSettings } from '../store/store-settings.ts';
import { UPSTREAM_SETTINGS } from '../catalogue/narou/upstream-settings.ts';

/** The settings of a harvest: its own, and those of the upstream and the store. */
export const HARVEST_CONFIG = z.object({
  ...UPSTREAM_SETTINGS.omit({ UPSTREAM_CONNECTIONS: true, UPSTREAM_CLIENT_SHARE_PERCENT: true }).shape,
  ...storeSettings,
  HARVEST_SHARE_PERCENT: wholeNumberSetting(1, 80)
    .prefault('50')
    .describe(
      'Per cent of the daily requests and bytes that `mokuroku harvest` may use. The last fifth is reserved for clients.',
    ),
  HARVEST_PAUSE_MS: wholeNumberSetting(0, 10_000)
    .prefault('1000')
    .describe('Pause of `mokuroku harvest` between a response and the next request.'),
}) satisfies z.ZodType<HarvestConfig>;
