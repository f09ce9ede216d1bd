import { oneOf } from '@mokuroku/kit/http';
import type { ParameterTable, RequestTarget, StreamLines, TextAnswer } from '@mokuroku/kit/http';
import { csvRecords, text } from '@mokuroku/kit';
import type { Table, Text } from '@mokuroku/kit';
import { flag } from '@mokuroku/narou/queries';
import { writeAtom } from './atom.ts';
import type { Feed } from './atom.ts';

// The forms of lists beside JSON, by `format=` or the Accept header. An endpoint says what its forms are made of: a
// table, a feed or lines. It has every form that is made of one of these.

/** Streamed lines. The stream is not cached, its parts are. */
export interface Lines extends Pick<TextAnswer, 'total' | 'next' | 'memoryBytes'> {
  /** As of a question. */
  ignored?: readonly string[];
  lines: StreamLines;
}

/** The parts of a request that a form reads. */
export interface FormRequest {
  path: string;
  values: { path: object; query: object };
  /** Values of the parameters that affect one form alone. */
  own: Readonly<Record<string, unknown>>;
  isSample: () => boolean;
}

/** What an endpoint makes of its answer, or streams instead of it. */
export interface Contents {
  table: Table;
  feed: Feed;
  lines: Lines;
}

/** A form beside JSON. */
export interface FormFacts {
  of: keyof Contents;
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
  /** Query parameters that the menu of the page adds. */
  inMenu?: Readonly<Record<string, string>>;
  /** Distinguishes texts of one answer, beside the form's name. */
  variantOf?: (request: FormRequest) => string;
  /** Whether the text has the address of the request. */
  hasAddress?: boolean;
}

export interface FormRow<Of extends keyof Contents> extends FormFacts {
  of: Of;
  /** Lines are not written: they are a stream. */
  write?: (content: Contents[Of], request: FormRequest, target: RequestTarget) => Iterable<string>;
}

const row = <Of extends keyof Contents>(form: FormRow<Of>): FormRow<Of> => form;

export const FORMS = {
  csv: row({
    of: 'table',
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
    // Only JSON has counts.
    without: ['facets'],
    // Without the mark, spreadsheets misread Japanese.
    inMenu: { bom: '1' },
    variantOf: ({ own }) => (own['bom'] === 1 ? '-bom' : ''),
    write: (table, { own }) => csvRecords(table, { bom: own['bom'] === 1 }),
  }),
  atom: row({
    of: 'feed',
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
    without: ['of', 'opt', 'facets'],
    hasAddress: true,
    write: (feed, _request, target) => writeAtom(feed, target),
  }),
  ndjson: row({
    of: 'lines',
    mediaType: 'application/x-ndjson',
    extension: 'ndjson',
    label: text('JSON lines', 'JSON（1 行 1 件）'),
    description: text(
      'A line of JSON for each, as soon as it is ready.',
      '1 件につき JSON の 1 行を、用意できた順に。',
    ),
    parameters: {},
    only: [],
    without: ['facets'],
  }),
};

export type OtherForm = keyof typeof FORMS;
export const OTHER_FORMS = Object.keys(FORMS) as OtherForm[];
