import { z } from 'zod';
import { ServiceError, asServiceError, toErrorBody } from '../../errors.ts';
import { asTheyCome } from '../../http/as-they-come.ts';
import type { Endpoint, PublishedParameter } from '../../http/endpoint.ts';
import type { Follow } from '../look-up/walk.ts';
import { findRegistration, ignoredOf, oneValue } from './kept-look-up.ts';
import type { RegistrationServices } from './kept-look-up.ts';
import { FOLLOW_PARAMETER, readFollow } from './look-up-domain.ts';
import { REGISTRATION_ERROR_DETAILS } from './look-up-schema.ts';

const MAX_NAMES = 100;
/** Enough for registries that are not asked by others to be busy; more would only wait at the gate of one of them. */
const AT_ONCE = 8;

const ALLOWED = `a list of 1 to ${MAX_NAMES} names, separated by commas`;

const PARAMETERS: readonly PublishedParameter[] = [
  {
    name: 'names',
    in: 'query',
    required: true,
    description: `Up to ${MAX_NAMES} names.`,
    schema: { type: 'array', items: { type: 'string' }, minItems: 1, maxItems: MAX_NAMES },
    example: 'example.com,example.jp,free-name.org',
  },
  FOLLOW_PARAMETER,
];

/** GET /-/look-ups?names=a,b,c */
export function lookUpMany(services: RegistrationServices): Endpoint {
  /** The first name is counted with the request itself. */
  async function count(client: string, index: number): Promise<void> {
    const decision = index === 0 ? undefined : await services.limiter?.take(client);
    if (decision === undefined || decision.allowed) return;
    throw new ServiceError('rate_limited', { retryAfterSeconds: decision.resetSeconds });
  }

  async function lineOf(domain: string, index: number, client: string, follow: Follow): Promise<string> {
    try {
      await count(client, index);
      const { data, result } = await findRegistration(
        services,
        services.domainLookUp.readName(domain),
        follow,
      );
      const { hops } = result.answer.meta;
      return `${JSON.stringify({ ...data, hops, domain })}\n`;
    } catch (error) {
      const known = asServiceError(error);
      const { status, retryAfterSeconds } = known;
      return `${JSON.stringify({ domain, status, ...toErrorBody(known), retryAfterSeconds })}\n`;
    }
  }

  return {
    name: 'lookUpMany',
    path: '/-/look-ups',
    group: 'Registration',
    summary: 'Look many names up',
    description: `A line of JSON for each name, as the answers come: what \`/{domain}\` answers, or \`domain\` with its \`error\`, the \`status\` that goes with it, and \`retryAfterSeconds\` where that is known. Each name counts as one request; names over the limit get \`rate_limited\`.`,
    parameters: PARAMETERS,
    mediaType: 'application/x-ndjson',
    answer: z.string().meta({ description: 'Lines of JSON, in the order in which they are found.' }),
    errors: ['invalid_parameter'],
    details: REGISTRATION_ERROR_DETAILS,
    ask: ({ query, client }) => {
      const names = readNames(oneValue(query, 'names', ALLOWED));
      const follow = readFollow(query);
      const body = asTheyCome(names, AT_ONCE, (name, index) => lineOf(name, index, client, follow));
      return {
        body,
        contentType: 'application/x-ndjson; charset=utf-8',
        cacheControl: 'no-store',
        ignored: ignoredOf(query, ['names', 'follow']),
      };
    },
  };
}

function readNames(list: string): string[] {
  const names = list.split(',').map((name) => name.trim());
  if (names.length <= MAX_NAMES && !names.includes('')) return names;
  throw new ServiceError('invalid_parameter', {
    message: `The parameter names is ${ALLOWED}.`,
    details: [{ parameter: 'names', given: list.slice(0, 100), allowed: ALLOWED }],
  });
}
