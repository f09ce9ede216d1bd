import { en as shell } from '../shell/words-en.ts';
import type { ReferenceWords } from './words-ja.ts';

export const en: ReferenceWords = {
  brand: 'Mokuroku',
  services: {
    catalogue: {
      reading: 'novel API reference',
      lead: 'Novels, rankings and authors of 小説家になろう, a Japanese site of web novels, as JSON. Read-only. This service needs no API key.',
      page: 'Browse the web page',
      terms:
        'The data are those of なろうデベロッパー (dev.syosetu.com), and its terms bind all users: be registered there, name the source, no commercial use, no storage for more than two weeks. Adult novels are for readers of 18 and over. Sample data are invented: no terms apply.',
      form: 'Responses are `{data, meta}`. meta has the `source`, whether the response was `cached`, its duration (`tookMs`) and parameters without effect (`ignored`).',
    },
    registration: {
      reading: 'domain API reference',
      lead: 'Who registered a domain name, and until when: from the registry itself over WHOIS or RDAP, as parsed JSON. No API key.',
      page: 'Look a name up on the web page',
      terms: 'The records belong to their registries, each with its own terms, which stand in `raw`.',
      form: 'The response is the record without an envelope: `parsed` has the fields, `raw` the registry’s text. A field that is not stated is `null` or empty.',
    },
  },
  facts: {
    address: 'Base URL',
    limits: 'Rate limit',
    answers: 'Responses',
    errors: 'Errors',
    caching: 'Caching',
    terms: 'Terms',
  },
  limits:
    '60 requests a minute, unless the operator has set another limit: `RateLimit-Policy` has it, `RateLimit` the rest. Beyond it the response is `429` with `Retry-After` in seconds.',
  errorForm:
    'Every error is `{error: {code, message, details?}}`. The details of a 400 list every fault and the allowed values.',
  caching:
    'Send the `ETag` in `If-None-Match`: `304` means that nothing has changed. `Age` is the age of the data in seconds; `Cache-Status` shows their origin.',
  anyOrigin: 'From pages of any site (CORS), by GET only.',
  samplesIn: 'Language',
  tasks: 'By task',
  contents: 'Contents',
  find: 'Find',
  findWhat: 'Task, parameter, value, field, header or error',
  foundNothing: 'Nothing found. Try a shorter word.',
  kinds: {
    task: 'task',
    fact: 'basics',
    endpoint: 'endpoint',
    parameter: 'parameter',
    value: 'value',
    field: 'field',
    header: 'header',
    error: 'error',
  },
  headers: 'Headers',
  headersText: 'Of responses, where they apply.',
  errorsText:
    'The code is for programs, the message for people. Where marked, the same request can succeed later.',
  retry: 'Try again: after Retry-After',
  parameters: 'Parameters',
  inPath: 'path',
  required: 'required',
  byDefault: (value) => `default ${value}`,
  example: (value) => `e.g. ${value}`,
  values: (values) => `one of ${values}`,
  fields: 'Fields',
  tablesOf: 'Fields of the response:',
  sharedFields: 'Shared fields',
  fieldsOf: (count) => `Other fields (${count})`,
  exampleAnswer: 'Response',
  cut: 'Long lists are cut to three.',
  liveAnswer: 'Response',
  change: 'Change it and run it',
  run: 'Run',
  running: 'Running…',
  add: 'Add a parameter',
  remove: (name) => `Remove ${name}`,
  noCommand: 'The command line has none for this.',
  copy: 'Copy',
  answered: (status, ms) => `${status} · ${ms} ms`,
  remaining: (left) => `${left} requests left in this minute`,
  openInTab: 'Open in a tab',
};

export const words = { shell, reference: en };
