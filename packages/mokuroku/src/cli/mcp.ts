import { unreachable } from 'mokuroku-client/parts';
import { UsageError, defineCommand, flag, option } from './command.ts';
import { EXIT } from './exit-codes.ts';
import { addressSetting, readServiceAddress } from './service-options.ts';
import type { Terminal } from './terminal.ts';

const INSTRUCTIONS =
  'Read-only data. Novel tools cover the Japanese web-novel site 小説家になろう: an Ncode such as N8403VF names a novel, ' +
  'dates and times are Japan time, `end` is 0 for complete and 1 for ongoing. Domain tools query registries over WHOIS ' +
  'and RDAP. Results marked "sample": true are invented. Request few rows and fields first, then page.';

/** A running service; an error says whether it is unreachable, or no service of mokuroku. */
async function openRunning(address: string, options: { isComplete: boolean }) {
  const { NoReply, openHttpService } = await import('@mokuroku/kit/mcp');
  try {
    return await openHttpService(address, options);
  } catch (cause) {
    const { message } = cause as Error;
    if (!(cause instanceof NoReply)) throw new UsageError(message, message);
    throw unreachable(new URL(address).origin, cause);
  }
}

/** Running services. No agent could call one of two tools with the same name. */
async function openServices(addresses: readonly string[], options: { isComplete: boolean }) {
  const services = await Promise.all(addresses.map((address) => openRunning(address, options)));
  const names = services.flatMap(({ name, tools, codeTables }) => [
    ...tools.map((tool) => tool.name),
    ...codeTables.map(({ path }) => `${name}${path}`),
  ]);
  if (new Set(names).size === names.length) return services;
  throw new UsageError(
    'Two of the services have tools of the same name. Name each service once.',
    '同じ名前のツールを持つサービスが二つあります。サービスは一度ずつ指定してください。',
  );
}

/** Starts both services in this process. */
async function startOwn(isDirect: boolean, terminal: Terminal) {
  const { startServices } = await import('./start-services.ts');
  const { running, close } = await startServices({
    ...terminal.environment,
    ...(isDirect && { CATALOGUE_SOURCE: 'narou', REGISTRATION_SOURCE: 'live' }),
    // Standard output belongs to the protocol, and nothing else uses these ports.
    LOG_LEVEL: 'silent',
    HOST: '127.0.0.1',
    RATE_LIMIT: '0',
    CATALOGUE_PORT: '0',
    REGISTRATION_PORT: '0',
    // Of a service that may run beside.
    METRICS_PORT: undefined,
  });
  return { addresses: running.map(({ address }) => address), close };
}

const addressesOf = (given: string | undefined, terminal: Terminal): string[] =>
  (
    given?.split(',') ??
    (['catalogue', 'registration'] as const).flatMap((service) => addressSetting(service, terminal) ?? [])
  ).map(readServiceAddress);

export const mcpCommand = defineCommand({
  args: {
    'base-url': option(
      'url',
      'Running services, separated by commas (default: MOKUROKU_CATALOGUE_URL and MOKUROKU_REGISTRATION_URL).',
      '稼働中のサービス。コンマで区切ります（既定: MOKUROKU_CATALOGUE_URL と MOKUROKU_REGISTRATION_URL）。',
    ),
    direct: flag(
      'Query the novel site and the registries from this process, without a running service.',
      'サービスを介さず、このプロセスから小説サイトとレジストリへ問い合わせます。',
      undefined,
      { excludes: ['base-url'] },
    ),
    adult: flag('Also offer the tools for adult novels.', '成人向け作品のツールも提供します。'),
  },
  examples: [
    'mokuroku mcp',
    'mokuroku mcp --base-url http://127.0.0.1:3000,http://127.0.0.1:3001',
    'mokuroku mcp --direct',
  ],
  run: async (args, terminal) => {
    const given = args.direct ? [] : addressesOf(args['base-url'], terminal);
    const own = given.length > 0 ? undefined : await startOwn(args.direct ?? false, terminal);
    try {
      const services = await openServices(own?.addresses ?? given, { isComplete: args.adult ?? false });
      const { serveOnStdio } = await import('@mokuroku/kit/mcp');
      await serveOnStdio(services, INSTRUCTIONS, terminal.interrupted);
    } finally {
      await own?.close();
    }
    return EXIT.done;
  },
});
