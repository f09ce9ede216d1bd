import { REGISTRANT_DETAILS } from '../../record/fields.ts';
import { readUnlabelledLine } from './unlabelled-line.ts';
import { SERVER_NAME, hostAt, isHostLine, isNameAlone, isSameName } from './names.ts';
import { TROUBLE_LABEL } from './patterns.ts';
import { splitValue, splitWideLabel } from './lines.ts';
import type { Claim, Line, Reading, TextLines } from './lines.ts';
import { Section } from './section.ts';
import { RecordList } from './record-list.ts';
import type { TextRecord } from './text-record.ts';
import { GENERAL_LABELS, isDetail } from './vocabulary.ts';
import type { FieldName, Meaning, StatedDetail } from './vocabulary.ts';

/** Handles such as FAJN-0002, described by a separate object. */
const REGISTRAR_HANDLE = /^[A-Z]{2,8}-\d{2,6}$/;
const ASSIGNED = /\(assigned\)$/i;

/**
 * Reads the domain objects of a WHOIS text: a state machine over its lines, in one pass without backtracking. The lines
 * know then what they state. Those without a label are read in unlabelled-line.ts.
 */
export class RecordReader {
  readonly #section = new Section();
  readonly #records = new RecordList();
  /** The previous line is an entry of the domain's change history. */
  #inHistory = false;
  #isChange = false;
  /** The previous line, if it is only a name after an empty line. */
  #loneName: string | null = null;
  readonly #queriedName: string | null;
  /** The paragraph states the registrar, or has an unknown heading: an organisation in it is that one's. */
  #isOfOthers = false;
  /** Indentation of the label that further lines of the paragraph may continue; null if there is none. */
  #continuedIndent: number | null = null;
  /** The previous line is a label without a value: any line right below states it. */
  #isBelowEmptyLabel = false;

  constructor(queriedName: string | null) {
    this.#queriedName = queriedName;
  }

  read(lines: TextLines): readonly TextRecord[] {
    let record = this.#record;
    let timeLinesAbove = 0;
    for (let line = lines.next(); line !== undefined; line = lines.next()) {
      if (this.#record !== record || record.factLine() === '') {
        record = this.#record;
        timeLinesAbove = line.timeLines;
      }
      const isAfterRecord = line.timeLines > timeLinesAbove && record.isComplete();
      if (isAfterRecord && isProse(line) && this.#isQueriedRecord()) break;
      // Terms of use change no section, wherever they stand.
      if (line.isTerms) {
        if (line.isAfterRule) this.#section.noteRule();
        continue;
      }
      line.claim = this.#claimOf(line, this.#readLine(line));
      const { whole } = line;
      this.#record.noteFacts(() => whole);
    }
    this.#records.finish();
    return this.#records.all;
  }

  get #record(): TextRecord {
    return this.#records.current;
  }

  /** What a line states that was read: the others are classified. */
  #claimOf(line: Line, reading: Reading): Claim | undefined {
    const isField = reading !== 'sentence' && (reading !== 'content' || this.#isContinuation(line));
    const isOfOthers = this.#section.isOfOthers();
    if (reading === 'content') this.#isBelowEmptyLabel = false;
    else this.#noteContinued(line, reading);
    if (reading === 'status' || (reading === 'unknown' && !isOfOthers)) return reading;
    return isField ? 'field' : undefined;
  }

  /** Further lines may continue a value, or state that of an empty label. `[whois.example]` is a client's remark. */
  #noteContinued({ text, value, indent }: Line, reading: Reading): void {
    this.#isBelowEmptyLabel = value === '' && (reading === 'field' || text.endsWith(':'));
    const isField = reading === 'field' || reading === 'unknown';
    this.#continuedIndent = isField || this.#isBelowEmptyLabel ? indent : null;
  }

  /** Whether a line without a label belongs to the label or the heading above it. */
  #isContinuation({ indent, isAfterGap }: Line): boolean {
    if (this.#section.isOfOthers()) return true;
    if (isAfterGap) return false;
    return this.#isBelowEmptyLabel || (this.#continuedIndent !== null && indent > this.#continuedIndent);
  }

  #readLine(line: Line): Reading {
    const section = this.#section;
    this.#inHistory = this.#isChange && !line.isAfterGap;
    this.#isChange = false;
    if (line.isAfterGap) {
      this.#records.startParagraph();
      this.#isOfOthers = false;
      section.recordGap(line.indent);
      this.#continuedIndent = null;
    }
    // A list of hosts and an address may begin with a name too.
    const isName = line.isAfterGap || (line.label !== null && !line.isLoose);
    if (this.#loneName !== null && isName) this.#records.noteLoneName(this.#loneName, this.#queriedName);
    this.#loneName = this.#isLoneName(line) ? line.text : null;
    if (line.isAfterRule) section.noteRule();
    section.noteIndent(line.indent);
    if (section.name === 'nameServer' && isHostLine(line.text)) {
      this.#record.setField('nameServer', section.pendingRank, line.text);
      section.hasContent = true;
      return 'field';
    }
    const reading = this.#readContent(line);
    const isHeading = reading === 'content' ? line.isAfterGap : reading === 'sentence' && line.value === '';
    if (isHeading) this.#isOfOthers = true;
    if (isHeading && line.isAfterGap) this.#records.noteUnknownHeading(line.text);
    return reading;
  }

  /** Whether a line is only a name after an empty line. In a list of hosts it is a host, unless it is the queried name. */
  #isLoneName({ isAfterGap, label, text }: Line): boolean {
    // WHOIS clients print the server's name above its answer: `[whois.nic.example]`.
    if (!isAfterGap || label !== null || hostAt(text) !== text || SERVER_NAME.test(text)) return false;
    return this.#section.name !== 'nameServer' || isSameName(text.toLowerCase(), this.#queriedName ?? '');
  }

  #isQueriedRecord(): boolean {
    const { domain } = this.#record;
    return this.#queriedName === null || (domain !== null && isSameName(domain, this.#queriedName));
  }

  #readContent(line: Line): Reading {
    const { label, isLoose, value } = line;
    const split = label === null ? null : splitValue(value);
    if (split !== null && GENERAL_LABELS.get(split.label)?.field != null) {
      const first = this.#readContent({ ...line, value: split.value });
      const rest = { text: value, label: split.label, value: split.rest, isLoose: false, isAfterGap: false };
      const second = this.#readContent({ ...line, ...rest });
      return second === 'field' ? first : second;
    }
    const reading = label === null ? null : this.#readLabelled(line, label);
    if (reading !== null) return reading;
    return label === null || isLoose ? readUnlabelledLine(line, this.#section, this.#records) : 'unknown';
  }

  /** Reads a line with a label; null if the label is unknown and no colon ends it. */
  #readLabelled(line: Line, label: string): Reading | null {
    const hasValue = isStated(line.value);
    const scoped = hasValue ? this.#section.scope?.get(label) : undefined;
    if (scoped !== undefined && !isDetail(scoped)) {
      this.#readScoped(line, scoped);
      return 'field';
    }
    const { meaning, value } = meaningOf(line, label);
    const detail = hasValue ? (scoped ?? this.#ownDetail(label, meaning?.detail)) : undefined;
    if (detail !== undefined) this.#record.details.readField(detail, value);
    if (meaning?.field != null) return this.#readField({ ...line, value }, label, meaning.field, meaning);
    if (meaning !== undefined && meaning.opens !== 'none') {
      this.#readHeading(line, label, meaning);
      return 'field';
    }
    if (line.isLoose && detail === undefined) return null;
    if (!hasValue && this.#readNameAsHeading(label, line.indent)) return 'field';
    this.#section.noteUnknownLabel(line.indent, hasValue);
    return meaning !== undefined || detail !== undefined
      ? 'field'
      : hasValue && !TROUBLE_LABEL.test(label)
        ? 'unknown'
        : 'sentence';
  }

  /** A field whose label has a meaning in the current section only. */
  #readScoped({ value, isAfterGap }: Line, field: FieldName): void {
    const section = this.#section;
    if (field === 'domain') this.#records.startRecord(value, { isAfterGap, opensAgain: false });
    section.hasContent = true;
    section.isLabelled = true;
    if (field === 'domain') this.#records.addField({ field, rank: section.scopedRank, value });
    else this.#record.setField(field, section.scopedRank, value);
  }

  /** A detail, unless it is of others: in a contact, only labels of the registrant or registrar count, in a host none. */
  #ownDetail(label: string, detail: StatedDetail | undefined): StatedDetail | undefined {
    const { name, isRegistrant } = this.#section;
    if (name === 'host') return undefined;
    if (detail === undefined || /^(?:regist|dns|ds)/i.test(label)) return detail;
    if (name === 'contact' && !isRegistrant) return undefined;
    const isOfOthers = this.#isOfOthers || name === 'registrar';
    return detail in REGISTRANT_DETAILS && isOfOthers ? undefined : detail;
  }

  #readHeading({ isAfterGap, indent, value }: Line, label: string, meaning: Meaning): void {
    const hasValue = isStated(value);
    if (meaning.registrant === true && hasValue) this.#record.setRegistrant(value);
    if (!hasValue) this.#section.open(meaning.opens, indent, meaning.registrant);
    else if (meaning.block && (isAfterGap || meaning.opens === 'host')) {
      this.#section.openBlock(meaning.opens, indent);
    } else {
      if (meaning.block && !this.#section.isForeignBlock()) this.#records.noteRunOn(label);
      this.#section.noteUnknownLabel(indent, hasValue);
    }
  }

  #readField(line: Line, label: string, field: FieldName, meaning: Meaning): Reading {
    const { isAfterGap, indent } = line;
    const section = this.#section;
    const value = isStated(line.value) ? line.value : null;
    if (field === 'domain' && meaning.rank < 3 && value !== null) {
      section.close();
      this.#records.startRecord(value, { isAfterGap, opensAgain: meaning.rank === 1 });
    } else if (section.isForeignField(field, meaning, indent, value === null)) return 'field';
    if (value === null) {
      section.open(meaning.opens, indent);
      section.expect(field, meaning.rank);
      return 'field';
    }
    if (field === 'registrar') this.#isOfOthers = true;
    else if (field === 'domain') this.#isOfOthers = false;
    if (field === 'registrar' && this.#startRegistrar(value, isAfterGap, indent)) return 'field';
    const statuses = this.#record.status.length;
    if (field === 'updatedDate') this.#readUpdated(label, meaning, value);
    else this.#records.addField({ field, rank: meaning.rank, value }, label);
    if (field === 'registrar' && !isAfterGap && this.#records.isNameless()) {
      this.#record.hasHandleOnly = REGISTRAR_HANDLE.test(value);
    }
    const reading = this.#readingOf(field, value, statuses);
    if (section.isForeignBlock()) return reading;
    if (field === 'nameServer' || field === 'status') section.openContinued(field, indent, meaning.rank);
    else section.close();
    return reading;
  }

  /** A name with other words is a sentence: `sample.example not found`. */
  #readingOf(field: FieldName, value: string, statuses: number): Reading {
    if (this.#record.status.length > statuses) return 'status';
    if (field !== 'domain') return 'field';
    return isNameAlone(value) ? 'name' : 'sentence';
  }

  #readUpdated(label: string, { rank }: Meaning, value: string): void {
    // The first line of a history (.il): `changed: someone 20010821 (Assigned)`.
    if (rank === 2 && ASSIGNED.test(value)) this.#record.setField('creationDate', 2, value);
    this.#records.addField({ field: 'updatedDate', rank, value }, label, this.#inHistory);
    this.#isChange = rank === 2;
  }

  /** An object that describes the registrar's handle, at the end of .sk answers. */
  #startRegistrar(value: string, isAfterGap: boolean, indent: number): boolean {
    const isNamed = this.#record.registrar === value;
    if (!isNamed && !isAfterGap) return false;
    const isHandle = REGISTRAR_HANDLE.test(value);
    if (!isHandle && !(isNamed && isAfterGap)) return false;
    this.#record.setField('registrar', 2, value);
    this.#record.hasHandleOnly = isNamed && isHandle;
    this.#section.openBlock('registrar', indent);
    this.#section.scopedRank = 0;
    return true;
  }

  /** `amostra.cl:` above a record states its name. */
  #readNameAsHeading(label: string, indent: number): boolean {
    if (this.#record.domain !== null || this.#record.hasFacts()) return false;
    if (hostAt(label) !== label || SERVER_NAME.test(label)) return false;
    this.#record.setField('domain', 3, label);
    this.#section.open('domain', indent);
    return true;
  }
}

const MIN_PROSE_LENGTH = 44;

/** Whether a line below the time of the database belongs to no record. */
function isProse({ label, value }: Line): boolean {
  return value.length > MIN_PROSE_LENGTH && (label === null || GENERAL_LABELS.get(label) === undefined);
}

/** Whether a value is present. A YAML type such as `!Registrar` is not a value (whois.smallregistry.net). */
function isStated(value: string): boolean {
  return value !== '' && !value.startsWith('!');
}

/** The general meaning of a label, and its value. A loose label may contain a wide gap. */
function meaningOf(line: Line, label: string): { meaning: Meaning | undefined; value: string } {
  const wide = splitWideLabel(line);
  const meaning = wide === null ? undefined : GENERAL_LABELS.getExact(wide.label);
  if (wide !== null && meaning !== undefined) return { meaning, value: wide.value };
  return { meaning: GENERAL_LABELS.get(label), value: line.value };
}
