import { hostEndsAt, isHostLine } from './host-names.ts';
import { LabelKey } from './label-key.ts';
import { LineCursor } from './line-cursor.ts';
import { isContactLabel, mayRunIn } from './line-openings.ts';
import { TextRecord } from './text-record.ts';
import { Section } from './section.ts';
import { GENERAL_LABELS, PREFIXES, type FieldName, type Meaning } from './vocabulary.ts';

const LONGEST_LABEL = 44;
const LONGEST_HEADING = 40;
const MOST_RECORDS = 16;
/** Ten times the longest answer known, so that a flood of lines costs no more than a page of them. */
const MOST_LINES = 4000;
/** Handles such as FAJN-0002, explained by an object of their own. */
const REGISTRAR_HANDLE = /^[A-Z]{2,8}-\d{2,6}$/;

/** The records of a text, and how many labels with a value it has: a measure of whether it states anything. */
export interface RecordsRead {
  records: readonly TextRecord[];
  labelled: number;
}

/**
 * Reads the domain objects of a WHOIS text: label by label, heading by heading. One pass, no backtracking.
 * A second `Domain Name:` after facts starts another record, so that a registrar's answer joined to the
 * registry's never mixes with it.
 */
export function readRecords(text: string): RecordsRead {
  return new RecordReader(text).read();
}

/** One state machine over the lines of a text: parted further, the order in which a line is tried would hide. */
class RecordReader {
  readonly #cursor: LineCursor;
  readonly #key = new LabelKey();
  readonly #section = new Section();
  readonly #records: TextRecord[] = [];
  #record = new TextRecord();
  #labelled = 0;
  /** The last lines told of the domain's changes; the next may tell of a later one. */
  #inHistory = false;

  constructor(text: string) {
    this.#cursor = new LineCursor(text);
    this.#records.push(this.#record);
  }

  read(): RecordsRead {
    const cursor = this.#cursor;
    const section = this.#section;
    for (let lines = 0; lines < MOST_LINES && cursor.advance(); lines++) {
      if (cursor.afterClock && this.#record.isComplete()) break;
      if (cursor.afterGap) {
        this.#inHistory = false;
        section.afterGap(cursor.indent);
      }
      if (section.name === 'nameServer' && this.#takeBareHost()) continue;
      if (cursor.labelEnd >= 0 && this.#takeLabelled()) continue;
      if (cursor.labelEnd < 0 || cursor.loose) this.#takeBare();
    }
    return { records: this.#records, labelled: this.#labelled };
  }

  #takeBareHost(): boolean {
    const { text, start, end } = this.#cursor;
    const section = this.#section;
    if (!isHostLine(text, start, end)) return false;
    this.#record.take('nameServer', section.pending === null ? 1 : section.pendingRank, text, start, end);
    section.used = true;
    return true;
  }

  /** A line with a label; false when the label says nothing and only a gap made it one. */
  #takeLabelled(): boolean {
    const cursor = this.#cursor;
    const { text, labelStart } = cursor;
    const hasValue = cursor.hasValue();
    if (hasValue && !cursor.loose) {
      this.#labelled++;
      if (isContactLabel(text, labelStart, cursor.labelEnd)) {
        this.#section.afterUnknownLabel(cursor.indent, true);
        return true;
      }
    }
    if (cursor.labelEnd - labelStart <= LONGEST_LABEL && this.#mayMean(labelStart)) {
      this.#key.read(text, labelStart, cursor.labelEnd);
      if (hasValue && this.#takeScoped()) return true;
      const meaning = this.#meaning();
      if (meaning !== undefined) {
        if (meaning.field === null) this.#takeHeading(meaning);
        else this.#takeField(meaning.field, meaning);
        return true;
      }
    }
    if (cursor.loose) return false;
    this.#section.afterUnknownLabel(cursor.indent, hasValue);
    return true;
  }

  /** Whether a label may be known, here or anywhere: told by its first letters. */
  #mayMean(start: number): boolean {
    const { text } = this.#cursor;
    return GENERAL_LABELS.mayOpen(text, start) || this.#section.scope?.mayOpen(text, start) === true;
  }

  /** What the label means, wherever it stands; a loose label may hold a wide gap itself (`Domain  name`). */
  #meaning(): Meaning | undefined {
    const cursor = this.#cursor;
    const meaning = GENERAL_LABELS.full(this.#key) ?? GENERAL_LABELS.stem(this.#key);
    if (!cursor.loose || !cursor.widenLabel()) return meaning;
    this.#key.read(cursor.text, cursor.labelStart, cursor.labelEnd);
    const wider = GENERAL_LABELS.full(this.#key);
    if (wider === undefined) cursor.narrowLabel();
    return wider ?? meaning;
  }

  /** A label that only means something under the heading above. */
  #takeScoped(): boolean {
    const cursor = this.#cursor;
    const section = this.#section;
    const field = section.scope?.full(this.#key) ?? section.scope?.stem(this.#key);
    if (field === undefined) return false;
    section.used = true;
    section.isLabelled = true;
    this.#record.take(field, section.scopedRank, cursor.text, cursor.valueStart, cursor.end);
    return true;
  }

  #takeHeading(meaning: Meaning): void {
    const cursor = this.#cursor;
    const hasValue = cursor.hasValue();
    if (!hasValue) this.#section.open(meaning.opens, cursor.indent);
    else if (meaning.block && (cursor.afterGap || meaning.opens === 'host')) {
      this.#section.openBlock(meaning.opens, cursor.indent);
    } else {
      this.#section.afterUnknownLabel(cursor.indent, hasValue);
    }
  }

  #takeField(field: FieldName, meaning: Meaning): void {
    const cursor = this.#cursor;
    const section = this.#section;
    const { text, valueStart, end, indent } = cursor;
    const hasValue = cursor.hasValue();
    if (field === 'domain' && meaning.rank === 1 && hasValue) this.#startDomain(valueStart);
    else if (section.isForeign(field, meaning, indent)) return;
    if (!hasValue) {
      section.open(meaning.opens, indent);
      section.expect(field, meaning.rank);
      return;
    }
    if (field === 'registrar' && cursor.afterGap && this.#startRegistrar(cursor.value())) return;
    if (field === 'updated') this.#takeUpdated(meaning);
    else this.#record.take(field, meaning.rank, text, valueStart, end);
    if (section.isForeignBlock()) return;
    section.openContinued(field === 'nameServer' || field === 'status' ? field : 'none', indent);
    if (field === 'status') section.expect(field, meaning.rank);
  }

  #takeUpdated(meaning: Meaning): void {
    const { text, valueStart, end } = this.#cursor;
    if (this.#inHistory) this.#record.takeHistory(meaning.rank, text, valueStart, end);
    else this.#record.take('updated', meaning.rank, text, valueStart, end);
    this.#inHistory = meaning.rank === 2;
  }

  /** An object that explains the registrar's handle, as .sk ends its answers with. */
  #startRegistrar(value: string): boolean {
    if (this.#record.registrar !== value && !REGISTRAR_HANDLE.test(value)) return false;
    const { text, valueStart, end, indent } = this.#cursor;
    this.#record.take('registrar', 2, text, valueStart, end);
    this.#section.openBlock('registrar', indent);
    this.#section.scopedRank = 0;
    return true;
  }

  #startDomain(valueStart: number): void {
    const { text, end } = this.#cursor;
    this.#section.close();
    const isFirst = this.#record.domain === null || !this.#record.hasFacts();
    if (isFirst || this.#records.length >= MOST_RECORDS || hostEndsAt(text, valueStart, end) < 0) return;
    this.#record = new TextRecord();
    this.#records.push(this.#record);
  }

  /** A line without label: a heading, a value run into its label, or content of what is open. */
  #takeBare(): void {
    const { text, start, end, indent } = this.#cursor;
    const isShort = end - start <= LONGEST_HEADING;
    if (isShort && this.#section.takesHeading(indent) && GENERAL_LABELS.mayOpen(text, start)) {
      this.#key.read(text, start, end);
      const heading = GENERAL_LABELS.full(this.#key);
      if (heading !== undefined && (heading.opens !== 'none' || heading.rank === 1)) {
        this.#section.open(heading.opens, indent);
        this.#section.expect(heading.field, heading.rank);
        return;
      }
    }
    if (!mayRunIn(text, start) || !this.#takeRunIn()) this.#takeContent();
  }

  /** `Record expires on 2030-01-31`, `Domain EXAMPLE.KG (ACTIVE)`: the value follows without a colon. */
  #takeRunIn(): boolean {
    const { text, start, end } = this.#cursor;
    const prefix = PREFIXES.prefix(text, start, end);
    if (prefix === undefined) return false;
    const valueStart = prefix.end + 1;
    if (prefix.meaning === 'domain') {
      const stop = hostEndsAt(text, valueStart, end);
      const hasStatus = text.startsWith(' (', stop) && text.charCodeAt(end - 1) === 41;
      if (stop !== end && !hasStatus) return false;
      this.#startDomain(valueStart);
      if (hasStatus) this.#record.take('status', 1, text, stop + 2, end - 1);
    }
    this.#record.take(prefix.meaning, 1, text, valueStart, end);
    return true;
  }

  #takeContent(): void {
    const { text, start, end, indent } = this.#cursor;
    const section = this.#section;
    const field = section.pending;
    if (field === null || !section.takesBare(indent)) return;
    if (field === 'domain' && this.#record.domain !== null) this.#startDomain(start);
    this.#record.take(field, section.pendingRank, text, start, end);
    section.used = true;
    if (field !== 'status') section.pending = null;
  }
}
