/**
 * What decided the state of an answer: a known sentence, a status value, the record itself, an RDAP object or status
 * code, or a test with witnesses (see witnesses.ts).
 */
export type EvidenceKind = 'sentence' | 'status' | 'record' | 'rdap' | 'witness';

/** A line of an answer that decides a state. */
export interface Evidence {
  kind: EvidenceKind;
  /** The line as `raw` has it, without blanks around it, at most MAX_EVIDENCE_LENGTH characters. */
  line: string;
}

const MAX_EVIDENCE_LENGTH = 200;

/** Evidence of one line, cut to its bound. */
export function evidenceOf(kind: EvidenceKind, line: string): Evidence {
  const trimmed = line.trim();
  const isLong = trimmed.length > MAX_EVIDENCE_LENGTH;
  // The cut may be within a surrogate pair.
  const start = trimmed.slice(0, MAX_EVIDENCE_LENGTH - 1).replace(/[\ud800-\udbff]$/, '');
  return { kind, line: isLong ? `${start}…` : trimmed };
}

/**
 * A short answer without facts of a registration, for witnesses: see `readShortAnswer` of the WHOIS parsers.
 */
export interface ShortAnswer {
  /** The first of `lines`, as received. */
  firstLine: string;
  /** The lines without comments, with `{name}` for the queried name. */
  lines: readonly string[];
  /** `lines` with `{label}` for the first label of the queried name as well. */
  labelledLines: readonly string[];
}
