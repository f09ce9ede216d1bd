import { z } from 'zod';
import type { Answer, CachePolicy, KeptAnswer, Question } from '../../cache/answer.ts';
import { ServiceError } from '../../errors.ts';
import type { ErrorCode } from '../../errors.ts';
import type { Endpoint, EndpointQuestion, EndpointRequest } from '../../http/endpoint.ts';
import type { Clock } from '../../process/clock.ts';
import type { CatalogueSource, SourceAsker } from '../catalogue-source.ts';
import { metaSchema } from '../envelope.ts';
import type { EndpointMeta, MetaSource } from '../envelope.ts';
import { readParameter, readParameters } from '../novels/parameter.ts';
import type { ParameterFault, ParameterTable, ParameterValues } from '../novels/parameter.ts';
import type { FieldSets } from './field-sets.ts';
import { PARAMETER_FAULTS, publishedParameters } from './published-parameters.ts';

/** What can come of every endpoint that asks the upstream, or a local catalogue in its place. */
export const UPSTREAM_ERRORS = [
  'upstream_invalid',
  'upstream_unavailable',
  'upstream_timeout',
  'upstream_share_spent',
  'upstream_budget_spent',
  'not_available_here',
] as const satisfies readonly ErrorCode[];

/** What endpoints work with. */
export interface EndpointServices {
  source: CatalogueSource;
  clock: Clock;
  fieldSets: FieldSets;
}

/** The data of an answer and what is said of them. */
export interface CatalogueAnswer extends Pick<Answer, 'madeOf' | 'isDerived'> {
  data: unknown;
  meta: EndpointMeta;
  /** True: it will hardly ever change (a past ranking); kept as long as the route says for those. */
  settled?: boolean;
}

/** How long the answers to a question are kept. */
export interface KeepingTimes {
  cache: CachePolicy;
  /** For answers that will not change any more: a ranking whose day is over. */
  settled?: CachePolicy;
}

/** What a request comes down to. */
export interface CatalogueQuestion {
  /** Equal questions have equal keys. */
  key: string;
  load: (asker: SourceAsker, others: OtherQuestions) => Promise<CatalogueAnswer>;
}

/** The answers to other questions, kept or asked for, on the same client's behalf. See OtherAnswers of the cache. */
export interface OtherQuestions {
  find: (key: string) => Promise<KeptAnswer | undefined>;
  get: (question: CatalogueQuestion, times: KeepingTimes) => Promise<KeptAnswer>;
}

/** An answer that says what another one says, by another name. */
export function sameAs(answer: KeptAnswer): CatalogueAnswer {
  return { data: answer.data, meta: answer.meta as EndpointMeta, madeOf: [answer], isDerived: true };
}

function toQuestion({ key, load }: CatalogueQuestion, { settled }: KeepingTimes, client: string): Question {
  return {
    key,
    load: async ({ signal, background, others }) => {
      let oldest = Infinity;
      const onFetchedAt = (fetchedAt: number) => {
        oldest = Math.min(oldest, fetchedAt * 1000);
      };
      const { settled: isSettled = false, ...answer } = await load(
        { client, background, signal, onFetchedAt },
        {
          find: (other) => others.find(other),
          get: (other, times) => others.get(toQuestion(other, times, client), times.cache),
        },
      );
      return { ...withAge(answer, oldest), ...(isSettled && settled && { policy: settled }) };
    },
  };
}

/** Says in `meta.asOf` when the oldest of the data were fetched, its own or those that it is made of. */
function withAge(answer: Answer, fetchedAt: number): Answer {
  const ofParts = (answer.madeOf ?? []).map(({ meta }) => Date.parse(String(meta['asOf'])) || Infinity);
  const asOf = Math.min(fetchedAt, ...ofParts);
  if (asOf === Infinity) return answer;
  return { ...answer, asOf, meta: { ...answer.meta, asOf: new Date(asOf).toISOString() } };
}

export interface RequestValues<Path extends ParameterTable, Query extends ParameterTable> {
  path: Required<ParameterValues<Path>>;
  query: ParameterValues<Query>;
}

export interface EndpointDefinition<Path extends ParameterTable, Query extends ParameterTable> {
  summary: string;
  description: string;
  group: 'Novels' | 'Rankings' | 'Users' | 'Adult novels' | 'Code tables';
  path: Path;
  query: Query;
  /** Parameters that are accepted and have no effect here, with the reason. */
  inert?: { names: readonly string[]; reason: string };
  source: MetaSource;
  /** The published form of `data`. */
  data: z.ZodType;
  /** Members of `meta` beside the common ones. */
  meta?: z.ZodRawShape;
  errors: readonly ErrorCode[];
  /** The published form of the details of an error. */
  details?: Partial<Record<ErrorCode, z.ZodType>>;
  /** Faults that no single parameter has: between two of them, or by what the source and the date allow. */
  check?: (services: EndpointServices, values: RequestValues<Path, Query>) => ParameterFault[];
  ask: (services: EndpointServices, values: RequestValues<Path, Query>) => CatalogueQuestion;
}

/** A line of the route table. */
export interface CatalogueRoute extends KeepingTimes {
  /** Also the operationId. */
  name: string;
  path: string;
}

/** An endpoint whose parameter types are closed over: give it its route and what it works with. */
export type MakeEndpoint = (route: CatalogueRoute, services: EndpointServices) => Endpoint;

/** The 400 with all faults: one is told in the message too, several by name. */
export function invalidParameters(faults: readonly ParameterFault[]): ServiceError {
  const [first] = faults;
  const message =
    faults.length === 1 && first
      ? `The parameter ${first.parameter} is not usable: ${first.reason}.`
      : `These parameters are not usable: ${faults.map((fault) => fault.parameter).join(', ')}.`;
  return new ServiceError('invalid_parameter', { message, details: faults });
}

function readPath(table: ParameterTable, params: Readonly<Record<string, string>>) {
  const values: Record<string, unknown> = {};
  const faults: ParameterFault[] = [];
  for (const [name, parameter] of Object.entries(table)) {
    const read = readParameter(name, parameter, params[name] ?? '');
    if ('fault' in read) faults.push(read.fault);
    else values[name] = read.value;
  }
  return { values, faults };
}

export function defineEndpoint<Path extends ParameterTable, Query extends ParameterTable>(
  definition: EndpointDefinition<Path, Query>,
): MakeEndpoint {
  const { summary, description, group, errors, check } = definition;

  function ask(
    route: CatalogueRoute,
    services: EndpointServices,
    request: EndpointRequest,
  ): EndpointQuestion {
    const path = readPath(definition.path, request.path);
    const query = readParameters(definition.query, request.query);
    const values = { path: path.values, query: query.values } as RequestValues<Path, Query>;
    const faults = [...path.faults, ...query.faults];
    // What lies between parameters can be judged as far as they could be read.
    if (check && path.faults.length === 0) faults.push(...check(services, values));
    if (faults.length > 0) throw invalidParameters(faults);
    const question = toQuestion(definition.ask(services, values), route, request.client);
    return { ...question, ignored: query.ignored };
  }

  return (route, services) => ({
    name: route.name,
    path: route.path,
    cache: route.cache,
    ...{ group, summary, description, errors },
    parameters: publishedParameters(definition),
    answer: z
      .object({ data: definition.data, meta: metaSchema(definition.source, definition.meta ?? {}) })
      .meta({ description: `${summary}: the data, and what is to be known of them.` }),
    details: { invalid_parameter: PARAMETER_FAULTS, ...definition.details },
    ask: (request) => ask(route, services, request),
  });
}
