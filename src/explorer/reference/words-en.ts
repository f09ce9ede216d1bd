import { en as shell } from '../shell/words-en.ts';
import type { ReferenceWords } from './words-ja.ts';

export const en: ReferenceWords = {
  brand: 'Mokuroku',
  services: {
    catalogue: {
      reading: 'novel API reference',
      title: 'Novel Catalogue API',
      lead: 'Novels, rankings and authors of 小説家になろう, a Japanese site of web novels, as JSON. Read-only, without a key and without signing up.',
      page: 'Look around on the page',
      terms:
        'The data are those of なろうデベロッパー (dev.syosetu.com), and its terms bind whoever uses them: name the source, no commercial use, nothing kept for longer than two weeks. Adult novels are for readers of 18 and over.',
      form: 'Answers are `{data, meta}`. data is what you asked for; meta tells the `source`, whether the answer was kept (`cached`), how long it took (`tookMs`) and which parameters had no effect (`ignored`).',
    },
    registration: {
      reading: 'domain API reference',
      title: 'Domain Registration API',
      lead: 'Who registered a domain name, and until when: asked of the registry itself over WHOIS or RDAP, parsed, as JSON. No key, no signing up.',
      page: 'Look a name up on the page',
      terms: 'The records belong to their registries, each with its own terms, which stand in `raw`.',
      form: 'The answer is the record itself, without an envelope: `parsed` holds what could be read, `raw` the registry’s text. What is not stated is `null`, or empty.',
    },
  },
  facts: {
    address: 'Address',
    limits: 'Limit',
    answers: 'Answers',
    errors: 'Failures',
    caching: 'Caching',
    terms: 'Terms',
  },
  limits:
    '60 requests a minute. The `RateLimit` header tells what is left; beyond it comes a `429`, and after the seconds in `Retry-After` the next request succeeds.',
  errorForm:
    'Every failure is `{error: {code, message, details?}}`. The details of a 400 name every fault at once, and what would be right.',
  caching:
    'Send the `ETag` in `If-None-Match`: a `304` means that nothing has changed. `Age` is in seconds since the data were fetched, `Cache-Status` tells where they came from.',
  anyOrigin: 'From pages of any site (CORS), by GET alone.',
  samplesIn: 'Language',
  tasks: 'By task',
  endpoints: 'By endpoint',
  contents: 'Contents',
  meta: 'meta',
  metaText: 'Facts about the answer, in every answer.',
  errors: 'Errors',
  errorsText:
    'The code is for programs, the message for people. Where it says so, the same request can succeed later.',
  retry: 'Try again',
  retryable: 'after Retry-After',
  parameters: 'Parameters',
  inPath: 'path',
  required: 'required',
  byDefault: (value) => `default ${value}`,
  example: (value) => `e.g. ${value}`,
  values: (values) => `one of ${values}`,
  fields: (count) => `Fields of the answer (${count})`,
  errorsOf: (count) => `Errors it can meet (${count})`,
  exampleAnswer: 'What it answers',
  cut: 'Long lists are cut to three.',
  liveAnswer: 'Answer',
  change: 'Change it and run it',
  run: 'Run',
  running: 'Running…',
  add: 'Add a parameter',
  remove: (name) => `Remove ${name}`,
  noCommand: 'The command line has none for this.',
  copy: 'Copy',
  answered: (status, ms) => `${status} · ${ms} ms`,
  left: (left) => `${left} requests left in this minute`,
  openInTab: 'Open in a tab',
  unreachable: 'The service cannot be reached.',
};

/** What is published is English already. */
const published = () => undefined;

export const words = { shell, reference: en, published };
