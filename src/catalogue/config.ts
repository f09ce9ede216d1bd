import { z } from 'zod';
import { existingFolder, milliseconds, portNumber, wholeNumber } from '../process/config.ts';
import { SERVICE_SETTINGS } from '../service/settings.ts';
import { VERSION } from '../process/version.ts';

const httpAddress = z.url({
  protocol: /^https?$/,
  error: 'must be an address that begins with http:// or https://',
});

const headerText = z.string().regex(/^[\x20-\x7e]{1,300}$/, 'must be up to 300 printable ASCII characters');

/** The settings of the catalogue service, as the environment gives them. Read in main.ts alone. */
export const CATALOGUE_CONFIG = z.object({
  CATALOGUE_PORT: portNumber().prefault('3000').describe('Port to listen on; 0 means any free one.'),
  CATALOGUE_SOURCE: z
    .enum(['sample', 'narou', 'local'], 'must be sample, narou or local')
    .default('sample')
    .describe(
      'Where novels come from: an invented catalogue, the live upstream, or a folder on this machine (CATALOGUE_DIR).',
    ),
  CATALOGUE_DIR: existingFolder()
    .optional()
    .describe(
      'Folder of a local catalogue, read when CATALOGUE_SOURCE is local. Must exist; may be empty as yet.',
    ),
  CATALOGUE_FALLBACK: z
    .enum(['none', 'narou'], 'must be none or narou')
    .default('none')
    .describe(
      'What a local catalogue does not hold (users, above all): none answers 501 not_available_here, narou asks the upstream.',
    ),
  NAROU_BASE_URL: httpAddress
    .default('https://api.syosetu.com')
    .describe('Base address of the upstream; read when CATALOGUE_SOURCE or CATALOGUE_FALLBACK is narou.'),
  NAROU_CONTACT: headerText
    .optional()
    .describe('Who runs this service (an address or a page): told to the upstream in the User-Agent.'),
  NAROU_USER_AGENT: headerText
    .optional()
    .describe(
      'The whole User-Agent for the upstream, in place of the one made of name, version and contact.',
    ),
  UPSTREAM_CONNECT_TIMEOUT_MS: milliseconds().prefault('3000').describe('For a connection to the upstream.'),
  UPSTREAM_HEADERS_TIMEOUT_MS: milliseconds()
    .prefault('8000')
    .describe('From the request sent to the upstream to the head of its answer.'),
  UPSTREAM_BODY_TIMEOUT_MS: milliseconds()
    .prefault('5000')
    .describe('Between two pieces of an answer of the upstream.'),
  UPSTREAM_TIMEOUT_MS: milliseconds()
    .prefault('10000')
    .describe('For one request to the upstream in all, the wait for a connection included.'),
  UPSTREAM_MAX_BODY_BYTES: wholeNumber(1_000, 1_000_000_000)
    .prefault('4500000')
    .describe('Largest answer of the upstream that is taken, as sent and again unpacked.'),
  UPSTREAM_CONNECTIONS: wholeNumber(1, 256)
    .prefault('8')
    .describe('Connections to the upstream, each with one request at a time.'),
  UPSTREAM_MAX_WAITING: wholeNumber(0, 100_000)
    .prefault('1000')
    .describe('Requests that may wait for a connection; more are answered with 503 overloaded.'),
  UPSTREAM_DAILY_REQUESTS: wholeNumber(0, 1_000_000_000)
    .optional()
    .describe(
      'Requests to the upstream in 24 hours; 0 means no limit. Not set: 80000, the rule of api.syosetu.com; none for another NAROU_BASE_URL.',
    ),
  UPSTREAM_DAILY_BYTES: wholeNumber(0, 1_000_000_000_000)
    .optional()
    .describe(
      'Bytes received from the upstream in 24 hours; 0 means no limit. Not set: 400000000, or none, as above.',
    ),
  UPSTREAM_CLIENT_SHARE_PERCENT: wholeNumber(1, 100)
    .prefault('20')
    .describe(
      'Part of the daily requests and bytes that one client may use, in per cent; beyond it only kept answers, 429. 100: clients are not told apart.',
    ),
  OUTGOING_ADDRESS: z
    .string()
    .regex(/^[\w.:-]{1,64}$/, 'must be 1 to 64 letters, digits or ._:-')
    .default('default')
    .describe(
      'A name for the address that requests to the upstream come from: replicas that share it share the daily budget.',
    ),
  ...SERVICE_SETTINGS.shape,
});

export type CatalogueConfig = Readonly<z.output<typeof CATALOGUE_CONFIG>>;

/** Who we are to the upstream, which refuses clients that do not say. */
export function userAgentOf(config: Pick<CatalogueConfig, 'NAROU_CONTACT' | 'NAROU_USER_AGENT'>): string {
  const contact = config.NAROU_CONTACT ?? 'not configured';
  return config.NAROU_USER_AGENT ?? `mokuroku/${VERSION} (novel catalogue query API; contact: ${contact})`;
}
