/**
 * What decided what an answer says: a sentence of the table of known sentences, a value of status, the record itself, an
 * RDAP object or status code, or the same sentence said of a name that nobody can hold (see witnesses).
 */
export type EvidenceKind = 'sentence' | 'status' | 'record' | 'rdap' | 'witness';

/** One line of an answer that speaks for a state. */
export interface Evidence {
  kind: EvidenceKind;
  /** The line as `raw` has it, without blanks around it, at most LONGEST_EVIDENCE characters. */
  line: string;
}

const LONGEST_EVIDENCE = 200;

/** Evidence of one line, cut to its bound. */
export function evidenceOf(kind: EvidenceKind, line: string): Evidence {
  const trimmed = line.trim();
  const isLong = trimmed.length > LONGEST_EVIDENCE;
  return { kind, line: isLong ? `${trimmed.slice(0, LONGEST_EVIDENCE - 1)}…` : trimmed };
}

/**
 * A short answer without facts of a registration, as witnesses compare it: see `readShortAnswer` of the WHOIS parsers.
 */
export interface ShortAnswer {
  /** Its first line that is compared, as it came. */
  firstLine: string;
  /** Its lines that are no comments, with `{name}` for the name asked for. */
  lines: readonly string[];
  /** The same with `{label}` for the name's first label as well. */
  labelledLines: readonly string[];
}
