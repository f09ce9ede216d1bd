import { MokurokuError } from 'mokuroku-client/source';
import type { LookUp, LookUpCallOptions, NameOutcome } from 'mokuroku-client/source';
import { responseFacts } from 'mokuroku-client/parts';
import { REGISTRY_ERRORS } from '../registration/errors.ts';
import { readConfig } from '@mokuroku/kit/process';
import { REGISTRATION_CONFIG, lookUpSettings } from '../registration/config.ts';
import { createClientOf } from 'mokuroku-whois/service';
import { say } from './terminal.ts';
import type { Terminal } from './terminal.ts';

/** Without a service there are no headers. */
const directFacts = (status: number) => responseFacts('', new Response(null, { status }));

/**
 * Queries the registries from this process, through the interface of the service's client. The settings of the
 * service (`WHOIS_ROOT`, `HOST_MAP` ...) apply. Throws ConfigError if they are invalid.
 */
export async function* lookUpDirectly(
  names: readonly string[],
  { follow, signal }: LookUpCallOptions,
  terminal: Terminal,
): AsyncGenerator<NameOutcome, void, undefined> {
  const config = readConfig(REGISTRATION_CONFIG, { ...terminal.environment, REGISTRATION_SOURCE: 'live' });
  terminal.err(
    `${say(terminal, 'Querying the registries directly, without a service.', 'サービスを使わず、レジストリに直接問い合わせます。')}\n`,
  );
  const client = createClientOf(lookUpSettings(config));
  try {
    const call = { ...(follow && { follow }), ...(signal && { signal }) };
    for await (const { name, data, error } of client.lookUpMany(names, call)) {
      if (data) {
        yield {
          name,
          data: { ...data, hops: [...data.hops] } satisfies LookUp,
          response: directFacts(200),
        };
        continue;
      }
      const { code, message, details, retryAfterSeconds } = error;
      const response = directFacts(REGISTRY_ERRORS[code].status);
      const facts = { code, message, details, retryAfterSeconds, response, url: '', cause: error };
      yield { name, error: new MokurokuError(facts), response };
    }
  } finally {
    client.close();
  }
}
