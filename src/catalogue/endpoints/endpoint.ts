import { z } from 'zod';
import { ServiceError } from '../../errors.ts';
import type { ErrorCode } from '../../errors.ts';
import type { CachePolicy, Question } from '../../cache/cache-entry.ts';
import type { ResponseCache } from '../../cache/response-cache.ts';
import type { Endpoint, EndpointQuestion, EndpointRequest, TextAnswer } from '../../http/endpoint.ts';
import type { RateLimiter } from '../../limits/rate-limiter.ts';
import type { Clock } from '../../process/clock.ts';
import type { CatalogueSource } from '../source/catalogue-source.ts';
import { metaSchema } from './catalogue-answer.ts';
import type { MetaSource } from './catalogue-answer.ts';
import { readParameters } from '../novels/parameter.ts';
import type { ParameterFault, ParameterTable, ParameterValues } from '../novels/parameter.ts';
import { chooseForm, formOf, formParameters, linesAnswer, publishedForms } from './forms.ts';
import type { FormName, Forms } from './forms.ts';
import { PARAMETER_FAULTS, publishedParameters } from './published-parameters.ts';
import type { Text } from '../../process/text.ts';
import { describeAnswer } from '../../http/openapi-schemas.ts';

/** Errors of every endpoint that queries the upstream or a local catalogue. */
export const UPSTREAM_ERRORS = [
  'upstream_invalid',
  'upstream_unavailable',
  'upstream_timeout',
  'upstream_share_spent',
  'upstream_budget_spent',
  'not_available_here',
  'catalogue_outdated',
] as const satisfies readonly ErrorCode[];

/** Dependencies of the endpoints. */
export interface EndpointServices {
  source: CatalogueSource;
  /** The cache of the responses that lines are composed of. */
  cache: ResponseCache;
  clock: Clock;
  /** Whether the data are invented. */
  isSample: () => boolean;
  /** Counts the later lines of a stream; undefined: no limit. */
  limiter: RateLimiter | undefined;
  /** The rate limiter's key of the client. */
  client: string;
  reportFailure: EndpointRequest['reportFailure'];
}

/** Properties that are the same for every request. */
export type SharedServices = Omit<EndpointServices, 'client' | 'reportFailure'>;

interface RequestValues<Path extends ParameterTable, Query extends ParameterTable> {
  path: Required<ParameterValues<Path>>;
  query: ParameterValues<Query>;
}

interface EndpointDefinition<Path extends ParameterTable, Query extends ParameterTable> {
  summary: Text;
  description: Text;
  group: 'Novels' | 'Rankings' | 'Users' | 'Adult novels' | 'Code tables';
  path: Path;
  query: Query;
  /** Whether a source has what the endpoint serves; else its responses are not_available_here. Default: all have. */
  isServedBy?: (source: CatalogueSource) => boolean;
  /** Parameters that are accepted but never have an effect, with the reason. */
  accepted?: { names: readonly string[]; reason: Text };
  source: MetaSource;
  /** The published form of `data`. */
  data: z.ZodType;
  /** Members of `meta` beside the common ones. */
  meta?: z.ZodRawShape;
  errors: readonly ErrorCode[];
  /** The published form of the details of an error. */
  details?: Partial<Record<ErrorCode, z.ZodType>>;
  /** Faults of several parameters together, or with the source or the date. */
  check?: (services: EndpointServices, values: RequestValues<Path, Query>) => ParameterFault[];
  question: (
    services: EndpointServices,
    values: RequestValues<Path, Query>,
    form: FormName,
  ) => Question & Pick<EndpointQuestion, 'next'>;
  /** Parameters and values that have no effect in a request, by name: `minlen`, `of=u-g`. */
  withoutEffect?: (
    services: EndpointServices,
    values: RequestValues<Path, Query>,
    form: FormName,
  ) => readonly string[];
  /** Forms of a list beside JSON. */
  forms?: Forms<EndpointServices, RequestValues<Path, Query>>;
}

/** A line of the route table. */
export interface CatalogueRoute {
  /** The operationId in OpenAPI. */
  name: string;
  path: string;
  cache: CachePolicy;
}

/** Creates an endpoint from its route and dependencies; the parameter types are erased. */
export type MakeEndpoint = (route: CatalogueRoute, shared: SharedServices) => Endpoint;

/** The 400 with all faults. The message has a single fault in full, several by name. */
function invalidParameters(faults: readonly ParameterFault[]): ServiceError {
  const [first] = faults;
  const message =
    faults.length === 1 && first
      ? `Invalid ${first.parameter}: ${first.reason}.`
      : `Invalid parameters: ${faults.map((fault) => fault.parameter).join(', ')}.`;
  return new ServiceError('invalid_parameter', { message, details: faults });
}

/** A feed chooses its own fields. */
const FIELD_PARAMETERS = ['of', 'opt'];
/** Parameters for feeds only. */
const FEED_PARAMETERS = ['feed'];
/** Lines have no metadata to count in. */
const META_PARAMETERS = ['facets'];

/** Parameters without effect on a form. */
const withoutEffectOn = (form: FormName, query: object): string[] =>
  [
    ...(form === 'atom' ? FIELD_PARAMETERS : FEED_PARAMETERS),
    ...(form === 'ndjson' ? META_PARAMETERS : []),
  ].filter((name) => name in query);

export function defineEndpoint<Path extends ParameterTable, Query extends ParameterTable>(
  definition: EndpointDefinition<Path, Query>,
): MakeEndpoint {
  const { summary, description, group, errors, check, forms = {} } = definition;
  const queryTable = { ...definition.query, ...formParameters(forms) };

  function parse(
    policy: CachePolicy,
    shared: SharedServices,
    request: EndpointRequest,
  ): EndpointQuestion | TextAnswer {
    const services = { ...shared, client: request.client, reportFailure: request.reportFailure };
    const segments = new Map(Object.entries(request.path).map(([name, text]) => [name, [text]]));
    const path = readParameters(definition.path, { values: segments, malformed: [] });
    const read = readParameters(queryTable, request.query);
    const { format, bom, ...query } = read.values as Record<string, unknown>;
    const values = { path: path.values, query } as RequestValues<Path, Query>;
    const faults = [...path.faults, ...read.faults];
    // Faults between parameters are checked as far as these are valid.
    if (check && path.faults.length === 0) faults.push(...check(services, values));
    if (faults.length > 0) throw invalidParameters(faults);
    const formName = chooseForm(forms, format, request.accept, services);
    const withoutEffect = definition.withoutEffect?.(services, values, formName) ?? [];
    const ignored = [...read.ignored, ...withoutEffectOn(formName, query), ...withoutEffect];
    if (formName === 'ndjson' && forms.ndjson) return linesAnswer(forms.ndjson(values, services), ignored);
    const form = formOf(formName, forms, { values, services, bom: bom === 1 });
    return { ...definition.question(services, values, formName), policy, ignored, form };
  }

  return ({ cache: policy, ...route }, shared) => ({
    ...route,
    group,
    summary,
    description,
    errors,
    isAvailable: definition.isServedBy?.(shared.source) ?? true,
    parameters: publishedParameters({ ...definition, query: queryTable }),
    otherForms: publishedForms(forms),
    answer: z
      .object({ data: definition.data, meta: metaSchema(definition.source, definition.meta ?? {}) })
      .meta({ ...describeAnswer(summary) }),
    details: { invalid_parameter: PARAMETER_FAULTS, ...definition.details },
    parse: (request) => parse(policy, shared, request),
  });
}
