import { z } from 'zod';
import { asServiceError, toErrorBody, text } from '@mokuroku/kit';
import { defineEndpoint } from '@mokuroku/kit/http';
import type { Endpoint, EndpointRequest } from '@mokuroku/kit/http';
import { lookUpAll, nameOrSpelling } from 'mokuroku-whois/service';
import type { Follow } from 'mokuroku-whois/service';
import { LOOK_UPS, countName, findRegistration } from './look-up-domain.ts';
import type { RegistrationServices } from './look-up-domain.ts';
import { REGISTRATION_ERROR_DETAILS } from './look-up-error-schema.ts';
import { FOLLOW, NAMES } from './parameters.ts';
import type { RegistrationMethods } from './parameters.ts';

async function* linesOf(
  services: RegistrationServices,
  names: readonly string[],
  { client, reportFailure }: EndpointRequest,
  follow: Follow | undefined,
) {
  const { readName } = services.domainLookUp;
  const zoneOf = (spelling: string) => nameOrSpelling(readName, spelling).zone;
  const outcomes = lookUpAll(names, { ...LOOK_UPS, zoneOf }, async (name, index, isAgain) => {
    try {
      if (!isAgain) await countName(services, client, index);
      const { data, result } = await findRegistration(services, { name: readName(name), client, follow });
      return { name, data: { ...data, hops: result.entry.meta['hops'] } };
    } catch (error) {
      return { name, error: asServiceError(error) };
    }
  });
  for await (const { name: domain, data, error } of outcomes) {
    if (error !== undefined) reportFailure(error);
    const failed = error && { status: error.status, ...toErrorBody(error) };
    yield `${JSON.stringify({ domain, ...data, ...failed, retryAfterSeconds: error?.retryAfterSeconds })}\n`;
  }
}

/** GET /-/look-ups?names=a,b,c */
export function lookUpMany(services: RegistrationServices): Endpoint {
  return defineEndpoint({
    name: 'lookUpMany',
    path: '/-/look-ups',
    group: 'Registration',
    summary: text('Look many names up', '複数の名前を検索する'),
    description: text(
      'A line of JSON per name, as soon as it is ready: the response of `/{domain}`, or `domain` with `error`, `status`, and `retryAfterSeconds` if known. Each name counts as one request; names beyond the limit get `rate_limited`.',
      '名前ごとに 1 行の JSON を、結果が出た順に返します。`/{domain}` と同じレスポンスか、`domain` とその `error`、`status`（分かれば `retryAfterSeconds` も）です。名前 1 つを 1 リクエストと数え、超えた分は `rate_limited` になります。',
    ),
    client: { method: 'lookUpMany', first: 'names' } satisfies RegistrationMethods,
    command: ['whois', 'names'],
    tool: { omit: ['raw', 'hops'] },
    // prettier-ignore
    examples: [
      { name: 'manyNames', query: { names: 'example.com,example.jp,free-name.org' },
        title: text('Look many names up in one request', '多くの名前を 1 回で調べる') },
    ],
    queryTable: { names: NAMES(), follow: FOLLOW },
    mediaType: 'application/x-ndjson',
    answer: z
      .string()
      .meta({ en: 'Lines of JSON, in the order in which they are ready.', ja: 'JSON の行。用意できた順。' }),
    errors: ['invalid_parameter'],
    details: REGISTRATION_ERROR_DETAILS,
    handle: ({ query: { names = [], follow } }, request) => ({
      body: () => linesOf(services, names, request, follow),
      cacheControl: 'no-store',
    }),
  });
}
