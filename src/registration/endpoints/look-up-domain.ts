import { ServiceError } from '../../errors.ts';
import type { Endpoint, Envelope, PublishedParameter } from '../../http/endpoint.ts';
import type { QueryString } from '../../http/query-string.ts';
import type { Follow } from '../look-up/walk.ts';
import { REGISTRATION, ignoredOf, invalidParameter, lookUpQuestion } from './cached-look-up.ts';
import type { RegistrationServices } from './cached-look-up.ts';
import { LookUpAnswer, REGISTRATION_ERRORS, REGISTRATION_ERROR_DETAILS } from './look-up-schema.ts';

/**
 * The body: the data, and members that do not affect the validator: `hops`, whose times differ with each look-up,
 * `domain` as the request wrote it, and parameters without effect.
 */
export const REGISTRATION_ENVELOPE: Envelope = ({ data, meta: { name, hops } }, { echo, ignored }) => {
  const first = name === undefined ? '{' : `{"domain":${JSON.stringify(echo ?? name)},`;
  const members = {
    ...(hops !== undefined && { hops }),
    ...(ignored.length > 0 && { ignored }),
  };
  const more = JSON.stringify(members);
  // The data without their braces, between other members.
  return [Buffer.from(first), data.subarray(1, -1), Buffer.from(more === '{}' ? '}' : `,${more.slice(1)}`)];
};

export const DOMAIN_PARAMETER: PublishedParameter = {
  name: 'domain',
  in: 'path',
  required: true,
  description:
    'Any case, with or without trailing dot, in Unicode or punycode. A name below the registered one looks up that one; a top-level domain queries the root.',
  schema: { type: 'string' },
  example: 'www.example.com',
};

export const FOLLOW_PARAMETER: PublishedParameter = {
  name: 'follow',
  in: 'query',
  required: false,
  description: '`registrar`: query the registrar too, and return its text if it has the name.',
  schema: { type: 'string', enum: ['registry', 'registrar'], default: 'registry' },
  example: 'registrar',
};

/** Browsers request this path of every host; it must not cause a query to a registry. */
const FILE_OF_WEBSITES = 'favicon.ico';

/** GET /:domain */
export function lookUpDomain({ domainLookUp }: RegistrationServices): Endpoint {
  return {
    name: 'lookUpDomain',
    path: '/:domain',
    group: 'Registration',
    summary: 'Look a domain name up',
    description:
      'Queries the root server for the registry of the name, then the registry, and parses its answer. Where a registry has no WHOIS, or it is unavailable or refuses, RDAP is used.',
    parameters: [DOMAIN_PARAMETER, FOLLOW_PARAMETER],
    answer: LookUpAnswer,
    errors: REGISTRATION_ERRORS,
    details: REGISTRATION_ERROR_DETAILS,
    parse: ({ path, query, client }) => {
      const spelling = path['domain'] ?? '';
      if (spelling === FILE_OF_WEBSITES) {
        throw new ServiceError('not_found', { message: `There is no ${spelling} here.` });
      }
      const follow = readFollow(query);
      const name = domainLookUp.readName(spelling);
      return {
        ...lookUpQuestion(domainLookUp, { name, client, follow }),
        policy: REGISTRATION,
        ignored: ignoredOf(query, ['follow']),
        ...(name.spelling !== name.name && { echo: name.spelling }),
      };
    },
  };
}

/** Throws ServiceError `invalid_parameter`. */
export function readFollow({ values }: QueryString): Follow {
  const given = values.get('follow') ?? ['registry'];
  const [follow] = given;
  if (given.length === 1 && (follow === 'registry' || follow === 'registrar')) return follow;
  const rule = '"registry" or "registrar", given once';
  throw invalidParameter('follow', rule, given.join(', '), ['registry', 'registrar']);
}
