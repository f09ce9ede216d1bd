import { z } from 'zod';
import { addressRanges } from '../process/cidr.ts';
import { httpAddress, portNumber, wholeNumberSetting } from '../process/config.ts';
import { storeSettings } from '../store/connect-store.ts';

/** The address of a page, or `:3001`: that port of the reader's own host. */
const pageAddress = () =>
  z
    .string()
    .regex(/^(?:https?:\/\/[^\s"'<>?#]+|:\d{1,5})$/, 'must be an http(s) address without a query, or :port')
    .transform((address) => address.replace(/\/+$/, ''))
    .optional();

/** An e-mail address becomes `mailto:`. */
const contact = () =>
  z
    .string()
    .regex(
      /^(?:[^\s@"'<>:]+@[^\s@"'<>]+|https:\/\/[^\s"'<>]+)$/,
      'must be an e-mail address or an address that begins with https://',
    )
    .transform((text) => (text.startsWith('https:') ? text : `mailto:${text}`))
    .optional();

/** Settings of both services. */
export const SERVICE_SETTINGS = z.object({
  HOST: z.string().default('127.0.0.1').describe('Address to listen on.'),
  CACHE_MAX_BYTES: wholeNumberSetting(1_000_000, 100_000_000_000)
    .prefault('80000000')
    .describe('Memory for cached responses. CSV and Atom have another 16 MB.'),
  TRUSTED_PROXIES: addressRanges().prefault('').describe('Proxies whose X-Forwarded-For is trusted.'),
  RATE_LIMIT: wholeNumberSetting(0, 1_000_000_000)
    .prefault('60')
    .describe('Requests per minute of each client; 0 means no limit.'),
  CATALOGUE_PAGE: pageAddress().describe(
    "Public address of the catalogue's page, for links between the pages and shared links. On the sample, `mokuroku serve` sets it.",
  ),
  REGISTRATION_PAGE: pageAddress().describe("The same for the registration service's page."),
  OPERATOR_NAME: z
    .string()
    .regex(/^[^\p{Cc}]{1,200}$/u, 'must be up to 200 characters without control characters')
    .optional()
    .describe('Name of the operator, for the pages and OpenAPI.'),
  OPERATOR_CONTACT: contact().describe(
    'Contact of the operator, for the pages, OpenAPI, /.well-known/security.txt and the User-Agent for RDAP servers.',
  ),
  OPERATOR_TERMS_URL: httpAddress().optional().describe('Terms of use, for the pages and OpenAPI.'),
  OPERATOR_PRIVACY_URL: httpAddress().optional().describe('Privacy notice, for the pages.'),
  ...storeSettings,
  LOG_LEVEL: z
    .enum(
      ['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'],
      'must be silent, fatal, error, warn, info, debug or trace',
    )
    .default('info')
    .describe('Lowest level to log.'),
  LOG_FORMAT: z
    .enum(['auto', 'json', 'text'], 'must be auto, json or text')
    .default('auto')
    .describe('Form of the log; auto: text on a terminal, JSON lines elsewhere.'),
});

/** Settings of the process itself. */
export const PROCESS_CONFIG = z.object({
  METRICS_PORT: portNumber()
    .optional()
    .describe('Port for Prometheus, at /metrics; 0 means any free one. Not set: no metrics.'),
  METRICS_HOST: z.string().default('127.0.0.1').describe('Address to listen on for metrics.'),
  SERVE_ONLY: z
    .enum(['catalogue', 'registration'], 'must be catalogue or registration')
    .optional()
    .describe('The service to run. Not set: both.'),
});

export type ProcessConfig = Readonly<z.output<typeof PROCESS_CONFIG>>;
export type ServiceSettings = Readonly<z.output<typeof SERVICE_SETTINGS>>;
