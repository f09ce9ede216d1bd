import { labelWords } from './label-table.ts';
import { MAX_LINES } from './lines.ts';
import type { Line } from './lines.ts';
import { plainTextOf } from './plain-text.ts';
import { observeLines } from './read-records.ts';
import { DETAILS_IN_SECTION, GENERAL_LABELS, isContactLabel, isPersonalLabel } from './vocabulary.ts';
import type { SectionName } from './vocabulary.ts';

/** Replaces omitted lines, and addresses within a sentence. */
const OMISSION = '[contact removed]';

/** E-mail addresses and telephone numbers. */
const ADDRESS = /[^\s@]+@[^\s@]+\.[^\s@]*\w|\+\d{1,3}[ .(-]*\d[\d .()-]{4,}/;
const ADDRESSES = new RegExp(ADDRESS, 'g');
/** A sentence of a registry, not a line of a contact. */
const SENTENCE = /^(?:\S+\s+){8}/;
const HOST_NAME = /^\S+\.\S+$/;
/** Headings of texts, which the parser skips like contacts. */
const TEXT_HEADINGS = new Set(labelWords('disclaimer|whois'));

/** Whether a line is a contact for abuse reports, which is public. */
function isAbuseContact({ label }: Line): boolean {
  if (label === null) return false;
  const detail = GENERAL_LABELS.get(label)?.detail ?? DETAILS_IN_SECTION.registrar?.get(label);
  return detail === 'abuseEmail' || detail === 'abusePhone';
}

/** Name servers are public, also in a helper object such as an nsset (.cz). */
const isNameServer = ({ label }: Line): boolean =>
  label !== null && GENERAL_LABELS.get(label)?.field === 'nameServer';

/** Whether a line states a fact of the domain, or is the heading of such facts. */
function isFact({ label, text }: Line): boolean {
  const meaning = GENERAL_LABELS.get(label ?? text);
  if (meaning?.detail === 'signed' || meaning?.detail === 'ds') return true;
  return meaning?.rank === 1 && meaning.field !== null;
}

/** The words of a heading that opens a contact. */
function headingOf({ label, value, text }: Line): string | null {
  const words = label === null ? text : value === '' ? label : null;
  return words !== null && GENERAL_LABELS.get(words)?.opens === 'contact' ? words.toLowerCase() : null;
}

/** Whether the label is one of a contact, or of a person without a heading. */
function hasContactLabel({ label, value }: Line, section: SectionName): boolean {
  if (label === null || section === 'registrar') return false;
  return isContactLabel(label) || (section === 'none' && isPersonalLabel(label) && !HOST_NAME.test(value));
}

/** Finds the lines of contacts, line by line. The parser's sections end early: it only needs the domain's fields. */
class ContactLines {
  /** The contact whose heading was read, until an empty line after its lines or a fact of the domain. */
  #block: { isText: boolean; isUsed: boolean } | undefined;
  /** The first of the omitted lines directly above. */
  #omitted: Line | undefined;

  isContact(line: Line, section: SectionName): boolean {
    const isContact = this.#readLine(line, section);
    if (!isContact) this.#omitted = undefined;
    else if (this.#omitted === undefined || line.afterGap) this.#omitted = line;
    return isContact;
  }

  #readLine(line: Line, section: SectionName): boolean {
    const heading = headingOf(line);
    if (heading !== null) this.#block = { isText: TEXT_HEADINGS.has(heading), isUsed: false };
    else if (this.#block && (isFact(line) || (line.afterGap && this.#block.isUsed))) this.#block = undefined;
    if (isAbuseContact(line)) return false;
    if (this.#block) {
      this.#block.isUsed ||= heading === null;
      return !this.#block.isText;
    }
    if (section === 'contact') return !isNameServer(line);
    if (hasContactLabel(line, section) || this.#isContinuation(line)) return true;
    return ADDRESS.test(line.text) && (line.label !== null || !SENTENCE.test(line.text));
  }

  /** An address continues on the lines below its label. */
  #isContinuation(line: Line): boolean {
    const first = this.#omitted;
    if (first === undefined || line.afterGap || isFact(line)) return false;
    return line.label === null ? first.label !== null : line.indent > first.indent;
  }
}

/**
 * Removes the lines of contacts from a WHOIS text: lines under their headings, lines with their labels and continuations
 * of these, and lines with an e-mail address or telephone number. Contacts for abuse reports remain. Of a sentence only
 * the address is removed.
 */
export function redactContacts(text: string, domain: string | null): string {
  const plain = plainTextOf(text);
  const contacts = new ContactLines();
  const parts: string[] = [];
  let [at, count] = [0, 0];
  let isAfterOmission = false;

  observeLines(plain, domain, (line, section) => {
    count++;
    const isOmitted = contacts.isContact(line, section);
    const between = plain.slice(at, line.start);
    if (isOmitted) {
      if (!isAfterOmission || between.trim() !== '') parts.push(between, OMISSION, '\n');
      at = Math.min(line.end + 1, plain.length);
    } else if (section !== 'registrar' && ADDRESS.test(line.text) && SENTENCE.test(line.text)) {
      parts.push(between, plain.slice(line.start, line.end).replace(ADDRESSES, OMISSION));
      at = line.end;
    }
    isAfterOmission = isOmitted;
  });
  // Lines beyond the maximum were not checked: they are omitted.
  if (count < MAX_LINES) parts.push(plain.slice(at));
  return parts.join('');
}
