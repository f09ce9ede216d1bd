import { z } from 'zod';
import { errorResponses } from '../../http/error-responses.ts';
import { ServiceError } from '../../errors.ts';
import type { QueryString } from '../../http/query-string.ts';
import type { Route } from '../../http/route.ts';
import type { BodyShape, CachePolicy } from '../../cache/stored-answer.ts';
import type { DomainLookUp } from '../look-up/domain-look-up.ts';
import type { Follow } from '../look-up/walk.ts';
import { InvalidDomainDetails, LookUpAnswer, NotRegisteredDetails } from './look-up-schema.ts';

/** A registration is believed for an hour, its absence for five minutes; a day old it still serves when all fails. */
const POLICY: CachePolicy = {
  freshSeconds: 3_600,
  staleWhileRevalidateSeconds: 0,
  keepSeconds: 86_400,
  absentSeconds: 300,
};
/** Half an answer is better than none, once. */
const TRUNCATED: CachePolicy = { ...POLICY, freshSeconds: 0, keepSeconds: 0 };

/**
 * The answer itself, with `domain` as each request wrote it. The hops are no part of what the validator is made of:
 * their times differ whenever a name is looked up anew.
 */
export const LOOK_UP_SHAPE: BodyShape = {
  before: '',
  leavesDataOpen: true,
  after: (meta, how) =>
    `,"hops":${JSON.stringify(meta['hops'])},"domain":${JSON.stringify(how.echo ?? meta['name'])}}`,
};

export const REGISTRATION_ERRORS = [
  'invalid_parameter',
  'invalid_domain',
  'unknown_tld',
  'not_registered',
  'no_registry_service',
  'registry_rate_limited',
  'registry_unavailable',
  'registry_timeout',
] as const;

/** GET /:domain */
export function lookUpDomain({ readName, lookUp }: DomainLookUp): Route {
  return {
    url: '/:domain',
    schema: {
      summary: 'Look a domain name up',
      description:
        'Asks the root server for the registry of the name, asks the registry, and reads its answer. Where a registry has no WHOIS, or it is dead or closed to us, RDAP is asked.',
      tags: ['Registration'],
      params: z.object({
        domain: z.string().meta({
          description:
            'Any case, with or without trailing dot, in Unicode or punycode. A name below the registered one asks for that one; a top-level domain asks the root.',
          example: 'www.example.com',
        }),
      }),
      querystring: z.object({
        follow: z.enum(['registry', 'registrar']).default('registry').meta({
          description: '`registrar`: ask the registrar too, and return its text when it has one of the name.',
          example: 'registrar',
        }),
      }),
      response: {
        200: LookUpAnswer,
        ...errorResponses(REGISTRATION_ERRORS, {
          invalid_domain: InvalidDomainDetails,
          not_registered: NotRegisteredDetails,
        }),
      },
    },
    prepare: ({ params, query }) => {
      const follow = readFollow(query);
      const name = readName(params['domain'] ?? '');
      return {
        key: `${name.name} ${follow}`,
        policy: POLICY,
        ignored: [],
        ...(name.asked !== name.name && { echo: name.asked }),
        load: async () => {
          const { hops, ...data } = await lookUp(name, follow);
          return { data, meta: { name: name.name, hops }, ...(data.truncated && { policy: TRUNCATED }) };
        },
      };
    },
  };
}

function readFollow({ values }: QueryString): Follow {
  const given = values.get('follow') ?? ['registry'];
  const [follow] = given;
  if (given.length === 1 && (follow === 'registry' || follow === 'registrar')) return follow;
  throw new ServiceError('invalid_parameter', {
    message: 'The parameter follow is "registry" or "registrar", once.',
    details: [
      { parameter: 'follow', given: given.join(', ').slice(0, 100), allowed: ['registry', 'registrar'] },
    ],
  });
}
