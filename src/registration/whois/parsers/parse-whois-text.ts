import type {
  ParsedRegistration,
  RegistrationReading,
  RegistrationState,
} from '../../look-up/registration-record.ts';
import { nameInStatement, waitInStatement } from './statement-words.ts';
import { readStatement } from './statements.ts';
import { stateOfStatuses } from './status-state.ts';
import { plainTextOf } from './plain-text.ts';
import { readRecords } from './read-records.ts';
import { TextRecord } from './text-record.ts';
import { dateRuleOf, type DateRule } from './registry-dates.ts';
import { applyQuirk } from './registry-quirks.ts';
import { settleDate } from './settled-date.ts';
import type { StatedDate } from './stated-date.ts';

/** What the asker knows beside the text. Both may be left out: the text alone is read then. */
export interface WhoisHints {
  /** Host name of the server that gave the text. */
  server?: string | null;
  /** The name asked for. It helps to choose rules and records; it is never echoed as the answer's own. */
  domain?: string | null;
}

/** What an answer comes to before it is published. */
interface Judgement {
  state: RegistrationState;
  /** The words that told it, where no record did. */
  words: string | null;
}

/** Reads one WHOIS answer. Never throws; time and memory are linear in the length of the text. */
export function parseWhoisText(text: string, hints: WhoisHints = {}): RegistrationReading {
  const plain = plainTextOf(text);
  const { records, labelled } = readRecords(plain);
  const record = chooseRecord(records, hints.domain?.toLowerCase() ?? null);
  const tld = tldOf(record.domain ?? hints.domain ?? '');
  applyQuirk(tld, record);
  const { state, words } = judge(plain, record, labelled);
  const hasRecord = state === 'registered' || state === 'reserved';
  return {
    state,
    parsed: hasRecord ? publish(record, dateRuleOf(tld)) : nothingBut(record.domain ?? nameOf(state, words)),
    registrarWhoisServer: hasRecord ? record.registrarServer : null,
    retryAfterSeconds: state === 'throttled' && words !== null ? waitInStatement(words) : null,
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
    (asked === null ? undefined : records.find((record) => record.domain === asked)) ??
    records.find((record) => record.domain?.includes('.') === true && record.hasFacts()) ??
    records.find((record) => record.hasFacts()) ??
    records.find((record) => record.domain !== null) ??
    new TextRecord();
  for (const other of records) {
    if (other !== chosen && other.domain === chosen.domain) chosen.fillFrom(other);
  }
  return chosen;
}

function judge(text: string, record: TextRecord, labelled: number): Judgement {
  const byStatus = stateOfStatuses(record);
  if (byStatus !== null) return { state: byStatus, words: record.status.join(' ').toLowerCase() };
  if (isUnassigned(record, text)) return { state: 'not_registered', words: null };
  if (isRecord(record)) return { state: 'registered', words: null };
  const said = readStatement(text);
  if (said !== null) return said;
  // A name with an owner, as a registry of few words states it.
  const isBareRecord = record.domain?.includes('.') === true && labelled > 1;
  return { state: isBareRecord ? 'registered' : 'broken', words: null };
}

/** The root keeps an object for top-level domains that nobody runs: `organisation: Not assigned`. */
function isUnassigned(record: TextRecord, text: string): boolean {
  return record.domain?.includes('.') === false && /^organisation: {1,8}Not assigned/m.test(text);
}

function isRecord(record: TextRecord): boolean {
  if (record.domain !== null) return record.hasFacts();
  const facts = [record.registrar, record.created.date, record.expires.date, record.updated.date];
  return facts.filter((fact) => fact !== null).length + record.nameServers.length > 1;
}

function nameOf(state: RegistrationState, words: string | null): string | null {
  return state === 'not_registered' && words !== null ? nameInStatement(words) : null;
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
  };
}

function settled(date: StatedDate | null, rule: DateRule): string | null {
  return date === null ? null : settleDate(date, rule);
}

function nothingBut(domainName: string | null): ParsedRegistration {
  return {
    domainName,
    registrar: null,
    creationDate: null,
    expirationDate: null,
    updatedDate: null,
    nameServers: [],
    status: [],
  };
}
