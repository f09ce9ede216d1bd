import { z } from 'zod';
import type { HarvestConfig } from '@mokuroku/local-catalogue/harvest';
import { wholeNumberSetting } from '@mokuroku/kit/process';
import { storeSettings } from '@mokuroku/kit/store';
import { UPSTREAM_SETTINGS } from '@mokuroku/narou/live';

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
