import type { CacheEntry } from '@mokuroku/kit/cache';
import { preferredType, oneOf } from '@mokuroku/kit/http';
import type {
  ParameterTable,
  ParameterValues,
  PublishedEndpoint,
  PublishedForm,
  RequestTarget,
  StreamLines,
  TextAnswer,
  WrittenForm,
} from '@mokuroku/kit/http';
import type { EndpointMeta } from './catalogue-answer.ts';
import { writeAtom } from '../forms/atom.ts';
import type { Feed, FeedReading } from '../forms/atom.ts';
import { OF_RESPONSE } from '../forms/question-page.ts';
import { writeCsv, text } from '@mokuroku/kit';
import type { Table, Text } from '@mokuroku/kit';
import { japanDateTime } from '@mokuroku/narou';
import { flag } from '@mokuroku/narou/queries';
import type { CatalogueSource } from '@mokuroku/narou/source';

// Lists have other forms beside JSON, by `format=` or the Accept header.

/** Parsed data and their metadata. */
export interface AnswerToWrite {
  data: unknown;
  meta: EndpointMeta;
  /** When the data were fetched: milliseconds since 1970. */
  fetchedAt: number;
}

/** Streamed lines. The stream is not cached, its parts are. */
export interface Lines extends Pick<TextAnswer, 'total' | 'next' | 'memoryBytes'> {
  /** As of a question. */
  ignored?: readonly string[];
  lines: StreamLines;
}

/** The parts of a request that a form reads. */
interface FormRequest {
  path: string;
  values: { path: object; query: object };
  /** Values of the parameters that affect one form alone. */
  own: Readonly<Record<string, unknown>>;
  isSample: () => boolean;
}

const AFTER_MAX_LENGTH = /^(.{100}).*$/u;

/** Path and question of a response, and the date of its ranking or the day of its data (milliseconds) in Japan. */
export function fileNameOf(
  { path, values }: FormRequest,
  extension: string | undefined,
  of: number | string,
): string | undefined {
  if (extension === undefined) return undefined;
  const own = new Map<string, unknown>(Object.entries(values.path));
  const place = path.replace(/^\/v\d+\//, '').replace(/:(\w+)/g, (_, name: string) => String(own.get(name)));
  const question = Object.entries<unknown>({ ...values.query }).filter(
    ([name, value]) => value !== undefined && !OF_RESPONSE.includes(name),
  );
  const date = typeof of === 'string' ? of : japanDateTime(of).slice(0, 10);
  const named = question.flatMap(([name, value]) =>
    name === 'date' && value === date ? [] : `${name}-${String(value)}`,
  );
  const text = [place, ...named].join('-').replace(/[^\p{L}\p{M}\p{N}_]+/gu, '-');
  return `${text.replace(AFTER_MAX_LENGTH, '$1').replace(/-$/, '')}-${date}.${extension}`;
}

/** A form beside JSON. `Content` is what an endpoint makes of its answer for it. */
interface FormRow<Content> {
  mediaType: string;
  /** Parameters of the media type, beside the charset. */
  typeParameters?: string;
  /** Of a file, if browsers should save the response. */
  extension?: string;
  /** In the menu of the page. */
  label: Text;
  description: Text;
  /** Its own query parameters. */
  parameters: ParameterTable;
  /** Query parameters of lists with an effect on this form alone. */
  only: readonly string[];
  /** Query parameters without effect on this form. */
  without: readonly string[];
  /** Distinguishes texts of one answer, beside the form's name. */
  variantOf?: (request: FormRequest) => string;
  /** Whether the text has the address of the request. */
  hasAddress?: boolean;
  /** Lines are not written: they are a stream. */
  write?: (content: Content, request: FormRequest, target: RequestTarget) => string;
}

const row = <Content>(form: FormRow<Content>): FormRow<Content> => form;

const FORMS = {
  csv: row<Table>({
    mediaType: 'text/csv',
    typeParameters: '; header=present',
    extension: 'csv',
    label: text('CSV', 'CSV ファイル'),
    description: text(
      'RFC 4180, with a header row. Values as in JSON; empty where JSON has none.',
      'RFC 4180、見出し行つき。値は JSON と同じで、ないものは空。',
    ),
    parameters: {
      bom: flag({
        en: '1: CSV for spreadsheets, with a byte order mark, and an apostrophe before texts that would run as a formula.',
        ja: '1 なら表計算ソフト向けの CSV: 先頭に BOM を付け、数式として実行されうる文字列の前にアポストロフィを置きます。',
      }),
    },
    only: [],
    without: [],
    variantOf: ({ own }) => (own['bom'] === 1 ? '-bom' : ''),
    write: (table, { own }) => writeCsv(table, { bom: own['bom'] === 1 }),
  }),
  atom: row<Feed>({
    mediaType: 'application/atom+xml',
    label: text('Feed (Atom)', 'フィード（Atom）'),
    description: text('Atom 1.0 (RFC 4287).', 'Atom 1.0（RFC 4287）形式。'),
    parameters: {
      lang: oneOf(['ja', 'en'] as const, {
        en: "With format=atom: language of the feed's title. Entries are in Japanese.",
        ja: 'format=atom で、フィードの題名の言語。各項目は日本語です。',
        byDefault: 'ja',
        example: 'en',
      }),
    },
    only: ['feed'],
    // A feed chooses its own fields.
    without: ['of', 'opt'],
    hasAddress: true,
    write: (feed, _request, target) => writeAtom(feed, target),
  }),
  ndjson: row<Lines>({
    mediaType: 'application/x-ndjson',
    extension: 'ndjson',
    label: text('JSON lines', 'JSON（1 行 1 件）'),
    description: text(
      'A line of JSON for each, as soon as it is ready.',
      '1 件につき JSON の 1 行を、用意できた順に。',
    ),
    parameters: {},
    only: [],
    // Lines have no metadata to count in.
    without: ['facets'],
  }),
};

type OtherForm = keyof typeof FORMS;
export type FormName = 'json' | OtherForm;
const OTHER_FORMS = Object.keys(FORMS) as OtherForm[];

type Maker<Row, Services, Values> =
  Row extends FormRow<Lines>
    ? (values: Values, services: Services) => Lines
    : Row extends FormRow<infer Content>
      ? (answer: AnswerToWrite, values: Values, reading: FeedReading) => Content
      : never;

/** Further forms of an endpoint's responses: what each is made of. */
export type Forms<Services, Values> = {
  [Name in OtherForm]?: Maker<(typeof FORMS)[Name], Services, Values>;
} & {
  /** Description of a line and of the final line, for OpenAPI. */
  linesDescription?: Text;
  /** Whether the source supports lines; otherwise a client that only prefers them gets another form. Default: true. */
  hasLines?: (source: CatalogueSource) => boolean;
};

const namesOf = (forms: Forms<never, never>) => OTHER_FORMS.filter((name) => forms[name] !== undefined);

const contentTypeOf = ({ mediaType, typeParameters = '' }: FormRow<never>): string =>
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
    description: (name === 'ndjson' && forms.linesDescription) || FORMS[name].description,
    isAvailable: name !== 'ndjson' || (forms.hasLines?.(source) ?? true),
  }));

/** For the page, as JSON: the forms of each list with the most rows of one response, and how the menu shows them. */
export function formFacts(endpoints: readonly PublishedEndpoint[]): string {
  const lists = endpoints.map(({ path, otherForms = [], queryTable = {} }) => ({
    path,
    forms: otherForms.filter(({ isAvailable }) => isAvailable !== false).map(({ name }) => name),
    most: 'st' in queryTable ? queryTable['lim']?.published?.['maximum'] : undefined,
  }));
  const forms = Object.entries(FORMS).map(([name, { label, without }]) => [name, { label, without }]);
  return JSON.stringify({
    forms: Object.fromEntries(forms) as object,
    lists: lists.filter((list) => list.forms.length > 0),
  });
}

/** The query parameters with an effect on one form alone. */
const OWN = new Map<string, OtherForm>(
  OTHER_FORMS.flatMap((form) =>
    [...FORMS[form].only, ...Object.keys(FORMS[form].parameters)].map((name) => [name, form]),
  ),
);

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
  const form = (chosen?.name ?? 'json') as FormName;
  const own: Record<string, unknown> = {};
  const query: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(values)) (OWN.has(name) ? own : query)[name] = value;
  const idle = [
    ...[...OWN].flatMap(([name, owner]) => (name in own && owner !== form ? [name] : [])),
    ...(form === 'json' ? [] : FORMS[form].without.filter((name) => name in query)),
  ];
  return { form, own, query, idle };
}

const parseEntry = ({ data, meta, fetchedAt }: CacheEntry): AnswerToWrite => ({
  data: JSON.parse(data.toString()),
  meta: meta as EndpointMeta,
  fetchedAt,
});

/** The members of `meta` about what the rows lack: a number, or the first names. */
const lacksOf = ({ meta }: CacheEntry): string[] =>
  ['missing', 'unknown', 'unreadable'].flatMap((name) => {
    const lack = meta[name];
    if (lack === undefined) return [];
    return [`${name}=${Array.isArray(lack) ? lack.slice(0, 50).join(' ') : Number(lack)}`];
  });

/** The writer of a form. */
export function formOf(name: OtherForm, forms: Forms<never, never>, request: FormRequest): WrittenForm {
  const form = FORMS[name] as FormRow<unknown>;
  const make = forms[name] as (answer: AnswerToWrite, values: object, reading: FeedReading) => unknown;
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
      return form.write?.(make(parseEntry(entry), request.values, reading), request, target) ?? '';
    },
  };
}

export const linesAnswer = (
  { lines, ignored = [], ...facts }: Lines,
  idle: readonly string[],
  fileName: string | undefined,
): TextAnswer => ({
  ...facts,
  body: lines,
  ignored: [...idle, ...ignored],
  contentType: contentTypeOf(FORMS.ndjson),
  fileName,
  cacheControl: 'no-store',
});
