import { createCatalogueClient, createRegistrationClient } from '../client/index.ts';
import type { CatalogueClient, ClientOptions, RegistrationClient } from '../client/index.ts';
import { UsageError } from './command.ts';
import type { Terminal } from './terminal.ts';

const WAIT = {
  type: 'boolean',
  description: 'When the service asks to slow down, wait (two minutes at most) instead of giving up.',
} as const;

const baseUrl = (service: string, address: string, setting: string) => ({
  type: 'string' as const,
  description: `Another ${service} service (default: ${setting}, or ${address}).`,
  valueHint: 'url',
});

/** How an answer is written; a table where neither is given. */
export const FORMAT_OPTIONS = {
  json: { type: 'boolean', description: 'Write the answer as JSON.' },
  csv: { type: 'boolean', description: 'Write CSV (RFC 4180, UTF-8).' },
} as const;

/** Options of every command that asks the catalogue. */
export const CATALOGUE_OPTIONS = {
  ...FORMAT_OPTIONS,
  wait: WAIT,
  'base-url': baseUrl('catalogue', 'http://127.0.0.1:3000', 'MOKUROKU_CATALOGUE_URL'),
} as const;

export const REGISTRATION_OPTIONS = {
  ...FORMAT_OPTIONS,
  wait: WAIT,
  'base-url': baseUrl('registration', 'http://127.0.0.1:3001', 'MOKUROKU_REGISTRATION_URL'),
} as const;

export interface ServiceArgs {
  'base-url'?: string | undefined;
  wait?: boolean | undefined;
}

/** `localhost:3000` means http there. */
function clientOptions(
  args: ServiceArgs,
  environment: Terminal['environment'],
  setting: string,
): ClientOptions {
  const given = args['base-url'] ?? (environment[setting] || undefined);
  const url = given === undefined || /^https?:\/\//i.test(given) ? given : `http://${given}`;
  if (url !== undefined && !URL.canParse(url))
    throw new UsageError(`${given ?? ''} is no address of a service, such as http://127.0.0.1:3000`);
  return { baseUrl: url, waitWhenLimited: args.wait ?? false };
}

export function catalogueClient(args: ServiceArgs, { environment }: Terminal): CatalogueClient {
  return createCatalogueClient(clientOptions(args, environment, 'MOKUROKU_CATALOGUE_URL'));
}

export function registrationClient(args: ServiceArgs, { environment }: Terminal): RegistrationClient {
  return createRegistrationClient(clientOptions(args, environment, 'MOKUROKU_REGISTRATION_URL'));
}
