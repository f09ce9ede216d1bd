import type { CachePolicy } from '../cache/cache-entry.ts';
import { ERRORS, ServiceError } from '../errors.ts';
import type {
  Endpoint,
  EndpointQuestion,
  EndpointRequest,
  ExampleCall,
  PublishedEndpoint,
  TextAnswer,
} from './endpoint.ts';
import { PARAMETER_FAULTS, readParameters } from './parameter.ts';
import type { ParameterFault, ParameterTable, ParameterValues } from './parameter.ts';

/** The parsed parameters of a request. */
export interface RequestValues<Path extends ParameterTable, Query extends ParameterTable> {
  path: Required<ParameterValues<Path>>;
  query: ParameterValues<Query>;
}

/** What an endpoint makes of a request; `ignored` has only those of its own parameters that had no effect. */
type Handled<Kind extends EndpointQuestion | TextAnswer> = Omit<
  Kind,
  'ignored' | 'policy' | 'contentType' | 'requestedSpelling'
> & { ignored?: readonly string[]; contentType?: string };

/** Of an endpoint whose responses are not cached. */
const NOT_CACHED = {
  freshSeconds: 0,
  staleWhileRevalidateSeconds: 0,
  staleIfErrorSeconds: 0,
  absentSeconds: 0,
};

/** An endpoint by the tables of its parameters. */
interface EndpointDefinition<
  Path extends ParameterTable,
  Query extends ParameterTable,
> extends PublishedEndpoint {
  pathTable?: Path;
  queryTable?: Query;
  examples: readonly [ExampleCall, ...ExampleCall[]];
  /** How long a response is cached, unless its load says otherwise. Default: not at all. */
  cache?: CachePolicy | undefined;
  /** Faults of several parameters together, or with the source or the date. */
  check?: ((values: RequestValues<Path, Query>) => ParameterFault[]) | undefined;
  /** Makes the question that the cache answers or loads, or a text, which is not cached. */
  handle: (
    values: RequestValues<Path, Query>,
    request: EndpointRequest,
  ) => Handled<EndpointQuestion> | Handled<TextAnswer> | Promise<Handled<TextAnswer>>;
}

/** The 400 with all faults. The message has a single fault in full, several by name. */
function invalidParameters(faults: readonly ParameterFault[]): ServiceError {
  const [first] = faults;
  const message =
    faults.length === 1 && first
      ? `Invalid ${first.parameter}: ${first.reason}.`
      : `Invalid parameters: ${faults.map((fault) => fault.parameter).join(', ')}.`;
  return new ServiceError(ERRORS.invalid_parameter, { message, details: faults });
}

/** Creates an endpoint that responds to requests without faults; others get one 400 that names all. */
export function defineEndpoint<Path extends ParameterTable, Query extends ParameterTable>({
  pathTable = {} as Path,
  queryTable = {} as Query,
  cache: policy = NOT_CACHED,
  check,
  handle,
  ...published
}: EndpointDefinition<Path, Query>): Endpoint {
  const repeated = Object.keys(pathTable).find((name) => pathTable[name]?.isRepeated);
  return {
    ...published,
    pathTable,
    queryTable,
    details: { invalid_parameter: PARAMETER_FAULTS, ...published.details },
    parse: async (request) => {
      const segments = new Map(Object.entries(request.path).map(([name, text]) => [name, [text]]));
      const path = readParameters(pathTable, { values: segments, malformed: [] });
      const query = readParameters(queryTable, request.query);
      const values = { path: path.values, query: query.values } as RequestValues<Path, Query>;
      const faults = [...path.faults, ...query.faults];
      // Faults between parameters are checked as far as these are valid.
      if (check && path.faults.length === 0) faults.push(...check(values));
      if (faults.length > 0) throw invalidParameters(faults);
      const handled = await handle(values, request);
      return {
        // Of a text; a question has its form.
        contentType: `${published.mediaType ?? 'application/json'}; charset=utf-8`,
        ...handled,
        policy,
        requestedSpelling: repeated && request.path[repeated],
        ignored: [...query.ignored, ...(handled.ignored ?? [])],
      };
    },
  };
}
