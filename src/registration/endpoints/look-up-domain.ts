import { z } from 'zod';
import type { CachePolicy } from '../../cache/answer.ts';
import { ServiceError } from '../../errors.ts';
import type { ComposeBody, Endpoint, PublishedParameter } from '../../http/endpoint.ts';
import type { QueryString } from '../../http/query-string.ts';
import type { DomainLookUp } from '../look-up/domain-look-up.ts';
import type { Follow } from '../look-up/walk.ts';
import { Hops, InvalidDomainDetails, LookUpAnswer, NotRegisteredDetails } from './look-up-schema.ts';

/** A line of the route table. */
export interface RegistrationRoute {
  /** Also the operationId. */
  name: string;
  path: string;
  cache: CachePolicy;
}

/**
 * The answer itself, with `domain` as each request wrote it. The hops are no part of what the validator is made of:
 * their times differ whenever a name is looked up anew.
 */
export const composeLookUp: ComposeBody = (answer, { echo }) => {
  const { name, hops } = answer.meta;
  const members = `,"hops":${JSON.stringify(hops)},"domain":${JSON.stringify(echo ?? name)}}`;
  // In place of the closing brace of the data.
  return Buffer.concat([answer.data.subarray(0, -1), Buffer.from(members)]);
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

const PARAMETERS: readonly PublishedParameter[] = [
  {
    name: 'domain',
    in: 'path',
    required: true,
    description:
      'Any case, with or without trailing dot, in Unicode or punycode. A name below the registered one asks for that one; a top-level domain asks the root.',
    schema: { type: 'string' },
    example: 'www.example.com',
  },
  {
    name: 'follow',
    in: 'query',
    required: false,
    description: '`registrar`: ask the registrar too, and return its text when it has one of the name.',
    schema: { type: 'string', enum: ['registry', 'registrar'], default: 'registry' },
    example: 'registrar',
  },
];

const FollowDetails = z.array(
  z.object({
    parameter: z.string().meta({ description: 'Name of the parameter.', example: 'follow' }),
    given: z.string().meta({ description: 'As given, 100 characters at most.', example: 'both' }),
    allowed: z.array(z.string()).meta({ description: 'What would be right.', example: ['registry'] }),
  }),
);

const UnknownTldDetails = z.object({
  tld: z.string().meta({ description: 'The top-level domain asked for.', example: 'nowhere' }),
  hops: Hops,
});

/** GET /:domain */
export function lookUpDomain(route: RegistrationRoute, { readName, lookUp }: DomainLookUp): Endpoint {
  /** Half an answer is better than none, once. */
  const truncated: CachePolicy = { ...route.cache, freshSeconds: 0, keepSeconds: 0 };
  return {
    ...route,
    group: 'Registration',
    summary: 'Look a domain name up',
    description:
      'Asks the root server for the registry of the name, asks the registry, and reads its answer. Where a registry has no WHOIS, or it is dead or closed to us, RDAP is asked.',
    parameters: PARAMETERS,
    answer: LookUpAnswer,
    errors: REGISTRATION_ERRORS,
    details: {
      invalid_parameter: FollowDetails,
      invalid_domain: InvalidDomainDetails,
      unknown_tld: UnknownTldDetails,
      not_registered: NotRegisteredDetails,
    },
    ask: ({ path, query }) => {
      const follow = readFollow(query);
      const name = readName(path['domain'] ?? '');
      return {
        key: `${name.name} ${follow}`,
        ignored: [],
        ...(name.asked !== name.name && { echo: name.asked }),
        load: async () => {
          const { hops, ...data } = await lookUp(name, follow);
          return { data, meta: { name: name.name, hops }, ...(data.truncated && { policy: truncated }) };
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
