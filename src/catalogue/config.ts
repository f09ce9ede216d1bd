import { z } from 'zod';
import {
  existingFolder,
  headerText,
  httpAddress,
  milliseconds,
  portNumber,
  wholeNumberSetting,
} from '../process/config.ts';
import { SERVICE_SETTINGS } from '../service/settings.ts';
import { VERSION } from '../process/version.ts';

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
  NAROU_BASE_URL: httpAddress().default('https://api.syosetu.com').describe('Base address of the upstream.'),
  NAROU_CONTACT: headerText()
    .optional()
    .describe('Contact of the operator (an address or a page), sent to the upstream in the User-Agent.'),
  NAROU_USER_AGENT: headerText()
    .optional()
    .describe('The whole User-Agent for the upstream, instead of name, version and contact.'),
  UPSTREAM_CONNECT_TIMEOUT_MS: milliseconds()
    .prefault('3000')
    .describe('Timeout for connecting to the upstream.'),
  UPSTREAM_HEADERS_TIMEOUT_MS: milliseconds()
    .prefault('8000')
    .describe('Timeout from an upstream request to the head of its response.'),
  UPSTREAM_BODY_TIMEOUT_MS: milliseconds()
    .prefault('5000')
    .describe('Timeout between two parts of an upstream response.'),
  UPSTREAM_TIMEOUT_MS: milliseconds()
    .prefault('10000')
    .describe('Timeout for a whole upstream request, including the wait for a connection.'),
  UPSTREAM_MAX_BODY_BYTES: wholeNumberSetting(1_000, 1_000_000_000)
    .prefault('4500000')
    .describe('Largest accepted upstream response, both compressed and decompressed.'),
  UPSTREAM_CONNECTIONS: wholeNumberSetting(1, 256)
    .prefault('8')
    .describe('Connections to the upstream, each with one request at a time.'),
  UPSTREAM_MAX_WAITING: wholeNumberSetting(0, 100_000)
    .prefault('1000')
    .describe(
      'Requests that may wait for a connection, half as many of one network; more are answered with 503 overloaded.',
    ),
  UPSTREAM_DAILY_REQUESTS: wholeNumberSetting(0, 1_000_000_000)
    .optional()
    .describe(
      'Upstream requests in 24 hours; 0 means no limit. Not set: 80000, the rule of api.syosetu.com; no limit for another NAROU_BASE_URL.',
    ),
  UPSTREAM_DAILY_BYTES: wholeNumberSetting(0, 1_000_000_000_000)
    .optional()
    .describe('Bytes received from the upstream in 24 hours. Not set: 400000000, or no limit, as above.'),
  UPSTREAM_CLIENT_SHARE_PERCENT: wholeNumberSetting(1, 100)
    .prefault('20')
    .describe(
      'Per cent of the daily requests and bytes that one client may use; then cached responses or 429. 100 means no limit.',
    ),
  OUTGOING_ADDRESS: z
    .string()
    .regex(/^[\w.:-]{1,64}$/, 'must be 1 to 64 letters, digits or ._:-')
    .default('default')
    .describe(
      'Name of the address that sends upstream requests; replicas with the same name share the daily quota.',
    ),
  ...SERVICE_SETTINGS.shape,
});

export type CatalogueConfig = Readonly<z.output<typeof CATALOGUE_CONFIG>>;

/** The upstream rejects clients without a User-Agent (dev.syosetu.com/man/sample02, 2025). */
function userAgentOf(config: Pick<CatalogueConfig, 'NAROU_CONTACT' | 'NAROU_USER_AGENT'>): string {
  const contact = config.NAROU_CONTACT ?? 'not configured';
  return config.NAROU_USER_AGENT ?? `mokuroku/${VERSION} (novel catalogue query API; contact: ${contact})`;
}

/** Options of the transport to the upstream. */
export const transportSettings = (
  config: Pick<
    CatalogueConfig,
    | 'NAROU_CONTACT'
    | 'NAROU_USER_AGENT'
    | 'UPSTREAM_BODY_TIMEOUT_MS'
    | 'UPSTREAM_CONNECT_TIMEOUT_MS'
    | 'UPSTREAM_HEADERS_TIMEOUT_MS'
    | 'UPSTREAM_MAX_BODY_BYTES'
    | 'UPSTREAM_TIMEOUT_MS'
  >,
) => ({
  userAgent: userAgentOf(config),
  connectTimeoutMs: config.UPSTREAM_CONNECT_TIMEOUT_MS,
  headersTimeoutMs: config.UPSTREAM_HEADERS_TIMEOUT_MS,
  bodyTimeoutMs: config.UPSTREAM_BODY_TIMEOUT_MS,
  /** For a whole request. */
  deadlineMs: config.UPSTREAM_TIMEOUT_MS,
  maxBodyBytes: config.UPSTREAM_MAX_BODY_BYTES,
});
