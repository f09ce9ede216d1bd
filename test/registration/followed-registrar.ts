import { systemClock } from '../../src/process/clock.ts';
import { silentLogger } from '../../src/process/logger.ts';
import type { QueryServer, ServerAnswer } from '../../src/registration/look-up/query-server.ts';
import { LookUpContext } from '../../src/registration/look-up/hops.ts';
import { rdapRecord, withRegistrar } from '../../src/registration/look-up/registrar.ts';
import { conclude } from '../../src/registration/look-up/result.ts';
import type { RegistryService } from '../../src/registration/look-up/services.ts';
import { ServerFault } from '../../src/registration/net/server-fault.ts';
import { parseWhoisText } from '../../src/registration/whois/parsers/parse-whois-text.ts';
import { record } from './loopback-world.ts';

export const NAME = 'example.test';

/** A server's text for the name: a complete record, or the given one. */
export function answerFrom(
  protocol: 'whois' | 'rdap',
  server: string,
  registrar: string | null,
  raw = record(NAME, [`Note: from ${server}`]),
): ServerAnswer {
  const reading = parseWhoisText(raw, { server, domain: NAME });
  const service: RegistryService =
    protocol === 'rdap'
      ? { protocol, source: 'bootstrap', base: `https://${server}/` }
      : { protocol, source: 'root', endpoint: { host: server, port: 43 } };
  return { protocol, service, isOwn: true, server, raw, reading, registrar, isTruncated: false };
}

/** Follows to the registrar with these servers only; others are unreachable. Returns the queried servers. */
export async function followRegistrar(
  registry: ServerAnswer,
  services: RegistryService[],
  servers: Record<string, ServerAnswer>,
) {
  const requests: string[] = [];
  const shares: number[] = [];
  const send: QueryServer = (given, role, service, _name, deadline) => {
    shares.push(
      Math.round(
        ((deadline - systemClock.monotonic()) / (given.shareOfTime(1) - systemClock.monotonic())) * 10,
      ) / 10,
    );
    const server =
      service.protocol === 'whois'
        ? service.endpoint.host
        : new URL(service.source === 'registry' ? service.url : service.base).hostname;
    requests.push(`${role} ${server}`);
    const result = servers[server];
    return result ? Promise.resolve(result) : Promise.reject(new ServerFault('unreachable'));
  };
  const context = new LookUpContext({
    clock: systemClock,
    log: silentLogger(),
    name: NAME,
    timeoutMs: 60_000,
    observeHop: () => undefined,
  });
  const name = { spelling: NAME, name: NAME, tld: 'test', zone: 'test' };
  const result = conclude(name, registry, []);
  const rdap = rdapRecord(send, { services, isRdapKnown: true }, NAME, context);
  return { result: await withRegistrar(send, result, registry, rdap, NAME, context), requests, shares };
}
