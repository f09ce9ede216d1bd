import { NOTHING_STATED } from '../../look-up/registration-record.ts';
import type {
  ParsedRegistration,
  RegistrationReading,
  RegistrationState,
} from '../../look-up/registration-record.ts';
import { FAILURE } from './denial-words.ts';
import { isTrouble } from './not-registered.ts';
import { isSameName } from './same-name.ts';
import { isSomebody } from './somebody.ts';
import { LONGEST_SHORT, readStatement } from './statements.ts';
import type { Statement } from './statements.ts';
import { STATE_OF_STATUS } from './state-phrases.ts';
import { areOfRegistration } from './status-words.ts';
import { plainTextOf } from './plain-text.ts';
import { readRecords } from './read-records.ts';
import { TextRecord } from './text-record.ts';
import { dateRuleOf } from './registry-dates.ts';
import type { DateRule } from './registry-dates.ts';
import { applyQuirk, isOwnDenial } from './registry-quirks.ts';
import { ownOrder, settleDate } from './settled-date.ts';
import type { StatedDate } from './stated-date.ts';

/** What the asker knows beside the text. Both may be left out: the text alone is read then. */
export interface WhoisHints {
  /** Host name of the server that gave the text. */
  server?: string | null;
  /** The name asked for. It helps to choose rules and records; it is never echoed as the answer's own. */
  domain?: string | null;
}

/**
 * Reads one WHOIS answer, wherever it comes from: what it says of the name (`state`), and the seven fields, null or
 * empty where the text says nothing. Dates are ISO 8601 in UTC, or a day alone. Never throws; time and memory grow
 * with the length of the text and no faster. The server and the name asked for help to choose the registry's rules.
 *
 * @example
 * parseWhois(text, { server: 'whois.nic.example', domain: 'name.example' }).parsed.registrar;
 */
export function parseWhoisText(text: string, hints: WhoisHints = {}): RegistrationReading {
  const asked = hints.domain?.toLowerCase() ?? null;
  const plain = plainTextOf(text);
  const records = readRecords(plain, asked);
  const record = chooseRecord(records, asked);
  const tld = tldOf(record.domain ?? asked ?? '');
  applyQuirk(tld, record);
  const { state, name, waitSeconds } = isOwnDenial(hints.server ?? null, text)
    ? saysOnly('not_registered')
    : judge(text, plain, records, record, asked);
  // What is said of the name asked for, and the record of another, are not one answer.
  const hasRecord = state === 'registered' || (state === 'reserved' && !isOfAnother(record, asked));
  return {
    state,
    parsed: hasRecord
      ? publish(record, dateRuleIn(plain, record, tld))
      : { ...NOTHING_STATED, domainName: record.domain ?? name },
    registrarWhoisServer: hasRecord ? record.registrarServer : null,
    retryAfterSeconds: state === 'throttled' ? waitSeconds : null,
  };
}

function tldOf(domain: string): string {
  return domain.slice(domain.lastIndexOf('.') + 1).toLowerCase();
}

/**
 * The record of the name asked for, else the first that tells something of a name below a top-level domain,
 * completed from further records of the same name (a registrar's answer joined to the registry's).
 */
function chooseRecord(records: readonly TextRecord[], asked: string | null): TextRecord {
  const [only] = records;
  if (only !== undefined && records.length === 1) return only;
  const chosen =
    (asked === null
      ? undefined
      : records.find(({ domain }) => domain !== null && isSameName(domain, asked))) ??
    records.find((record) => record.domain?.includes('.') === true && record.hasFacts()) ??
    records.find((record) => record.hasFacts()) ??
    records.find((record) => record.domain !== null) ??
    new TextRecord();
  for (const other of records) {
    if (other !== chosen && other.domain === chosen.domain) chosen.fillFrom(other);
  }
  return chosen;
}

/** What a server other than WHOIS answers with: a page, an HTTP head, JSON. It is never a registry's word on a name. */
const FOREIGN = /^[ \t\ufeff]{0,64}(?:<[!?a-z]|HTTP\/\d|\{|\[\s{0,64}[{"]|content-type: |x-powered-by: )/im;

/** What a word of status says of its name alone. */
const OF_A_NAME: ReadonlySet<RegistrationState> = new Set(['not_registered', 'reserved']);

function judge(
  text: string,
  plain: string,
  records: readonly TextRecord[],
  record: TextRecord,
  asked: string | null,
): Statement {
  if (isUnassigned(record, plain)) return saysOnly('not_registered');
  if (record.isMixed) return saysOnly('broken');
  if (isOfAnother(record, asked)) {
    const statement = readStatement(plain, asked);
    const isNameless = statement?.state === 'not_registered' && statement.name === null;
    if (statement !== null) return isNameless ? saysOnly('broken') : statement;
    const isAmongOthers = records.some(({ domain }) => domain !== null && domain !== record.domain);
    if (isAmongOthers || (asked !== null && plain.toLowerCase().includes(asked))) return saysOnly('broken');
  }
  const byStatus = stateOfStatuses(record);
  if (byStatus === null && isRecord(record, plain, asked)) return saysOnly('registered');
  const isForeign = FOREIGN.test(text.slice(0, 1000));
  // A word of status without a name may be anybody's: `Status: 404 Not Found` is a web server's.
  const isOfTheName = record.domain !== null && !isOfAnother(record, asked);
  const isStated = byStatus !== null && !isForeign && (isOfTheName || !OF_A_NAME.has(byStatus));
  if (isStated && (byStatus !== 'not_registered' || isFreeByStatus(record, plain, asked))) {
    return saysOnly(byStatus);
  }
  const statement = readStatement(plain, asked);
  if (statement === null || (isForeign && statement.state !== 'throttled')) return saysOnly('broken');
  // Of a name with a status or a registrar, `Result: not found` is said of something else.
  const isNo = statement.state === 'not_registered';
  const isInDoubt =
    isStated ||
    byStatus === 'reserved' ||
    record.holder !== null ||
    record.isHeld() ||
    areOfRegistration(record.status);
  return isNo && isInDoubt ? saysOnly('broken') : statement;
}

/**
 * Whether nothing contradicts a status that says "no": a fact of a registration, another status, an error, or in an
 * answer without terms of use a sentence.
 */
function isFreeByStatus(record: TextRecord, text: string, asked: string | null): boolean {
  if (record.holder !== null || record.isHeld() || FAILURE.test(text)) return false;
  if (record.status.some((status) => stateOf(status) !== 'not_registered')) return false;
  if (text.length > LONGEST_SHORT) return true;
  const statement = readStatement(text, asked);
  if (statement !== null) return statement.state === 'not_registered';
  const lines = text.toLowerCase().split('\n');
  return !lines.some((line) => isTrouble(line.trim(), asked ?? record.domain));
}

/** State that the record's own status values state; null where they state an ordinary registration or none. */
function stateOfStatuses(record: TextRecord): RegistrationState | null {
  for (const status of record.status) {
    const state = stateOf(status);
    if (state === 'broken' && record.isServed()) continue;
    if (state === 'withheld' && !record.isHeld()) return 'reserved';
    if (state !== undefined && state !== 'withheld') return state;
  }
  return null;
}

/** .nz numbers its states: `220 Available`. */
function stateOf(status: string): RegistrationState | 'withheld' | undefined {
  return STATE_OF_STATUS.exactly(status.replace(/^[1-9]\d\d /, ''));
}

/** A record of another name: where a "no" or further names stand beside it, it says nothing of the one asked for. */
function isOfAnother({ domain }: TextRecord, asked: string | null): boolean {
  return domain?.includes('.') === true && asked !== null && !isSameName(domain, asked);
}

function saysOnly(state: RegistrationState): Statement {
  return { state, name: null, waitSeconds: null };
}

/** The root keeps an object for top-level domains that nobody runs: `organisation: Not assigned`. */
function isUnassigned(record: TextRecord, text: string): boolean {
  return (
    record.domain?.includes('.') === false && /^organisation[^:\n]{0,40}: {1,8}Not assigned/im.test(text)
  );
}

/**
 * A name and a fact, where a status alone must be one of a registration, and neither it nor a date is one beside an
 * error. A name that may be the question's takes two kinds of facts. Without a name two facts, since an error may
 * carry a date too, in a text that has the first label of the name asked for.
 */
function isRecord(record: TextRecord, text: string, asked: string | null): boolean {
  if (record.domain !== null && !record.isEcho()) {
    const { domain, holder, nameServers, registrar } = record;
    if (nameServers.length > 0 || isRegistrar(registrar, domain) || isSomebody(holder, domain)) return true;
    return (record.isDated() || areOfRegistration(record.status)) && !FAILURE.test(text);
  }
  if (record.domain !== null) return kindsOfFacts(record) > 1 && !FAILURE.test(text);
  const [label = ''] = asked?.split('.') ?? [];
  const facts = [record.registrar, record.created.date, record.expires.date, record.updated.date];
  const count = facts.filter((fact) => fact !== null).length + record.nameServers.length;
  return count > 1 && text.toLowerCase().includes(label);
}

/** A word of status under the registrar's label (`Registrar: Active`) is none. */
function isRegistrar(registrar: string | null, domain: string | null): boolean {
  return registrar !== null && !areOfRegistration([registrar]) && isSomebody(registrar, domain);
}

function kindsOfFacts(record: TextRecord): number {
  const { domain, holder, registrar, nameServers } = record;
  // `status: ok` may be that of the question.
  const status = record.status.filter((word) => word.toLowerCase() !== 'ok');
  const isOfRegistration = areOfRegistration(status);
  const facts = [
    isSomebody(holder, domain),
    isRegistrar(registrar, domain),
    nameServers.length > 0,
    record.isDated(),
    isOfRegistration,
  ];
  return facts.filter(Boolean).length;
}

const DAY_FIRST = /\bdd[-/.]mm[-/.]yy/i;
const MONTH_FIRST = /\bmm[-/.]dd[-/.]yy/i;

/** The registry's rule, with the order of day and month that the text itself shows. */
function dateRuleIn(text: string, { created, expires, updated }: TextRecord, tld: string): DateRule {
  const rule = dateRuleOf(tld);
  const dates = [created.date, expires.date, updated.date].filter((date) => date?.numericOrder === true);
  if (dates.length === 0) return rule;
  if (DAY_FIRST.test(text)) return { ...rule, order: 'dmy' };
  if (MONTH_FIRST.test(text)) return { ...rule, order: 'mdy' };
  const shown = dates.map((date) => (date === null ? null : ownOrder(date))).find((order) => order !== null);
  return { ...rule, order: shown ?? rule.order };
}

function publish(record: TextRecord, rule: DateRule): ParsedRegistration {
  return {
    domainName: record.domain,
    registrar: record.registrar,
    creationDate: settled(record.created.date, rule),
    expirationDate: settled(record.expires.date, rule),
    updatedDate: settled(record.updated.date, rule),
    nameServers: record.nameServers,
    status: record.status,
    ...record.details.published(),
  };
}

function settled(date: StatedDate | null, rule: DateRule): string | null {
  return date === null ? null : settleDate(date, rule);
}
