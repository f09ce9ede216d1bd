import { z } from 'zod';
import type { GeneralErrorCode, Language } from '@mokuroku/kit';
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
import { metaSchema } from './catalogue-answer.ts';
import type { MetaSource } from './catalogue-answer.ts';
import {
  chooseForm,
  fileNameOf,
  formOf,
  formParameters,
  linesAnswer,
  publishedForms,
  withoutEffectOn,
} from './forms.ts';
import type { FormName, Forms } from './forms.ts';

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
  source: MetaSource;
  /** The published form of `data`. */
  data: z.ZodType;
  /** Members of `meta` beside the common ones. */
  meta?: z.ZodRawShape;
  errors: readonly CatalogueErrorCode[];
  details?: Partial<Record<CatalogueErrorCode, z.ZodType>>;
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

/** An endpoint that lacks its dependencies; the parameter types are erased. */
export interface CatalogueEndpoint {
  isAdult: boolean;
  create: (shared: SharedServices) => Endpoint;
}

/** The values of an endpoint's own parameters, apart from those that choose its form. */
function valuesOf<Path extends ParameterTable, Query extends ParameterTable>(
  all: RequestValues<Path, ParameterTable>,
) {
  const { format, bom, lang, ...query } = all.query;
  const language: Language = lang === 'en' ? 'en' : 'ja';
  return { format, bom, language, values: { path: all.path, query } as RequestValues<Path, Query> };
}

export function defineEndpoint<Path extends ParameterTable, Query extends ParameterTable>({
  source,
  data,
  meta = {},
  check,
  question,
  withoutEffect,
  forms = {},
  isAdult = false,
  isServedBy = () => true,
  queryTable = {} as Query,
  ...published
}: EndpointDefinition<Path, Query>): CatalogueEndpoint {
  const create = (shared: SharedServices) => {
    const servicesFor = ({ client, reportFailure }: EndpointRequest) => ({
      ...shared,
      client,
      reportFailure,
    });
    const otherForms = publishedForms(forms, shared.source);
    const now = () => shared.clock.now();
    return defineHttpEndpoint<Path, ParameterTable>({
      ...published,
      isAvailable: isServedBy(shared.source),
      queryTable: { ...queryTable, ...formParameters(forms) },
      otherForms,
      answer: z
        .object({ data, meta: metaSchema(source, meta) })
        .meta({ ...describeAnswer(published.summary) }),
      check: check && ((all, request) => check(servicesFor(request), valuesOf<Path, Query>(all).values)),
      respond: (all, request) => {
        const services = servicesFor(request);
        const { format, bom, language, values } = valuesOf<Path, Query>(all);
        const formName = chooseForm(otherForms, format, request.accept);
        const { path } = published;
        const asked = { path, values, bom: bom === 1, language, isSample: shared.isSample };
        const ignored = [
          ...withoutEffectOn(formName, all.query),
          ...(withoutEffect?.(services, values, formName) ?? []),
        ];
        if (formName === 'ndjson' && forms.ndjson)
          return linesAnswer(forms.ndjson(values, services), ignored, fileNameOf(asked, formName, now()));
        const form = formOf(formName, forms, values, asked);
        return { ...question(services, values, formName), ignored, form };
      },
    });
  };
  return { isAdult, create };
}
