import type { CacheEntry } from '@mokuroku/kit/cache';
import { preferredType, oneOf } from '@mokuroku/kit/http';
import type {
  ParameterTable,
  ParameterValues,
  PublishedEndpoint,
  PublishedForm,
  WrittenForm,
} from '@mokuroku/kit/http';
import type { EndpointMeta } from './catalogue-answer.ts';
import type { Feed, FeedReading } from '../forms/atom.ts';
import { FORMS, OTHER_FORMS } from '../forms/index.ts';
import type { Contents, FormFacts, FormRequest, FormRow, Lines, OtherForm } from '../forms/index.ts';
import { OF_RESPONSE } from '../forms/question-page.ts';
import type { Table, Text } from '@mokuroku/kit';
import { japanDateTime } from '@mokuroku/narou';
import { canonicalQuery } from '@mokuroku/narou/queries';
import type { CatalogueSource } from '@mokuroku/narou/source';

// Which form a request has, and how it is written.

/** Parsed data and their metadata. */
export interface AnswerToWrite {
  data: unknown;
  meta: EndpointMeta;
  /** When the data were fetched: milliseconds since 1970. */
  fetchedAt: number;
}

const AFTER_MAX_LENGTH = /^(.{100}).*$/u;

/** Path and question of a response, and the date of its ranking or the day of its data (milliseconds) in Japan. */
function fileNameOf(
  { path, values }: FormRequest,
  extension: string | undefined,
  of: number | string,
): string | undefined {
  if (extension === undefined) return undefined;
  const own = new Map<string, unknown>(Object.entries(values.path));
  const place = path.replace(/^\/v\d+\//, '').replace(/:(\w+)/g, (_, name: string) => String(own.get(name)));
  const date = typeof of === 'string' ? of : japanDateTime(of).slice(0, 10);
  const named = [...new URLSearchParams(canonicalQuery({ ...values.query }))]
    .filter(([name, value]) => !OF_RESPONSE.includes(name) && !(name === 'date' && value === date))
    .map((condition) => condition.join('-'));
  const text = [place, ...named].join('-').replace(/[^\p{L}\p{M}\p{N}_]+/gu, '-');
  return `${text.replace(AFTER_MAX_LENGTH, '$1').replace(/-$/, '')}-${date}.${extension}`;
}

/** What the requested form is made of. */
export type Content = 'json' | keyof Contents;

/** What the further forms of an endpoint's responses are made of. */
export interface Forms<Services, Values> {
  table?: (answer: AnswerToWrite, values: Values) => Table;
  feed?: (answer: AnswerToWrite, values: Values, reading: FeedReading) => Feed;
  lines?: (values: Values, services: Services) => Lines;
  /** Description of a line and of the final line, for OpenAPI. */
  linesDescription?: Text;
  /** Whether the source supports lines; otherwise a client that only prefers them gets another form. Default: true. */
  hasLines?: (source: CatalogueSource) => boolean;
}

const namesOf = (forms: Forms<never, never>) =>
  OTHER_FORMS.filter((name) => forms[FORMS[name].of] !== undefined);

const contentTypeOf = ({ mediaType, typeParameters = '' }: FormFacts): string =>
  `${mediaType}; charset=utf-8${typeParameters}`;

/** The parameters by which a form is chosen. */
export function formParameters(forms: Forms<never, never>): ParameterTable {
  const names = namesOf(forms);
  const [example] = names;
  if (example === undefined) return {};
  const types = ['application/json', ...names.map((name) => FORMS[name].mediaType)].join(', ');
  const format = oneOf(['json', ...names], {
    en: `Format of the response; equivalent to the media type in the Accept header (${types}). Errors are always JSON.`,
    ja: `レスポンスの形式。Accept ヘッダーの型でも同じです（${types}）。エラーは常に JSON です。`,
    byDefault: 'json',
    example,
  });
  return Object.assign({ format }, ...names.map((name) => FORMS[name].parameters)) as ParameterTable;
}

export const publishedForms = (forms: Forms<never, never>, source: CatalogueSource): PublishedForm[] =>
  namesOf(forms).map((name) => ({
    name,
    mediaType: FORMS[name].mediaType,
    description: (FORMS[name].of === 'lines' && forms.linesDescription) || FORMS[name].description,
    isAvailable: FORMS[name].of !== 'lines' || (forms.hasLines?.(source) ?? true),
  }));

/** For the page, as JSON: the forms of each list with the most rows of one response, and how the menu shows them. */
export function formFacts(endpoints: readonly PublishedEndpoint[]): string {
  const lists = endpoints.map(({ path, otherForms = [], queryTable = {} }) => ({
    path,
    forms: otherForms.filter(({ isAvailable }) => isAvailable !== false).map(({ name }) => name),
    most: 'st' in queryTable ? queryTable['lim']?.published?.['maximum'] : undefined,
  }));
  const forms = OTHER_FORMS.map((name) => {
    const { of, label, without, inMenu }: FormFacts = FORMS[name];
    return [name, { of, label, without, inMenu }];
  });
  return JSON.stringify({
    forms: Object.fromEntries(forms) as object,
    lists: lists.filter((list) => list.forms.length > 0),
  });
}

const ownNames = (form: OtherForm): string[] => [...FORMS[form].only, ...Object.keys(FORMS[form].parameters)];

/** The query parameters without effect on JSON. */
const OWN = new Set(OTHER_FORMS.flatMap(ownNames));

/**
 * Reads the form of a request, by its parameter, which takes precedence, or the header; and the values of the forms
 * apart from those of the question. `idle`: the names of parameters without effect on this form.
 */
export function readForm(
  published: readonly PublishedForm[],
  { format, ...values }: ParameterValues<ParameterTable>,
  accept: string | undefined,
) {
  const offered = published.filter(({ isAvailable }) => isAvailable);
  const type = preferredType(accept, ['application/json', ...offered.map(({ mediaType }) => mediaType)]);
  const chosen =
    format === undefined
      ? offered.find(({ mediaType }) => mediaType === type)
      : published.find(({ name }) => name === format);
  const form = chosen?.name as OtherForm | undefined;
  const own: Record<string, unknown> = {};
  const query: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(values)) (OWN.has(name) ? own : query)[name] = value;
  const effective = form ? ownNames(form) : [];
  const idle = [
    ...[...OWN].filter((name) => name in own && !effective.includes(name)),
    ...(form ? FORMS[form].without.filter((name) => name in query) : []),
  ];
  return { form, content: form ? FORMS[form].of : ('json' as const), own, query, idle };
}

const parseEntry = ({ data, meta, fetchedAt }: CacheEntry): AnswerToWrite => ({
  data: JSON.parse(data.toString()),
  meta: meta as EndpointMeta,
  fetchedAt,
});

/** The members of `meta` about what the rows lack: a number, or the first names. */
const lacksOf = ({ meta }: CacheEntry): string[] =>
  ['absent', 'missing', 'unknown', 'unreadable'].flatMap((name) => {
    const lack = meta[name];
    if (lack === undefined) return [];
    return [`${name}=${Array.isArray(lack) ? lack.slice(0, 50).join(' ') : Number(lack)}`];
  });

/** The writer of a form. */
export function formOf(name: OtherForm, forms: Forms<never, never>, request: FormRequest): WrittenForm {
  const form = FORMS[name] as FormRow<keyof Contents>;
  const make = forms[form.of] as (
    answer: AnswerToWrite,
    values: object,
    reading: FeedReading,
  ) => Contents[keyof Contents];
  const variant = `${name}${form.variantOf?.(request) ?? ''}`;
  return {
    name: variant,
    contentType: contentTypeOf(form),
    fileNameOf: ({ meta, fetchedAt }) =>
      fileNameOf(request, form.extension, typeof meta['date'] === 'string' ? meta['date'] : fetchedAt),
    lacksOf,
    keyFor: ({ url }) => (form.hasAddress ? `${variant} ${url}` : variant),
    write: (entry, target) => {
      const language = request.own['lang'] === 'en' ? 'en' : 'ja';
      const isOfEpisodes = request.own['feed'] === 'episodes';
      const reading = {
        origin: target.origin,
        language,
        isOfEpisodes,
        isSample: request.isSample(),
      } as const;
      return form.write?.(make(parseEntry(entry), request.values, reading), request, target) ?? [];
    },
  };
}

/** The stream of a form of lines. */
export const linesAnswer = (
  name: OtherForm,
  { lines, ignored = [], ...facts }: Lines,
  request: FormRequest,
  now: number,
) => ({
  ...facts,
  body: lines,
  ignored,
  contentType: contentTypeOf(FORMS[name]),
  fileName: fileNameOf(request, FORMS[name].extension, now),
  cacheControl: 'no-store',
});
