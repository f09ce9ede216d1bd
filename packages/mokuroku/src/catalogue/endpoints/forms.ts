import type { CacheEntry } from '@mokuroku/kit/cache';
import { preferredType, oneOf } from '@mokuroku/kit/http';
import type { PublishedForm, StreamLines, TextAnswer, WrittenForm, ParameterTable } from '@mokuroku/kit/http';
import type { EndpointMeta } from './catalogue-answer.ts';
import { writeAtom } from '../forms/atom.ts';
import type { Feed, FeedReading } from '../forms/atom.ts';
import { writeCsv, text } from '@mokuroku/kit';
import type { Table, Language, Text } from '@mokuroku/kit';
import { flag } from '@mokuroku/narou/queries';

// Lists have other forms beside JSON, by `format=` or the Accept header.

export type FormName = 'json' | 'csv' | 'atom' | 'ndjson';

/** Parsed data and their metadata. */
export interface AnswerToWrite {
  data: unknown;
  meta: EndpointMeta;
  /** When the data were fetched: milliseconds since 1970. */
  fetchedAt: number;
}

/** Streamed lines. The stream is not cached, its parts are. */
export interface Lines extends Pick<TextAnswer, 'total' | 'next' | 'memoryBytes'> {
  lines: StreamLines;
}

/** Further forms of an endpoint's responses. */
export interface Forms<Services, Values> {
  csv?: (answer: AnswerToWrite, values: Values) => Table;
  /** A feed chooses its own fields: `of` has no effect. */
  atom?: (answer: AnswerToWrite, values: Values, reading: FeedReading) => Feed;
  ndjson?: (values: Values, services: Services) => Lines;
  /** Description of a line and of the final line, for OpenAPI. */
  linesDescription?: Text;
  /** Whether the source supports lines; otherwise a client that only prefers them gets another form. Default: true. */
  hasLines?: (services: Services) => boolean;
}

const TYPES: Readonly<Record<FormName, { mediaType: string; contentType: string; description: Text }>> = {
  json: {
    mediaType: 'application/json',
    contentType: 'application/json; charset=utf-8',
    description: text('', ''),
  },
  csv: {
    mediaType: 'text/csv',
    contentType: 'text/csv; charset=utf-8; header=present',
    description: text(
      'RFC 4180, with a header row. Values as in JSON; empty where JSON has none.',
      'RFC 4180、見出し行つき。値は JSON と同じで、ないものは空。',
    ),
  },
  atom: {
    mediaType: 'application/atom+xml',
    contentType: 'application/atom+xml; charset=utf-8',
    description: text('Atom 1.0 (RFC 4287).', 'Atom 1.0（RFC 4287）形式。'),
  },
  ndjson: {
    mediaType: 'application/x-ndjson',
    contentType: 'application/x-ndjson; charset=utf-8',
    description: text(
      'A line of JSON for each, as soon as it is ready.',
      '1 件につき JSON の 1 行を、用意できた順に。',
    ),
  },
};

const formNames = (forms: Forms<never, never>): FormName[] => [
  'json',
  ...(['csv', 'atom', 'ndjson'] as const).filter((name) => forms[name] !== undefined),
];

/** The parameters by which a form is chosen. */
export function formParameters(forms: Forms<never, never>): ParameterTable {
  const names = formNames(forms);
  if (names.length === 1) return {};
  const types = names.map((name) => TYPES[name].mediaType).join(', ');
  const format = oneOf(names, {
    en: `Format of the response; equivalent to the media type in the Accept header (${types}). Errors are always JSON.`,
    ja: `レスポンスの形式。Accept ヘッダーの型でも同じです（${types}）。エラーは常に JSON です。`,
    byDefault: 'json',
    example: names[1] ?? 'json',
  });
  const bom = flag({
    en: '1: CSV for spreadsheets, with a byte order mark, and an apostrophe before texts that would run as a formula.',
    ja: '1 なら表計算ソフト向けの CSV: 先頭に BOM を付け、数式として実行されうる文字列の前にアポストロフィを置きます。',
  });
  const lang = oneOf(['ja', 'en'] as const, {
    en: "With format=atom: language of the feed's title. Entries are in Japanese.",
    ja: 'format=atom で、フィードの題名の言語。各項目は日本語です。',
    byDefault: 'ja',
    example: 'en',
  });
  return { format, ...(forms.csv && { bom }), ...(forms.atom && { lang }) };
}

export function publishedForms(forms: Forms<never, never>): PublishedForm[] {
  return formNames(forms)
    .filter((name) => name !== 'json')
    .map((name) => {
      const { mediaType, description } = TYPES[name];
      return {
        name,
        mediaType,
        description: name === 'ndjson' ? (forms.linesDescription ?? description) : description,
      };
    });
}

/** The requested form: the parameter takes precedence over the header. */
export function chooseForm<Services>(
  forms: Forms<Services, never>,
  format: unknown,
  accept: string | undefined,
  services: Services,
): FormName {
  const names = formNames(forms);
  const offered = names.filter((name) => name !== 'ndjson' || (forms.hasLines?.(services) ?? true));
  const type = preferredType(
    accept,
    offered.map((name) => TYPES[name].mediaType),
  );
  return (
    names.find((name) => name === format) ?? offered.find((name) => TYPES[name].mediaType === type) ?? 'json'
  );
}

const parseEntry = ({ data, meta, fetchedAt }: CacheEntry): AnswerToWrite => ({
  data: JSON.parse(data.toString()),
  meta: meta as EndpointMeta,
  fetchedAt,
});

interface FormRequest<Values> {
  values: Values;
  bom: boolean;
  language: Language;
  isSample: () => boolean;
}

/** The writer of a form; undefined for JSON and lines. */
export function formOf<Values>(
  name: FormName,
  { csv, atom }: Forms<never, Values>,
  { values, bom, language, isSample }: FormRequest<Values>,
): WrittenForm | undefined {
  const { contentType } = TYPES[name];
  if (name === 'csv' && csv) {
    const form = bom ? 'csv-bom' : 'csv';
    return {
      name: form,
      contentType,
      extension: 'csv',
      keyFor: () => form,
      write: (answer) => writeCsv(csv(parseEntry(answer), values), { bom }),
    };
  }
  if (name !== 'atom' || !atom) return undefined;
  return {
    name,
    contentType,
    // A feed contains its own address, and its entries the host.
    keyFor: ({ url }) => `${name} ${url}`,
    write: (answer, target) =>
      writeAtom(
        atom(parseEntry(answer), values, { origin: target.origin, language, isSample: isSample() }),
        target,
      ),
  };
}

export const linesAnswer = ({ lines, ...facts }: Lines, ignored: readonly string[]): TextAnswer => ({
  ...facts,
  body: lines,
  ignored,
  contentType: TYPES.ndjson.contentType,
  extension: 'ndjson',
  cacheControl: 'no-store',
});
