type SwitchValue = string | number | boolean;

/** One switch of the upstream server: its default, what else it may be, and what it is about. */
interface SwitchRow<Value extends SwitchValue> {
  readonly default: Value;
  /** The values it may have; left out for a number, which is then from 0 to `max`. */
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
 * Everything about the upstream that no manual and no recorded answer settles, as a switch. The first value of
 * each is the default: what seems likeliest.
 */
export const UNKNOWN_SWITCHES = {
  errorStatus: choice([200, 400, 404, 500], 'HTTP status of a plain-text error'),
  errorGzipped: choice([false, true], 'whether a plain-text error is a gzip file too when gzip is asked for'),
  contentType: choice(
    ['proper', 'html', 'none'],
    'Content-Type: one for each format; text/html for all, as PHP has it; none at all',
  ),
  neverRanked: choice(
    ['empty', 'error'],
    'rankin of a novel that never ranked: `[]`, or as for no such novel',
  ),
  unpublishedRanking: choice(['empty', 'error'], 'rankget of a date not published yet: `[]` or Invalid date'),
  tooEarlyRanking: choice(['error', 'empty'], 'rankget of a date before 2013-05-01'),
  rankingReadyHour: choice([4, 5, 6, 7], 'hour in Japan from which the ranking of the day is there'),
  limAboveMax: choice(['clamp', 'default', 'error'], 'lim above 500: 500, 20, or an error'),
  limZero: choice(['default', 'one', 'empty', 'error'], 'lim=0: 20 rows, 1 row, no rows, or an error'),
  stZero: choice(['first', 'empty', 'error'], 'st=0: as 1, no rows, or an error'),
  stBeyondWindow: choice(
    ['empty', 'clamp', 'serve', 'error'],
    'st above 2000: no rows, as 2000, as asked ...',
  ),
  invalidNumber: choice(
    ['default', 'prefix', 'error'],
    'lim or st that is no number: the default, its leading digits as PHP reads them, or an error',
  ),
  invalidFilter: choice(
    ['ignore', 'empty', 'error'],
    'a filter value that makes no sense (genre=abc): as if left out, nothing matches, or an error',
  ),
  unknownOrder: choice(
    ['default', 'error'],
    'an order the interface does not know: its default, or an error',
  ),
  ofAllUnknown: choice(
    ['all', 'empty', 'error'],
    '`of` without a single known code: all fields, records without fields (PHP writes `[]`), or an error',
  ),
  keyOrder: choice(['canonical', 'requested'], 'order of the keys when `of` is given'),
  weeklyUniquePosition: choice(['last', 'first'], 'where `weekly_unique` stands in a record (opt=weekly)'),
  firstupFilter: choice(['works', 'ignored'], 'the undocumented filter firstup'),
  adultForeignFilters: choice(
    ['ignore', 'error'],
    'filters that only novelapi has (userid, genre, biggenre, isr15 ...), given to novel18api',
  ),
  emptyUsers: choice(['allcount', 'list'], 'userapi without a match: `[{"allcount":0}]` or `[]`'),
  noName1st: choice(['null', 'empty'], 'name1st of a user whose furigana starts with no kana: null or ""'),
  unknownOut: choice(['yaml', 'error'], 'an output format that does not exist'),
  badCallback: choice(['error', 'json'], 'out=jsonp without a valid callback: an error, or plain JSON'),
  staleAllcount: choice(
    [false, true],
    'allcount of 1000 and more lags behind, and differs from page to page',
  ),
  maxUrlLength: count(1_000_000, 'longest URL in characters; longer ones get a 414 page; 0: no limit'),
  maintenance: choice(
    ['off', 'html503', 'html200', 'text503', 'text200'],
    'what maintenance looks like: a web page or a line of text, with status 503 or 200',
  ),
} as const;

/** Fields that a switch can leave out or rename: of each kind. */
const SPOILT_FIELDS = [
  ...(['off', 'title', 'story', 'genre', 'length', 'isr15', 'general_lastup', 'general_all_no'] as const),
  ...(['global_point', 'daily_point', 'weekly_unique'] as const),
] as const;

/** Faults for tests of a client: each works on every answer while it is set. */
export const FAULT_SWITCHES = {
  requireUserAgent: choice(
    [true, false],
    'a request without User-Agent gets 403 (this is known of the upstream)',
  ),
  latencyMs: count(600_000, 'milliseconds before anything is answered'),
  hang: choice(['off', 'beforeHeaders', 'midBody'], 'the connection stays open, but nothing more comes'),
  dripMs: count(600_000, 'milliseconds between two bytes of the body; 0: all at once'),
  reset: choice(['off', 'beforeHeaders', 'midBody'], 'the connection is cut'),
  body: choice(
    ['normal', 'truncated', 'garbage', 'empty', 'notJson', 'object', 'trailing'],
    'half of the body (of the gzip file, when asked for); random bytes; nothing; other text; `{}`; more behind it',
  ),
  record: choice(
    ['normal', 'extraField', 'numbersAsStrings', 'noNcode', 'nullStrings', 'floats'],
    'records with a field nobody knows, with the wrong types, or without their ncode',
  ),
  leftOutField: choice(SPOILT_FIELDS, 'a field that no record has'),
  renamedField: choice(SPOILT_FIELDS, 'a field that comes under another name'),
  fieldFaultEvery: count(1_000_000, 'only every so manieth record lacks that field, by its Ncode; 0: all do'),
  mostRows: count(500, 'rows that a page has at most, whatever lim says; 0: as asked'),
  doubledRows: choice([false, true], 'whether the first record of a page stands at its end again'),
  shiftedRows: count(500, 'how many rows later than asked a page that is not the first begins'),
  zeroFigures: choice([false, true], 'whether all figures that readers make are 0'),
  emptyTitles: choice([false, true], 'whether all titles are empty'),
  overlongText: count(50_000_000, 'letters of the story of one novel in a thousand; 0: as it is'),
  bodyFaultEvery: count(1_000_000, 'the switch `body` spoils every so manieth answer only; 0: all'),
  hugeBodyBytes: count(2_000_000_000, 'the body is this many blanks instead'),
  status: count(599, 'status of every answer, with its usual body; 0: as it should be'),
  retryAfterSeconds: count(86_400, 'sent as Retry-After; 0: not sent'),
} as const;

export const SWITCHES = { ...UNKNOWN_SWITCHES, ...FAULT_SWITCHES } as const;

export type SwitchName = keyof typeof SWITCHES;

type ValueOf<Row> = Row extends SwitchRow<infer Value> ? Value : never;

/** How the upstream server behaves. May be changed while it runs. */
export type NarouServerSwitches = { -readonly [Name in SwitchName]: ValueOf<(typeof SWITCHES)[Name]> };

/** A fresh object with the defaults, but for what is given. */
export function makeSwitches(changes: Partial<NarouServerSwitches> = {}): NarouServerSwitches {
  const defaults = Object.fromEntries(Object.entries(SWITCHES).map(([name, row]) => [name, row.default]));
  return { ...(defaults as NarouServerSwitches), ...changes };
}

const isSwitchName = (name: string): name is SwitchName => Object.hasOwn(SWITCHES, name);

const readValue = (name: SwitchName, text: string): SwitchValue | undefined => {
  const row: SwitchRow<SwitchValue> = SWITCHES[name];
  if (row.values !== undefined) return row.values.find((value) => String(value) === text);
  return /^\d{1,10}$/.test(text) && Number(text) <= (row.max ?? 0) ? Number(text) : undefined;
};

/** What a switch may be, in words: `empty, error` or `0 to 599`. */
export function describeValues(name: SwitchName): string {
  const row: SwitchRow<SwitchValue> = SWITCHES[name];
  return row.values === undefined ? `0 to ${row.max ?? 0}` : row.values.join(', ');
}

/** Reads switches as a command line gives them (`neverRanked=error`); `faults` names every one that is wrong. */
export function parseSwitches(texts: readonly string[]): {
  changes: Partial<NarouServerSwitches>;
  faults: string[];
} {
  const changes: Record<string, SwitchValue> = {};
  const faults: string[] = [];
  for (const text of texts) {
    const [name = '', ...rest] = text.split('=');
    if (!isSwitchName(name)) {
      faults.push(`${name}: no such switch; there are ${Object.keys(SWITCHES).join(', ')}`);
      continue;
    }
    const value = readValue(name, rest.join('='));
    if (value === undefined) faults.push(`${name}: ${rest.join('=')} is none of ${describeValues(name)}`);
    else changes[name] = value;
  }
  return { changes, faults };
}
