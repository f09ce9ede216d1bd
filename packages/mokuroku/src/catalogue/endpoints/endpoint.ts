import { z } from 'zod';
import type { GeneralErrorCode } from '@mokuroku/kit';
import type { NovelErrorCode } from '@mokuroku/narou';
import type { CachePolicy, Question, ResponseCache } from '@mokuroku/kit/cache';
import { defineEndpoint as defineHttpEndpoint, describeAnswer } from '@mokuroku/kit/http';
import type {
  ClientMethods,
  RequestValues,
  Endpoint,
  EndpointQuestion,
  EndpointRequest,
  ExampleCall,
  ParameterFault,
  ParameterTable,
  PublishedEndpoint,
} from '@mokuroku/kit/http';
import type { RateLimiter } from '@mokuroku/kit/limits';
import type { Clock } from '@mokuroku/kit/process';
import type { CatalogueClient } from 'mokuroku-client/source';
import type { CatalogueSource } from '@mokuroku/narou/source';
import type { MetaSource } from './catalogue-answer.ts';
import { metaSchema } from './schemas.ts';
import { formOf, formParameters, linesAnswer, publishedForms, readForm } from './forms.ts';
import type { Content, Forms } from './forms.ts';

/** Errors of every endpoint that queries the upstream or a local catalogue. */
export const UPSTREAM_ERRORS = [
  'upstream_invalid',
  'upstream_unavailable',
  'upstream_timeout',
  'upstream_share_spent',
  'upstream_budget_spent',
  'not_available_here',
  'catalogue_outdated',
  'catalogue_unreadable',
] as const satisfies readonly NovelErrorCode[];

export type CatalogueErrorCode = GeneralErrorCode | NovelErrorCode;

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

interface EndpointDefinition<Path extends ParameterTable, Query extends ParameterTable> extends Omit<
  PublishedEndpoint,
  'answer' | 'otherForms' | 'isAvailable' | 'client' | 'examples'
> {
  group: 'Novels' | 'Rankings' | 'Users' | 'Adult novels' | 'Code tables';
  pathTable?: Path;
  queryTable?: Query;
  cache: CachePolicy;
  examples: readonly [ExampleCall, ...ExampleCall[]];
  /** Its methods in `createCatalogueClient`. */
  client?: ClientMethods<keyof CatalogueClient>;
  /** A service without adult novels does not have it. */
  isAdult?: boolean;
  /** Whether a source has what the endpoint serves; else its responses are not_available_here. Default: all have. */
  isServedBy?: (source: CatalogueSource) => boolean;
  /** `meta.source` of its responses. */
  source: MetaSource;
  /** The published form of `data`. */
  data: z.ZodType;
  /** Members of `meta` beside the common ones. */
  meta?: z.ZodRawShape;
  errors: readonly CatalogueErrorCode[];
  details?: Partial<Record<CatalogueErrorCode, z.ZodType>>;
  /** Faults of several parameters together, or with the source or the date. */
  check?: (services: SharedServices, values: RequestValues<Path, Query>) => ParameterFault[];
  /**
   * `content`: what the requested form is made of. `ignored`: parameters and values that have no effect in this request,
   * such as `of=u-g`.
   */
  question: (
    services: EndpointServices,
    values: RequestValues<Path, Query>,
    content: Content,
  ) => Question & Partial<Pick<EndpointQuestion, 'next' | 'ignored'>>;
  /** What the other forms of a list are made of: with a table it has every form of `FORMS` that is made of one. */
  forms?: Forms<EndpointServices, RequestValues<Path, Query>>;
}

/** An endpoint that lacks its dependencies; the parameter types are erased. */
export interface CatalogueEndpoint {
  isAdult: boolean;
  create: (shared: SharedServices) => Endpoint;
}

export function defineEndpoint<Path extends ParameterTable, Query extends ParameterTable>({
  source,
  data,
  meta = {},
  check,
  question,
  forms = {},
  isAdult = false,
  isServedBy = () => true,
  queryTable = {} as Query,
  ...published
}: EndpointDefinition<Path, Query>): CatalogueEndpoint {
  const create = (shared: SharedServices) => {
    const otherForms = publishedForms(forms, shared.source);
    return defineHttpEndpoint<Path, ParameterTable>({
      ...published,
      isAvailable: isServedBy(shared.source),
      queryTable: { ...queryTable, ...formParameters(forms) },
      otherForms,
      answer: z
        .object({ data, meta: metaSchema(source, meta) })
        .meta({ ...describeAnswer(published.summary) }),
      check: check && ((all) => check(shared, all as RequestValues<Path, Query>)),
      handle: (all, { client, accept, reportFailure, nextTurn }) => {
        const services = { ...shared, client, reportFailure };
        const { form, content, own, query, idle } = readForm(otherForms, all.query, accept);
        const values = { path: all.path, query } as RequestValues<Path, Query>;
        const formRequest = { path: published.path, values, own, isSample: shared.isSample };
        const { lines } = forms;
        if (form && content === 'lines' && lines)
          return nextTurn().then(() => {
            const answer = linesAnswer(form, lines(values, services), formRequest, shared.clock.now());
            return { ...answer, ignored: [...idle, ...answer.ignored] };
          });
        const { ignored = [], ...asQuestion } = question(services, values, content);
        return {
          ...asQuestion,
          ignored: [...idle, ...ignored],
          form: form && formOf(form, forms, formRequest),
        };
      },
    });
  };
  return { isAdult, create };
}
