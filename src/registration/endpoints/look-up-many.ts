import { z } from 'zod';
import { asServiceError, toErrorBody } from '../../errors.ts';
import { asTheyCome } from '../../http/as-they-come.ts';
import type { Endpoint, PublishedParameter } from '../../http/endpoint.ts';
import type { Follow } from '../look-up/walk.ts';
import { findRegistration, ignoredOf } from './kept-look-up.ts';
import type { RegistrationServices } from './kept-look-up.ts';
import { FOLLOW_PARAMETER, readFollow } from './look-up-domain.ts';
import { REGISTRATION_ERROR_DETAILS } from './look-up-schema.ts';
import { AT_ONCE, NAMES_PARAMETER, countName, readNames } from './names-parameter.ts';

const PARAMETERS: readonly PublishedParameter[] = [NAMES_PARAMETER, FOLLOW_PARAMETER];

/** GET /-/look-ups?names=a,b,c */
export function lookUpMany(services: RegistrationServices): Endpoint {
  async function lineOf(domain: string, index: number, client: string, follow: Follow): Promise<string> {
    try {
      await countName(services, client, index);
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
      const names = readNames(query);
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
