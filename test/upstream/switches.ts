type SwitchValue = string | number | boolean;

/** One switch of the upstream server: its default, its values, and its description. */
interface SwitchRow<Value extends SwitchValue> {
  readonly default: Value;
  /** Its values; missing for a number from 0 to `max`. */
  readonly values?: readonly Value[];
  readonly max?: number;
  readonly about: string;
}

const choice = <const Value extends SwitchValue>(
  values: readonly [Value, ...Value[]],
  about: string,
): SwitchRow<Value> => ({ default: values[0], values, about });

const count = (max: number, about: string): SwitchRow<number> => ({ default: 0, max, about });

/**
 * Upstream behaviour that neither manuals nor recorded responses define. The first value of each switch is its
 * default: the likeliest one.
 */
export const UNKNOWN_SWITCHES = {
  errorStatus: choice([200, 400, 404, 500], 'HTTP status of a plain-text error'),
  errorGzipped: choice([false, true], 'whether a plain-text error is gzipped when gzip is requested'),
  contentType: choice(
    ['proper', 'html', 'none'],
    'Content-Type: by format; text/html for all formats (the PHP default); none',
  ),
  neverRanked: choice(
    ['empty', 'error'],
    'rankin of a novel that never ranked: `[]`, or the error for an unknown novel',
  ),
  unpublishedRanking: choice(['empty', 'error'], 'rankget of a date not published yet: `[]` or Invalid date'),
  tooEarlyRanking: choice(['error', 'empty'], 'rankget of a date before 2013-05-01'),
  rankingReadyHour: choice([4, 5, 6, 7], 'hour in Japan at which the ranking of the day is published'),
  limAboveMax: choice(['clamp', 'default', 'error'], 'lim above 500: 500, 20, or an error'),
  limZero: choice(['default', 'one', 'empty', 'error'], 'lim=0: 20 rows, 1 row, no rows, or an error'),
  stZero: choice(['first', 'empty', 'error'], 'st=0: as 1, no rows, or an error'),
  stBeyondWindow: choice(
    ['empty', 'clamp', 'serve', 'error'],
    'st above 2000: no rows, as 2000, as requested, or an error',
  ),
  invalidNumber: choice(
    ['default', 'prefix', 'error'],
    'lim or st that is not a number: the default, its leading digits (as PHP parses it), or an error',
  ),
  invalidFilter: choice(
    ['ignore', 'empty', 'error'],
    'an invalid filter value (genre=abc): ignored, no matches, or an error',
  ),
  unknownOrder: choice(['default', 'error'], 'an unknown order: the default, or an error'),
  ofAllUnknown: choice(
    ['all', 'empty', 'error'],
    '`of` without any known code: all fields, no fields (PHP writes `[]`), or an error',
  ),
  keyOrder: choice(['canonical', 'requested'], 'order of the keys when `of` is given'),
  weeklyUniquePosition: choice(['last', 'first'], 'position of `weekly_unique` in a record (opt=weekly)'),
  firstupFilter: choice(['works', 'ignored'], 'the undocumented filter firstup'),
  unknownParameter: choice(
    ['ignore', 'error'],
    'a parameter that the interface lacks (genre, sent to novel18api): ignored, or an error',
  ),
  emptyUsers: choice(['allcount', 'list'], 'userapi without a match: `[{"allcount":0}]` or `[]`'),
  noName1st: choice(['null', 'empty'], 'name1st of a user whose furigana starts with no kana: null or ""'),
  unknownOut: choice(['yaml', 'error'], 'an unknown output format'),
  badCallback: choice(['error', 'json'], 'out=jsonp without a valid callback: an error, or plain JSON'),
  staleAllcount: choice([false, true], 'an allcount of 1000 or more is outdated, and differs between pages'),
  maxUrlLength: count(1_000_000, 'longest URL in characters; longer ones get a 414 page; 0: unlimited'),
  maintenance: choice(
    ['off', 'html503', 'html200', 'text503', 'text200'],
    'maintenance: a web page or a line of text, with status 503 or 200',
  ),
} as const;

/** Fields that a switch can omit or rename, of each type. */
const FAULTY_FIELDS = [
  'off',
  'title',
  'story',
  'genre',
  'length',
  'isr15',
  'general_lastup',
  'general_all_no',
  'global_point',
  'daily_point',
  'weekly_unique',
] as const;

/** Faults for tests of a client: each applies to every response while it is set. */
const FAULT_SWITCHES = {
  latencyMs: count(600_000, 'milliseconds before each response'),
  hang: choice(['off', 'beforeHeaders', 'midBody'], 'the connection stays open without further data'),
  dripMs: count(600_000, 'milliseconds between two bytes of the body; 0: no delay'),
  reset: choice(['off', 'beforeHeaders', 'midBody'], 'the connection is cut'),
  body: choice(
    ['normal', 'truncated', 'garbage', 'empty', 'notJson', 'object', 'trailing'],
    'half of the body (or gzip file); random bytes; empty; other text; `{}`; extra bytes at the end',
  ),
  record: choice(
    ['normal', 'extraField', 'numbersAsStrings', 'noNcode', 'nullStrings', 'floats'],
    'records with an unknown field, with wrong types, or without ncode',
  ),
  missingField: choice(FAULTY_FIELDS, 'a field missing from records'),
  renamedField: choice(FAULTY_FIELDS, 'a field sent under another name'),
  fieldFaultEvery: count(1_000_000, 'only every n-th record (by Ncode) lacks that field; 0: all'),
  maxRows: count(500, 'maximum rows of a page, whatever lim says; 0: unlimited'),
  doubledRows: choice([false, true], 'whether the first record of a page is repeated at its end'),
  shiftedRows: count(500, 'rows skipped before each page after the first'),
  zeroFigures: choice([false, true], 'whether all statistics (points, reviews, bookmarks) are 0'),
  emptyTitles: choice([false, true], 'whether all titles are empty'),
  overlongText: count(50_000_000, 'length of the story of one novel in a thousand; 0: unchanged'),
  failingStory: choice([false, true], 'a page with the story of one novel in a thousand gets a server error'),
  bodyFaultEvery: count(1_000_000, 'the switch `body` affects only every n-th response; 0: all'),
  hugeBodyBytes: count(2_000_000_000, 'the body is replaced by this many blanks'),
  status: count(599, 'status of every response, with its usual body; 0: unchanged'),
  retryAfterSeconds: count(86_400, 'value of Retry-After; 0: not sent'),
} as const;

export const SWITCHES = { ...UNKNOWN_SWITCHES, ...FAULT_SWITCHES } as const;

export type SwitchName = keyof typeof SWITCHES;

type SwitchValueOf<Row> = Row extends SwitchRow<infer Value> ? Value : never;

/** How the upstream server behaves. May be changed while it runs. */
export type NarouServerSwitches = { -readonly [Name in SwitchName]: SwitchValueOf<(typeof SWITCHES)[Name]> };

/**
 * The defaults with the given changes.
 *
 * @example
 * makeSwitches({ neverRanked: 'error' }).neverRanked; // 'error'
 * makeSwitches().limAboveMax; // 'clamp'
 */
export function makeSwitches(changes: Partial<NarouServerSwitches> = {}): NarouServerSwitches {
  const defaults = Object.fromEntries(Object.entries(SWITCHES).map(([name, row]) => [name, row.default]));
  return { ...(defaults as NarouServerSwitches), ...changes };
}

const isSwitchName = (name: string): name is SwitchName => Object.hasOwn(SWITCHES, name);

const readSwitchValue = (name: SwitchName, text: string): SwitchValue | undefined => {
  const row: SwitchRow<SwitchValue> = SWITCHES[name];
  if (row.values !== undefined) return row.values.find((value) => String(value) === text);
  return /^\d{1,10}$/.test(text) && Number(text) <= (row.max ?? 0) ? Number(text) : undefined;
};

/** The values of a switch as text: `empty, error` or `0 to 599`. */
export function describeValues(name: SwitchName): string {
  const row: SwitchRow<SwitchValue> = SWITCHES[name];
  return row.values === undefined ? `0 to ${row.max ?? 0}` : row.values.join(', ');
}

/**
 * Parses switches of a command line (`neverRanked=error`); `faults` names every invalid one.
 *
 * @example
 * const { changes, faults } = parseSwitches(['neverRanked=error', 'limZero=two']);
 * changes.neverRanked; // 'error'
 * faults.join(); // 'limZero: two is not one of default, one, empty, error'
 */
export function parseSwitches(texts: readonly string[]): {
  changes: Partial<NarouServerSwitches>;
  faults: string[];
} {
  const changes: Record<string, SwitchValue> = {};
  const faults: string[] = [];
  for (const text of texts) {
    const [name = '', ...rest] = text.split('=');
    if (!isSwitchName(name)) {
      faults.push(`${name}: unknown switch; known: ${Object.keys(SWITCHES).join(', ')}`);
      continue;
    }
    const value = readSwitchValue(name, rest.join('='));
    if (value === undefined) faults.push(`${name}: ${rest.join('=')} is not one of ${describeValues(name)}`);
    else changes[name] = value;
  }
  return { changes, faults };
}
