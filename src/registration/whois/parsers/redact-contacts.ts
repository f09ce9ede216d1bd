import { MAX_LINES } from './lines.ts';
import type { Line } from './lines.ts';
import { plainTextOf } from './plain-text.ts';
import { observeLines } from './read-records.ts';
import { DETAILS_IN_SECTION, GENERAL_LABELS, isContactLabel } from './vocabulary.ts';
import type { SectionName } from './vocabulary.ts';

/** Replaces omitted lines. */
const OMISSION = '[contact removed]\n';

const EMAIL = /[^\s@]+@[^\s@]+\.[^\s@]/;
const TELEPHONE = /\+\d{1,3}[ .(-]*\d[\d .()-]{4,}/;

/** Whether a line is a contact for abuse reports, which is public. */
function isAbuseContact({ label }: Line): boolean {
  if (label === null) return false;
  const detail = GENERAL_LABELS.get(label)?.detail ?? DETAILS_IN_SECTION.registrar?.get(label);
  return detail === 'abuseEmail' || detail === 'abusePhone';
}

/** Name servers are public, also in a helper object such as an nsset (.cz). */
const isNameServer = ({ label }: Line): boolean =>
  label !== null && GENERAL_LABELS.get(label)?.field === 'nameServer';

/**
 * Removes the lines of contacts from a WHOIS text: lines under their headings, lines with their labels and continuations
 * of these, and lines with an e-mail address or telephone number. Contacts for abuse reports remain.
 */
export function redactContacts(text: string, domain: string | null): string {
  const plain = plainTextOf(text);
  const parts: string[] = [];
  let [at, count] = [0, 0];
  /** The previous line, if it was omitted. */
  let before: Line | undefined;

  function isContact(line: Line, section: SectionName): boolean {
    if (isAbuseContact(line)) return false;
    if (EMAIL.test(line.text) || TELEPHONE.test(line.text)) return true;
    if (section === 'contact') return !isNameServer(line);
    if (section !== 'registrar' && line.label !== null && isContactLabel(line.label)) return true;
    // An address continues on the lines below.
    const isContinuation = before !== undefined && !line.afterGap;
    return isContinuation && (line.label === null || line.indent > (before?.indent ?? 0));
  }

  observeLines(plain, domain, (line, section) => {
    count++;
    const isOmitted = isContact(line, section);
    if (isOmitted) {
      const between = plain.slice(at, line.start);
      if (before === undefined || between.trim() !== '') parts.push(between, OMISSION);
      at = Math.min(line.end + 1, plain.length);
    }
    before = isOmitted ? (before && !line.afterGap ? before : line) : undefined;
  });
  // Lines beyond the maximum were not checked: they are omitted.
  if (count < MAX_LINES) parts.push(plain.slice(at));
  return parts.join('');
}
