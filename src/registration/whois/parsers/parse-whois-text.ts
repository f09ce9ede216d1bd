import type {
  ParsedRegistration,
  RegistrationReading,
  RegistrationState,
} from '../../registration-record.ts';
import { stateOfSentences, stateOfStatuses } from './answer-state.ts';
import { readRecords } from './read-records.ts';
import type { TextRecord } from './registration-text-record.ts';
import { dateRuleOf, type DateRule } from './registry-dates.ts';
import { settleDate } from './settled-date.ts';
import type { StatedDate } from './stated-date.ts';

/** What the asker knows beside the text. Both may be left out: the text alone is read then. */
export interface WhoisHints {
  /** Host name of the server that gave the text. */
  server?: string | null;
  /** The name asked for. It helps to choose rules and records; it is never echoed as the answer's own. */
  domain?: string | null;
}

/** Reads one WHOIS answer. Never throws; time and memory are linear in the length of the text. */
export function parseWhoisText(text: string, hints: WhoisHints = {}): RegistrationReading {
  const records = readRecords(text);
  const record = chooseRecord(records, hints.domain ?? null);
  const { state, at } = judge(text, record);
  const rule = dateRuleOf(tldOf(record.domain ?? hints.domain ?? ''));
  return {
    state,
    parsed: state === 'registered' || state === 'reserved' ? publish(record, rule) : nameOnly(record),
    registrarWhoisServer: record.registrarServer,
    retryAfterSeconds: at === null ? null : null,
  };
}

function tldOf(domain: string): string {
  return domain.slice(domain.lastIndexOf('.') + 1).toLowerCase();
}

function chooseRecord(records: TextRecord[], asked: string | null): TextRecord {
  const name = asked?.toLowerCase() ?? null;
  return records.find((record) => record.domain === name && name !== null) ?? (records[0] as TextRecord);
}

function judge(text: string, record: TextRecord): { state: RegistrationState; at: number | null } {
  const byStatus = stateOfStatuses(record);
  if (byStatus !== null) return { state: byStatus, at: null };
  if (isRecord(record)) return { state: 'registered', at: null };
  const said = stateOfSentences(text);
  if (said !== null) return said;
  if (record.domain !== null && text.split('\n', 8).length > 6) return { state: 'registered', at: null };
  return { state: 'broken', at: null };
}

function isRecord(record: TextRecord): boolean {
  if (record.domain !== null && record.hasFacts()) return true;
  const facts = [record.registrar, record.created.date, record.expires.date, record.updated.date];
  return facts.filter((fact) => fact !== null).length + record.nameServers.length > 1;
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

function nameOnly(record: TextRecord): ParsedRegistration {
  return {
    domainName: record.domain,
    registrar: null,
    creationDate: null,
    expirationDate: null,
    updatedDate: null,
    nameServers: [],
    status: [],
  };
}
