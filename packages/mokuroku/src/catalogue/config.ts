import { z } from 'zod';
import { existingFolder, portNumber } from '@mokuroku/kit/process';
import { SERVICE_SETTINGS } from '@mokuroku/kit/service';
import { UPSTREAM_SETTINGS } from '@mokuroku/narou/live';

/** Settings of the catalogue service, from the environment. Only main.ts reads them. */
export const CATALOGUE_CONFIG = z.object({
  CATALOGUE_PORT: portNumber().prefault('3000').describe('Port to listen on; 0 means any free one.'),
  CATALOGUE_SOURCE: z
    .enum(['sample', 'narou', 'local'], 'must be sample, narou or local')
    .default('sample')
    .describe('Source of novels: an invented catalogue, the live upstream, or a folder (CATALOGUE_DIR).'),
  CATALOGUE_DIR: existingFolder().optional().describe('Folder of a local catalogue; it may be empty.'),
  CATALOGUE_FALLBACK: z
    .enum(['none', 'narou'], 'must be none or narou')
    .default('none')
    .describe('Source of data that a local catalogue lacks (such as users); none: 501 not_available_here.'),
  ADULT: z
    .enum(['on', 'off'], 'must be on or off')
    .default('on')
    .describe('off: neither the adult endpoints and genres, nor their tools and views.'),
  ...UPSTREAM_SETTINGS.shape,
  ...SERVICE_SETTINGS.shape,
});

export type CatalogueConfig = Readonly<z.output<typeof CATALOGUE_CONFIG>>;
