import { MOST_LINES } from './lines.ts';
import type { Line } from './lines.ts';
import { plainTextOf } from './plain-text.ts';
import { observeLines } from './read-records.ts';
import { DETAILS_IN_SECTION, GENERAL_LABELS, isContactLabel } from './vocabulary.ts';
import type { SectionName } from './vocabulary.ts';

/** Stands in place of lines that are left out. */
const LEFT_OUT = '[contact left out]\n';

const EMAIL = /[^\s@]+@[^\s@]+\.[^\s@]/;
const TELEPHONE = /\+\d{1,3}[ .(-]*\d[\d .()-]{4,}/;

/** Where an organisation is reached about abuse, which it publishes for everybody. */
function isForEverybody({ label }: Line): boolean {
  if (label === null) return false;
  const detail = GENERAL_LABELS.get(label)?.detail ?? DETAILS_IN_SECTION.registrar?.get(label);
  return detail === 'abuseEmail' || detail === 'abusePhone';
}

/** Helper objects of a record, and what they say of the name: a set of name servers (.cz). */
const isNameServer = ({ label }: Line): boolean =>
  label !== null && GENERAL_LABELS.get(label)?.field === 'nameServer';

/**
 * A WHOIS text without the lines of contacts: those under their headings, those with their labels and what goes on
 * behind these, and every line with an e-mail address or a telephone number but those for reports of abuse.
 */
export function redactContacts(text: string, domain: string | null): string {
  const plain = plainTextOf(text);
  const kept: string[] = [];
  let [at, count] = [0, 0];
  /** The line before, where it was left out. */
  let before: Line | undefined;

  function isContact(line: Line, section: SectionName): boolean {
    if (isForEverybody(line)) return false;
    if (EMAIL.test(line.text) || TELEPHONE.test(line.text)) return true;
    if (section === 'contact') return !isNameServer(line);
    if (section !== 'registrar' && line.label !== null && isContactLabel(line.label)) return true;
    // An address goes on below its first line.
    const goesOn = before !== undefined && !line.afterGap;
    return goesOn && (line.label === null || line.indent > (before?.indent ?? 0));
  }

  observeLines(plain, domain, (line, section) => {
    count++;
    const isCut = isContact(line, section);
    if (isCut) {
      const between = plain.slice(at, line.start);
      if (before === undefined || between.trim() !== '') kept.push(between, LEFT_OUT);
      at = Math.min(line.end + 1, plain.length);
    }
    before = isCut ? (before && !line.afterGap ? before : line) : undefined;
  });
  // Lines beyond are not read.
  if (count < MOST_LINES) kept.push(plain.slice(at));
  return kept.join('');
}
