import { hostEndsAt, isHostLine } from './host-names.ts';
import { LabelKey, type LabelTable } from './label-key.ts';
import { LineCursor } from './line-cursor.ts';
import { TextRecord } from './registration-text-record.ts';
import {
  GENERAL_LABELS,
  PREFIXES,
  SECTION_LABELS,
  type FieldName,
  type Meaning,
  type SectionName,
} from './vocabulary.ts';

const LONGEST_HEADING = 48;
const MOST_RECORDS = 16;
/** Handles such as FAJN-0002, explained by an object of their own. */
const REGISTRAR_HANDLE = /^[A-Z]{2,8}-\d{2,6}$/;

/**
 * Reads the domain objects of a WHOIS text: label by label, heading by heading. One pass, no backtracking.
 * A second `Domain Name:` after facts starts another record, so that a registrar's answer joined to the
 * registry's never mixes with it.
 */
export function readRecords(text: string): RecordsRead {
  return new RecordReader(text).read();
}

/** The records of a text, and how many labels with a value it has: a measure of whether it states anything. */
export interface RecordsRead {
  records: readonly TextRecord[];
  labelled: number;
}

class RecordReader {
  readonly #cursor: LineCursor;
  readonly #key = new LabelKey();
  readonly #records: TextRecord[] = [];
  #labelled = 0;
  #record = new TextRecord();
  /** What the lines belong to, and the indentation of the heading that opened it. */
  #section: SectionName = 'none';
  /** Labels that only count here. */
  #scope: LabelTable<FieldName> | undefined;
  #sectionIndent = 0;
  /** The section is an object of its own, ended by the next gap whatever the indentation. */
  #isBlock = false;
  /** The section has had content. */
  #used = false;
  /** The content came with labels of its own, so that further labels do not end it. */
  #isLabelled = false;
  /** The last lines told of the domain's changes; the next may tell of a later one. */
  #inHistory = false;
  /** Rank of labels that only count here: 0 in an object that explains the registrar's handle. */
  #scopedRank = 1;
  /** The section was opened by a value: only deeper lines go on with it. */
  #isContinued = false;
  /** Field that a label without value left open for the next unlabelled line. */
  #pending: FieldName | null = null;
  #pendingRank = 1;

  constructor(text: string) {
    this.#cursor = new LineCursor(text);
    this.#records.push(this.#record);
  }

  read(): RecordsRead {
    const cursor = this.#cursor;
    while (cursor.advance()) {
      if (cursor.afterGap) this.#afterGap();
      if (this.#section === 'nameServer' && this.#takeBareHost()) continue;
      if (cursor.labelEnd >= 0 && this.#takeLabelled()) continue;
      if (cursor.labelEnd < 0 || cursor.loose) this.#takeBare();
    }
    return { records: this.#records, labelled: this.#labelled };
  }

  /** An empty line ends what it can end; a list of hosts goes on, since only hosts can be in it. */
  #afterGap(): void {
    this.#inHistory = false;
    const deeper = this.#cursor.indent > this.#sectionIndent;
    if (
      this.#isBlock ||
      this.#isContinued ||
      (!deeper && this.#section !== 'nameServer' && (this.#used || this.#section !== 'domain'))
    ) {
      this.#close();
    }
    if (this.#used || this.#pending === 'status') this.#pending = null;
  }

  #close(): void {
    this.#section = 'none';
    this.#scope = undefined;
    this.#isBlock = false;
    this.#pending = null;
    this.#used = false;
  }

  #open(section: SectionName, isBlock: boolean): void {
    this.#section = section;
    this.#scope = SECTION_LABELS[section];
    this.#sectionIndent = this.#cursor.indent;
    this.#isBlock = isBlock;
    this.#used = false;
    this.#isLabelled = false;
    this.#scopedRank = 1;
    this.#isContinued = false;
    this.#pending = null;
  }

  #takeBareHost(): boolean {
    const { text, start, end } = this.#cursor;
    if (!isHostLine(text, start, end)) return false;
    this.#record.take('nameServer', this.#pending === null ? 1 : this.#pendingRank, text, start, end);
    this.#used = true;
    return true;
  }

  /** A line with a label; false when the label says nothing and only a gap made it one. */
  #takeLabelled(): boolean {
    const cursor = this.#cursor;
    if (cursor.hasValue() && !cursor.loose) {
      this.#labelled++;
      if (isContactLabel(cursor.text, cursor.labelStart, cursor.labelEnd)) {
        this.#afterUnknownLabel();
        return true;
      }
    }
    this.#key.read(cursor.text, cursor.labelStart, cursor.labelEnd);
    const scope = this.#isContinued ? undefined : this.#scope;
    const scoped = scope?.full(this.#key) ?? scope?.stem(this.#key);
    if (scoped !== undefined && cursor.hasValue()) {
      this.#used = true;
      this.#isLabelled = true;
      this.#record.take(scoped, this.#scopedRank, cursor.text, cursor.valueStart, cursor.end);
      return true;
    }
    const meaning = GENERAL_LABELS.full(this.#key) ?? GENERAL_LABELS.stem(this.#key);
    if (meaning === undefined) {
      if (cursor.loose) return false;
      this.#afterUnknownLabel();
      return true;
    }
    if (meaning.field === null) this.#takeHeading(meaning);
    else this.#takeField(meaning.field, meaning);
    return true;
  }

  /** An unknown label at the heading's own depth ends a list; people and registrars go on to the next gap. */
  #afterUnknownLabel(): void {
    const cursor = this.#cursor;
    this.#pending = null;
    if (cursor.indent > this.#sectionIndent) return;
    if (this.#isLabelled) return;
    if (this.#section === 'nameServer' || this.#section === 'status') this.#close();
    else if (!cursor.hasValue() && this.#section !== 'contact') this.#close();
  }

  #takeHeading(meaning: Meaning): void {
    const cursor = this.#cursor;
    if (!cursor.hasValue()) {
      this.#open(meaning.opens, false);
    } else if (meaning.block && (cursor.afterGap || meaning.opens === 'host')) {
      this.#open(meaning.opens, true);
    } else {
      this.#afterUnknownLabel();
    }
  }

  #takeField(field: FieldName, meaning: Meaning): void {
    const cursor = this.#cursor;
    if (field === 'domain' && meaning.rank === 1 && cursor.hasValue()) this.#startDomain(cursor.valueStart);
    else if (this.#isForeign(field, meaning)) return;
    if (!cursor.hasValue()) {
      this.#open(meaning.opens, false);
      this.#pending = field;
      this.#pendingRank = meaning.rank;
      return;
    }
    if (field === 'registrar' && cursor.afterGap && this.#startRegistrar(cursor.value())) return;
    if (field === 'updated' && this.#inHistory) {
      this.#record.takeHistory(meaning.rank, cursor.text, cursor.valueStart, cursor.end);
    } else {
      this.#record.take(field, meaning.rank, cursor.text, cursor.valueStart, cursor.end);
    }
    if (field === 'updated') this.#inHistory = meaning.rank === 2;
    if (this.#section === 'contact' && this.#isBlock) return;
    this.#open(field === 'nameServer' || field === 'status' ? field : 'none', false);
    this.#used = true;
    this.#isContinued = true;
    if (field !== 'status') return;
    this.#pending = field;
    this.#pendingRank = meaning.rank;
  }

  /** An object that explains the registrar's handle, as .sk ends its answers with. */
  #startRegistrar(value: string): boolean {
    if (this.#record.registrar !== value && !REGISTRAR_HANDLE.test(value)) return false;
    const { text, valueStart, end } = this.#cursor;
    this.#record.take('registrar', 2, text, valueStart, end);
    this.#open('registrar', true);
    this.#scopedRank = 0;
    return true;
  }

  /** Whether a field in a contact, registrar or host section belongs to that object, not to the domain. */
  #isForeign(field: FieldName, meaning: Meaning): boolean {
    const cursor = this.#cursor;
    if (this.#section === 'host') return true;
    if (this.#section === 'contact') {
      if (this.#isBlock) return field !== 'nameServer';
      return cursor.indent > this.#sectionIndent || meaning.rank > 1;
    }
    if (this.#section === 'registrar') {
      return this.#used && field !== 'nameServer' && field !== 'domain' && field !== 'registrarServer';
    }
    return false;
  }

  #startDomain(valueStart: number): void {
    const { text, end } = this.#cursor;
    this.#close();
    if (this.#record.domain === null || !this.#record.hasFacts() || this.#records.length >= MOST_RECORDS)
      return;
    if (hostEndsAt(text, valueStart, end) < 0) return;
    this.#record = new TextRecord();
    this.#records.push(this.#record);
  }

  /** A line without label: a heading, a value run into its label, or content of what is open. */
  #takeBare(): void {
    const cursor = this.#cursor;
    const { text, start, end } = cursor;
    this.#key.stemEnd = -1;
    if (end - start <= LONGEST_HEADING) {
      this.#key.read(text, start, end);
      const heading = GENERAL_LABELS.full(this.#key);
      if (heading !== undefined && heading.opens !== 'none') {
        this.#open(heading.opens, false);
        this.#pending = heading.field;
        this.#pendingRank = heading.rank;
        return;
      }
    }
    if (!this.#takeRunIn()) this.#takeContent();
  }

  /** `Record expires on 2030-01-31`: the value follows the label without a colon. */
  #takeRunIn(): boolean {
    const { text, start, end } = this.#cursor;
    if (!mayRunIn(text, start)) return false;
    const prefix = PREFIXES.prefix(text, start, end);
    if (prefix === undefined) return false;
    if (prefix.meaning === 'domain') {
      const stop = hostEndsAt(text, prefix.end + 1, end);
      if (stop !== end && text.charCodeAt(stop + 1) !== 40) return false;
      this.#startDomain(prefix.end + 1);
    }
    this.#record.take(prefix.meaning, 1, text, prefix.end + 1, end);
    return true;
  }

  #takeContent(): void {
    const { text, start, end } = this.#cursor;
    if (this.#pending === null) return;
    const field = this.#pending;
    if (this.#isContinued && this.#cursor.indent <= this.#sectionIndent) return;
    if (field === 'domain' && this.#record.domain !== null) this.#startDomain(start);
    this.#record.take(field, this.#pendingRank, text, start, end);
    this.#used = true;
    if (field !== 'status') this.#pending = null;
  }
}

/** Whether a line opens like a label that may run into its value: created, domain, expires, record, registered. */
function mayRunIn(text: string, start: number): boolean {
  const second = text.charCodeAt(start + 1) | 32;
  const third = text.charCodeAt(start + 2) | 32;
  switch (text.charCodeAt(start) | 32) {
    case 99: // c
      return second === 114 && third === 101;
    case 100: // d
      return second === 111 && third === 109;
    case 101: // e
      return second === 120 && third === 112;
    case 114: // r: neither registrar nor registrant
      return second === 101 && (third === 99 || (third === 103 && (text.charCodeAt(start + 6) | 32) === 101));
    default:
      return false;
  }
}

/**
 * Whether a label speaks of a contact (`Registrant Name`, `Admin Email`, `Tech Phone` ...): half of the lines of
 * an ordinary answer, told by a few letters, so that they need not be looked up.
 */
function isContactLabel(text: string, start: number, end: number): boolean {
  switch (text.charCodeAt(start) | 32) {
    case 97: // a: admin
      return (
        end - start > 5 &&
        (text.charCodeAt(start + 1) | 32) === 100 &&
        (text.charCodeAt(start + 2) | 32) === 109
      );
    case 114: // r: registrant, not registrar
      return (
        end - start > 9 &&
        (text.charCodeAt(start + 8) | 32) === 110 &&
        (text.charCodeAt(start + 9) | 32) === 116
      );
    case 116: // t: tech
      return (
        end - start > 4 && text.charCodeAt(start + 4) === 32 && (text.charCodeAt(start + 3) | 32) === 104
      );
    default:
      return false;
  }
}
