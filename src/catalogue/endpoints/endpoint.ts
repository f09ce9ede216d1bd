import type { z } from 'zod';
import type { Clock } from '../../process/clock.ts';
import { ServiceError } from '../../errors.ts';
import type { ErrorCode } from '../../errors.ts';
import type { QueryString } from '../../http/query-string.ts';
import type { EndpointMeta, MetaSource } from '../envelope.ts';
import { readParameter, readParameters } from '../novels/parameter.ts';
import type { ParameterFault, ParameterTable, ParameterValues } from '../novels/parameter.ts';
import type { CatalogueSource } from '../catalogue-source.ts';

/** What endpoints work with. */
export interface EndpointServices {
  source: CatalogueSource;
  clock: Clock;
}

/** The data of an answer and what is said of them. */
export interface Answer {
  data: unknown;
  meta: EndpointMeta;
  /** True: it will hardly ever change (a past ranking); kept as long as the route says for those. */
  settled?: boolean;
}

/** A request that has been understood: equal questions have equal keys. */
export interface Question {
  key: string;
  answer: () => Promise<Answer>;
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
  ask: (services: EndpointServices, values: RequestValues<Path, Query>) => Question;
}

/** An endpoint whose parameter types are closed over: what the route table holds. */
export interface Endpoint extends Omit<EndpointDefinition<ParameterTable, ParameterTable>, 'check' | 'ask'> {
  /** Throws ServiceError invalid_parameter with every fault. */
  prepare: (
    services: EndpointServices,
    params: Readonly<Record<string, string>>,
    query: QueryString,
  ) => Question & { ignored: string[] };
}

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
): Endpoint {
  const { check, ask, ...published } = definition;
  return {
    ...published,
    prepare: (services, params, queryString) => {
      const path = readPath(definition.path, params);
      const query = readParameters(definition.query, queryString);
      const values = { path: path.values, query: query.values } as RequestValues<Path, Query>;
      const faults = [...path.faults, ...query.faults];
      // What lies between parameters can be judged as far as they could be read.
      if (check && path.faults.length === 0) faults.push(...check(services, values));
      if (faults.length > 0) throw invalidParameters(faults);
      return { ...ask(services, values), ignored: query.ignored };
    },
  };
}
