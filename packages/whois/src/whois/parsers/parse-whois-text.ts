import { mapRows } from '../../record/fields.ts';
import { NOTHING_STATED, UNREADABLE, distinct, publishRecord } from '../../record/registration-record.ts';
import type { RegistrationReading, StatedRecord } from '../../record/registration-record.ts';
import { RegistryAnswer } from './answer.ts';
import { classify } from './classify.ts';
import { TextLines } from './lines.ts';
import { MAX_HOSTS, nameInSentence, isSameName } from './names.ts';
import { plainTextOf } from './plain-text.ts';
import { dateRuleOf, evidentOrder, readStatedDate, toPublishedDate } from './published-date.ts';
import type { DateRule } from './published-date.ts';
import { RecordReader } from './read-records.ts';
import { MAX_STATUSES } from './status-words.ts';
import { TextRecord } from './text-record.ts';

/** Optional context of a text. */
export interface WhoisHints {
  /** Host name of the answering server. */
  server?: string | null;
  /** The queried name. It selects rules and records, and is never returned as the answer's own name. */
  domain?: string | null;
}

/**
 * Parses one WHOIS answer: the state of the name and the seven fields, null or empty where the text has none. Dates are
 * ISO 8601 in UTC, or a day alone. Server and name select the registry's rules. Never throws. Time and memory are
 * linear in the length of the text.
 *
 * @example
 * const text = 'Domain Name: name.example\nRegistrar: Sample Registrar\nCreation Date: 2001-02-03T04:05:06Z';
 * const { state, parsed } = parseWhois(text, { domain: 'name.example' });
 * state; // 'registered'
 * parsed.creationDate; // '2001-02-03T04:05:06Z'
 * parsed.expirationDate; // null
 */
export function parseWhoisText(
  text: string,
  { domain, server = null }: WhoisHints = {},
): RegistrationReading {
  const queriedName = domain?.toLowerCase().replace(/\.$/, '') ?? null;
  const plain = plainTextOf(text);
  const lines = new TextLines(plain);
  const records = new RecordReader(queriedName).read(lines);
  const record = chooseRecord(records, queriedName);
  const tld = (record.domain ?? queriedName ?? '').split('.').at(-1)?.toLowerCase() ?? '';
  QUIRKS.get(tld)?.(record);
  const answer = new RegistryAnswer({ raw: text, plain, record, records, lines, queriedName, server });
  const { state, evidence, ...more } = classify(answer);
  // A reservation of the queried name is not published with the record of another.
  const hasRecord = state === 'registered' || (state === 'reserved' && !answer.isOfAnotherName());
  const deniedName = state === 'not_registered' && evidence ? nameInSentence(evidence.line) : null;
  return {
    state,
    ...(hasRecord
      ? publishRecord(statedRecord(record, dateRuleIn(plain, record, tld)), record.unreadable)
      : publishRecord({ ...NOTHING_STATED, domainName: record.domain ?? deniedName })),
    registrarWhoisServer: hasRecord ? record.registrarServer : null,
    retryAfterSeconds: null,
    isKnownThrottling: false,
    evidence,
    ...more,
  };
}

/**
 * The record of the queried name, else the first with facts, preferably of a name below a top-level domain. Further
 * records of the same name complete it (a registrar's answer joined to the registry's).
 */
function chooseRecord(records: readonly TextRecord[], queriedName: string | null): TextRecord {
  const [first = new TextRecord()] = records;
  if (records.length === 1) return first;
  const chosen =
    (queriedName === null
      ? undefined
      : records.find(({ domain }) => domain !== null && isSameName(domain, queriedName))) ??
    records.find((record) => record.domain?.includes('.') === true && record.hasFacts()) ??
    records.find((record) => record.hasFacts()) ??
    first;
  for (const other of records) {
    if (other !== chosen && isSameName(other.domain ?? '', chosen.domain ?? '')) chosen.fillFrom(other);
  }
  return chosen;
}

const DAY_FIRST = /\bdd[-/.]mm[-/.]yy/i;
const MONTH_FIRST = /\bmm[-/.]dd[-/.]yy/i;

/** The registry's rule, with the order of day and month that the text shows. */
function dateRuleIn(text: string, { dates }: TextRecord, tld: string): DateRule {
  const rule = dateRuleOf(tld);
  const stated = Object.values(dates).flatMap(({ date }) => date ?? []);
  if (!stated.some(({ numericOrder }) => numericOrder)) return rule;
  if (DAY_FIRST.test(text)) return { ...rule, order: 'dmy' };
  if (MONTH_FIRST.test(text)) return { ...rule, order: 'mdy' };
  const shown = stated.map(evidentOrder).find((order) => order !== null);
  return { ...rule, order: shown ?? rule.order };
}

function statedRecord(record: TextRecord, rule: DateRule): StatedRecord {
  return {
    domainName: record.domain,
    registrar: record.registrar,
    ...mapRows(record.dates, (_, { date }) => date && (toPublishedDate(date, rule) ?? UNREADABLE)),
    nameServers: distinct(record.nameServers, MAX_HOSTS),
    status: distinct(record.status, MAX_STATUSES),
    ...record.details.stated(),
  };
}

/** Corrects a record for a peculiarity of its registry, before publication. */
type Quirk = (record: TextRecord) => void;

/** Reads the expiration date from a status. */
const expiryIn =
  (pattern: RegExp): Quirk =>
  (record) => {
    const [stated] = record.status.flatMap((status) => pattern.exec(status)?.[1] ?? []);
    if (stated !== undefined) record.dates.expirationDate.date ??= readStatedDate(stated);
    if (record.unreadable.has('status')) record.unreadable.add('expirationDate');
  };

/** MYNIC states a host's code before its name: `[Primary Name Server] NS1EXMP0.SER`. */
const hostCodes: Quirk = (record) => {
  record.nameServers = record.nameServers.filter((host) => !host.endsWith('.ser'));
};

const QUIRKS: ReadonlyMap<string, Quirk> = new Map([
  // JPRS, names under organisational types (.co.jp, .ne.jp ...): `[State] Connected (2027/03/31)` (jprs.jp, "WHOIS no
  // mikata", 2024).
  ['jp', expiryIn(/^(?:Connected|Registered) \((\d{4}\/\d\d\/\d\d)\)$/)],
  ['my', hostCodes],
  // Until 2012: `status: OK-UNTIL 20140903121852`.
  ['ua', expiryIn(/^OK-UNTIL (\d{14})$/)],
]);
