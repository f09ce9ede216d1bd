import { z } from 'zod';
import type { GeneralErrorCode, Language, Text } from '@mokuroku/kit';
import type { NovelErrorCode } from '@mokuroku/narou';
import type { CachePolicy, Question, ResponseCache } from '@mokuroku/kit/cache';
import { defineEndpoint as defineHttpEndpoint, describeAnswer } from '@mokuroku/kit/http';
import type {
  RequestValues,
  Endpoint,
  EndpointQuestion,
  EndpointRequest,
  ParameterFault,
  ParameterTable,
} from '@mokuroku/kit/http';
import type { RateLimiter } from '@mokuroku/kit/limits';
import type { Clock } from '@mokuroku/kit/process';
import type { CatalogueSource } from '@mokuroku/narou/source';
import { metaSchema } from './catalogue-answer.ts';
import type { MetaSource } from './catalogue-answer.ts';
import { chooseForm, formOf, formParameters, linesAnswer, publishedForms } from './forms.ts';
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
  errors: readonly CatalogueErrorCode[];
  /** The published form of the details of an error. */
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

/** A line of the route table. */
export interface CatalogueRoute {
  /** The operationId in OpenAPI. */
  name: string;
  path: string;
  cache: CachePolicy;
}

/** Creates an endpoint from its route and dependencies; the parameter types are erased. */
export type MakeEndpoint = (route: CatalogueRoute, shared: SharedServices) => Endpoint;

/** A feed chooses its own fields. */
const FIELD_PARAMETERS = ['of', 'opt'];
/** Parameters for feeds only. */
const FEED_PARAMETERS = ['feed', 'lang'];
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
  const { summary, description, group, errors, details = {}, check, accepted, forms = {} } = definition;

  return ({ cache: policy, ...route }, shared) => {
    const servicesFor = ({ client, reportFailure }: EndpointRequest) => ({
      ...shared,
      client,
      reportFailure,
    });
    const valuesOf = (all: RequestValues<Path, ParameterTable>) => {
      const { format, bom, lang, ...query } = all.query;
      const language: Language = lang === 'en' ? 'en' : 'ja';
      return { format, bom, language, values: { path: all.path, query } as RequestValues<Path, Query> };
    };
    return defineHttpEndpoint<Path, ParameterTable>({
      ...route,
      group,
      summary,
      description,
      errors,
      details,
      isAvailable: definition.isServedBy?.(shared.source) ?? true,
      pathTable: definition.path,
      queryTable: { ...definition.query, ...formParameters(forms) },
      accepted,
      otherForms: publishedForms(forms),
      answer: z
        .object({ data: definition.data, meta: metaSchema(definition.source, definition.meta ?? {}) })
        .meta({ ...describeAnswer(summary) }),
      check: check && ((all, request) => check(servicesFor(request), valuesOf(all).values)),
      respond: (all, request) => {
        const services = servicesFor(request);
        const { format, bom, language, values } = valuesOf(all);
        const formName = chooseForm(forms, format, request.accept, services);
        const withoutEffect = definition.withoutEffect?.(services, values, formName) ?? [];
        const ignored = [...withoutEffectOn(formName, all.query), ...withoutEffect];
        if (formName === 'ndjson' && forms.ndjson)
          return linesAnswer(forms.ndjson(values, services), ignored);
        const form = formOf(formName, forms, {
          values,
          bom: bom === 1,
          language,
          isSample: shared.isSample,
        });
        return { ...definition.question(services, values, formName), policy, ignored, form };
      },
    });
  };
}
