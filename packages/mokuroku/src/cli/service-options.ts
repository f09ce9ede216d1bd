import { createCatalogueClient, createRegistrationClient } from 'mokuroku-client/source';
import type { CallOptions, CatalogueClient, ClientOptions, RegistrationClient } from 'mokuroku-client/source';
import { DEFAULT_CATALOGUE_URL, DEFAULT_REGISTRATION_URL } from 'mokuroku-client/parts';
import { readAddress, withoutPasswords } from '@mokuroku/kit/requests';
import { UsageError, flag, option } from './command.ts';
import { EXIT } from './exit-codes.ts';
import type { ExitCode } from './exit-codes.ts';
import { FORMAT_OPTIONS } from './output.ts';
import type { Terminal } from './terminal.ts';
import { LABELS } from './labels.ts';

/** The address of a service as given; `localhost:3000` means `http://localhost:3000`. */
export function readServiceAddress(given: string): string {
  const trimmed = given.trim();
  const url = trimmed.includes('://') ? trimmed : `http://${trimmed}`;
  try {
    readAddress(url);
    return url;
  } catch {
    const shown = withoutPasswords(given);
    throw new UsageError(
      `${shown} is not the address of a service, such as http://127.0.0.1:3000`,
      `${shown} はサービスのアドレスではありません。例: http://127.0.0.1:3000`,
    );
  }
}

const SERVICES = {
  catalogue: { setting: 'MOKUROKU_CATALOGUE_URL', address: DEFAULT_CATALOGUE_URL },
  registration: { setting: 'MOKUROKU_REGISTRATION_URL', address: DEFAULT_REGISTRATION_URL },
} as const;

type ServiceChoice = keyof typeof SERVICES;

const serviceOptions = (service: ServiceChoice) =>
  ({
    ...FORMAT_OPTIONS,
    wait: flag(
      'When the service throttles, wait (two minutes at most) instead of failing.',
      'サービスのレート制限時に、エラーにせず待ちます（最長 2 分）。',
      LABELS.service,
    ),
    'base-url': option(
      'url',
      `Another service (default: ${SERVICES[service].setting}, or ${SERVICES[service].address}).`,
      `別のサービス（既定: ${SERVICES[service].setting}、なければ ${SERVICES[service].address}）。`,
      LABELS.service,
    ),
  }) as const;

/** Options of every command that queries the catalogue. */
export const CATALOGUE_OPTIONS = serviceOptions('catalogue');
export const REGISTRATION_OPTIONS = serviceOptions('registration');

interface ServiceArgs {
  'base-url'?: string | undefined;
  wait?: boolean | undefined;
}

/** The address of a service as set in the environment; undefined if it is empty. */
export const addressSetting = (service: ServiceChoice, { environment }: Terminal): string | undefined =>
  environment[SERVICES[service].setting]?.trim() || undefined;

const baseUrlOf = (service: ServiceChoice, args: ServiceArgs, terminal: Terminal): string =>
  readServiceAddress(args['base-url'] ?? addressSetting(service, terminal) ?? SERVICES[service].address);

const clientOptions = (service: ServiceChoice, args: ServiceArgs, terminal: Terminal): ClientOptions => ({
  baseUrl: baseUrlOf(service, args, terminal),
  waitWhenLimited: args.wait ?? false,
});

/** The client of the catalogue, and the options of its calls: Ctrl-C aborts them. */
export function openCatalogue(
  args: ServiceArgs,
  terminal: Terminal,
): { client: CatalogueClient; call: CallOptions } {
  const client = createCatalogueClient(clientOptions('catalogue', args, terminal));
  return { client, call: { signal: terminal.interrupted } };
}

/** `onWait` is called with the seconds of each wait. */
export function registrationClient(
  args: ServiceArgs,
  terminal: Terminal,
  onWait: (seconds: number) => void,
): RegistrationClient {
  return createRegistrationClient({
    ...clientOptions('registration', args, terminal),
    pause: (ms) => {
      onWait(Math.ceil(ms / 1000));
      return terminal.pause(ms);
    },
  });
}

/** Opens a view of the service's page, by its query parameters. */
export function openView(
  service: ServiceChoice,
  args: ServiceArgs,
  view: Readonly<Record<string, string | true | undefined>>,
  terminal: Terminal,
): ExitCode {
  // Printed, so without a password: the browser asks for it.
  const { base } = readAddress(baseUrlOf(service, args, terminal));
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(view)) {
    if (value !== undefined) query.set(name, value === true ? '1' : value);
  }
  const url = `${base}/${query.size > 0 ? `?${query.toString()}` : ''}`;
  terminal.out(`${url}\n`);
  terminal.openInBrowser(url);
  return EXIT.done;
}
