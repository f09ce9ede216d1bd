import { text } from '@mokuroku/kit';
import type { Text } from '@mokuroku/kit';
import { DATES, DETAILS, OTHER_DETAILS, mapRows } from './fields.ts';
import type { DateName, DetailName, DetailRow, REGISTRANT_DETAILS, REGISTRAR_DETAILS } from './fields.ts';

/** A DS record (RFC 4034, section 5.1). */
export interface DelegationSigner {
  keyTag: number;
  algorithm: number;
  digestType: number;
  /** Hexadecimal, capitals. */
  digest: string;
}

export interface Dnssec {
  signed: boolean;
  ds: DelegationSigner[];
}

/**
 * The parsed fields of a registration, as published (`parsed` of a look-up). Keys are always present. Dates are
 * `YYYY-MM-DDTHH:MM:SSZ` (UTC), or `YYYY-MM-DD` if the registry states only a day.
 */
export interface ParsedRegistration extends Record<DateName | keyof typeof OTHER_DETAILS, string | null> {
  /** As the registry states it, lower case, without trailing dot; A-labels or Unicode as stated. */
  domainName: string | null;
  registrar: string | null;
  /** Lower case, no trailing dot, no addresses, no duplicates, in the registry's order. */
  nameServers: string[];
  /** EPP codes or the registry's own words, without URLs. */
  status: string[];
  registrarDetails: Record<keyof typeof REGISTRAR_DETAILS, string | null> | null;
  registrant: Record<keyof typeof REGISTRANT_DETAILS, string | null> | null;
  dnssec: Dnssec | null;
}

export type RecordField = keyof ParsedRegistration;

/** The fields, by their names for people. */
export const FIELD_LABELS: Readonly<Record<RecordField, Text>> = {
  domainName: text('Name', '名前'),
  registrar: text('Registrar', 'レジストラ'),
  ...mapRows(DATES, (_, { label }) => label),
  nameServers: text('Name servers', 'ネームサーバー'),
  status: text('Status', '状態コード'),
  registrarDetails: text('Details of the registrar', 'レジストラの詳細'),
  registrant: text('Registrant', '登録者'),
  dnssec: text('DNSSEC', 'DNSSEC'),
  ...mapRows(OTHER_DETAILS, (_, { label }) => label),
};
export const RECORD_FIELDS = Object.keys(FIELD_LABELS) as RecordField[];

/** A value that is stated and cannot be read: neither a value nor absent (null). */
export const UNREADABLE = Symbol('unreadable');
export type Stated<Value> = Value | null | typeof UNREADABLE;

/** Items as stated; one that cannot be read may state anything. */
export type List<Item> = readonly (Item | typeof UNREADABLE)[];

/** The first items without duplicates; further ones are not read. */
export function distinct<Item>(list: List<Item>, most: number): List<Item> {
  const items = [...new Set(list)];
  return items.length > most ? [...items.slice(0, most), UNREADABLE] : items;
}

export interface Completeness {
  /** The connection broke early. */
  truncated?: true | undefined;
  incomplete?: readonly RecordField[] | undefined;
}

/** Whether the answer may state more in one of the fields than its record has. */
export const isUnknown = ({ truncated, incomplete = [] }: Completeness, ...fields: readonly RecordField[]) =>
  truncated === true || fields.some((field) => incomplete.includes(field));

/** Whether a field has no value. */
export const isBlank = (value: unknown): boolean =>
  value === null || (Array.isArray(value) && value.length === 0);

/** A record without any facts. */
export const NOTHING_STATED: ParsedRegistration = {
  domainName: null,
  registrar: null,
  ...mapRows(DATES, () => null),
  nameServers: [],
  status: [],
  registrarDetails: null,
  registrant: null,
  dnssec: null,
  ...mapRows(OTHER_DETAILS, () => null),
};

/** The values of all details, with their rows. Earlier versions of the service state fewer. */
export function detailsOf(parsed: ParsedRegistration): { row: DetailRow; value: string | null }[] {
  const { registrarDetails, registrant } = parsed;
  const values: Partial<Record<DetailName, string | null>> = {
    ...parsed,
    ...registrarDetails,
    ...registrant,
  };
  return Object.values(mapRows(DETAILS, (name, row) => ({ row, value: values[name] ?? null })));
}

/**
 * State of the name according to an answer. `throttled`: the server asks to slow down. `refused`: the server refuses
 * us, or this zone. `broken`: empty, truncated, HTML, or unreadable, so nothing follows from it.
 */
export type RegistrationState =
  'registered' | 'not_registered' | 'reserved' | 'throttled' | 'refused' | 'invalid' | 'broken';

/** A parsed answer (WHOIS text or RDAP JSON). */
export interface RegistrationReading {
  state: RegistrationState;
  parsed: ParsedRegistration;
  /** The fields that are stated, or may be, and cannot be read: null, or a part of the list. */
  incomplete: RecordField[];
  /** The registrar's WHOIS server as stated, unchecked: host, host:port or URL. */
  registrarWhoisServer: string | null;
  /** Seconds to wait, if a throttling answer states them. */
  retryAfterSeconds: number | null;
  /** What decided the state; null or absent if nothing did. */
  evidence?: Evidence | null;
  /** Of an unreadable answer: the contradicting or unknown lines, at most four. */
  contradictions?: readonly Evidence[];
  /** True for a known throttling sentence, status 429, or 503 with a wait: only these pause the server. */
  isKnownThrottling?: boolean;
}

const MAX_CONTRADICTIONS = 4;

/** The state of a name according to an answer, and what decided it. */
export type StateReading = Required<Pick<RegistrationReading, 'state' | 'evidence' | 'contradictions'>>;

/** A state that a line decides. */
export const decided = (state: RegistrationState, { kind, line }: Evidence): StateReading => ({
  state,
  evidence: { kind, line },
  contradictions: [],
});

/** Of an answer that the lines make unreadable. */
export const unreadable = (lines: readonly Evidence[]): StateReading => ({
  state: 'broken',
  evidence: null,
  contradictions: lines.slice(0, MAX_CONTRADICTIONS).map(({ kind, line }) => ({ kind, line })),
});

/** A value of which a member or an item may be unreadable. */
type Partly<Value> = Value extends readonly (infer Item)[]
  ? List<Item>
  : Value extends object
    ? { [Name in keyof Value]: Partly<Value[Name]> } | typeof UNREADABLE
    : Value | typeof UNREADABLE;
/** The fields as their readers read them. */
export type StatedRecord = { [Field in RecordField]: Partly<ParsedRegistration[Field]> };

/**
 * A record as published: a group without any value is null. `unreadable`: fields with a statement that could not be read;
 * they are incomplete if they have no other.
 */
export function publishRecord(
  stated: StatedRecord,
  unreadable: ReadonlySet<RecordField> = new Set(),
): Pick<RegistrationReading, 'parsed' | 'incomplete'> {
  const incomplete = new Set<RecordField>();
  const publish = (field: RecordField, value: unknown): unknown => {
    if (value === UNREADABLE) incomplete.add(field);
    if (value === UNREADABLE || value === null) return null;
    if (Array.isArray(value)) return value.filter((item) => publish(field, item) !== null);
    if (typeof value !== 'object') return value;
    const members = mapRows(value, (_, inner) => publish(field, inner));
    return Object.values(members).some((inner) => inner !== null) ? members : null;
  };
  const parsed = mapRows(FIELD_LABELS, (field) => publish(field, stated[field]));
  for (const field of unreadable) if (isBlank(parsed[field])) incomplete.add(field);
  return {
    parsed: parsed as unknown as ParsedRegistration,
    incomplete: RECORD_FIELDS.filter((field) => incomplete.has(field)),
  };
}

/**
 * What decided the state of an answer: a known sentence, a status value, the record itself, or an RDAP object or status
 * code.
 */
export type EvidenceKind = 'sentence' | 'status' | 'record' | 'rdap';

/** A line of an answer that decides a state. */
export interface Evidence {
  kind: EvidenceKind;
  /** The line as `raw` has it, without blanks around it, at most MAX_EVIDENCE_LENGTH characters. */
  line: string;
  /**
   * Of a denial in a zone for which neither IANA nor the operator names a server: the name of the registry that this
   * server called registered, and when (`YYYY-MM-DDTHH:MM:SSZ`).
   */
  control?: { name: string; at: string };
}

const MAX_EVIDENCE_LENGTH = 200;

/** Evidence of one line, cut to its bound. */
export function evidenceOf(kind: EvidenceKind, line: string): Evidence {
  const trimmed = line.trim();
  if (trimmed.length <= MAX_EVIDENCE_LENGTH) return { kind, line: trimmed };
  // The cut may be within a surrogate pair.
  const start = trimmed.slice(0, MAX_EVIDENCE_LENGTH - 1).replace(/[\ud800-\udbff]$/, '');
  return { kind, line: `${start}…` };
}
