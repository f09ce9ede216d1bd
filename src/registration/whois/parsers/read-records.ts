import { readUnlabelledLine, readHostLine } from './unlabelled-line.ts';
import { hostAt } from './host-names.ts';
import { partedValue, readLines, widened } from './lines.ts';
import type { Line } from './lines.ts';
import { isSameName } from './same-name.ts';
import { isPlaceholder, looksLikeName } from './placeholder.ts';
import { Section } from './section.ts';
import { RecordList } from './record-list.ts';
import type { TextRecord } from './text-record.ts';
import { GENERAL_LABELS } from './vocabulary.ts';
import type { FieldName, Meaning, SectionName } from './vocabulary.ts';

/** Handles such as FAJN-0002, explained by an object of their own. */
const REGISTRAR_HANDLE = /^[A-Z]{2,8}-\d{2,6}$/;
/** Clients put the server's name above its answer: `[whois.nic.example]`. */
const SERVER = /^(?:whois|www)\./i;
const ASSIGNED = /\(assigned\)$/i;

/**
 * Reads the domain objects of a WHOIS text: label by label, heading by heading. One pass, no backtracking.
 */
export function readRecords(text: string, asked: string | null): readonly TextRecord[] {
  return new TextRecordReader(asked).read(text);
}

/** Called with each line, and what it belongs to. */
export type ObserveLine = (line: Line, section: SectionName) => void;

/** Reads all lines of a text, also those behind the record. */
export function observeLines(text: string, asked: string | null, observe: ObserveLine): void {
  new TextRecordReader(asked, observe).read(text);
}

/** One state machine over the lines of a text; what a line without a label may be is in unlabelled-line.ts. */
class TextRecordReader {
  readonly #section = new Section();
  readonly #records = new RecordList();
  /** The line before told of one of the domain's changes; this one may tell of a later one. */
  #inHistory = false;
  #isChange = false;
  /** The line before, where it is a name and nothing else, and an empty line stands before it. */
  #loneName: string | null = null;
  readonly #queriedName: string | null;
  /** The paragraph has named the registrar: an organisation in it is the registrar's. */
  #isOfRegistrar = false;

  readonly #observe: ObserveLine | undefined;

  constructor(asked: string | null, observe?: ObserveLine) {
    this.#queriedName = asked;
    this.#observe = observe;
  }

  read(text: string): readonly TextRecord[] {
    let [count, clocks] = [1, 0];
    readLines(text, (line) => {
      if (this.#records.all.length > count) [count, clocks] = [this.#records.all.length, line.clocks];
      const isOver = line.clocks > clocks && this.#record.isComplete();
      if (isOver && this.#isWanted() && !this.#observe) return false;
      this.#readLine(line);
      this.#observe?.(line, this.#section.name);
      return true;
    });
    this.#records.end();
    return this.#records.all;
  }

  get #record(): TextRecord {
    return this.#records.current;
  }

  #readLine(line: Line): void {
    const section = this.#section;
    this.#inHistory = this.#isChange && !line.afterGap;
    this.#isChange = false;
    if (line.afterGap) {
      this.#records.afterGap();
      if (this.#loneName !== null) this.#records.loneName(this.#loneName, this.#queriedName);
      this.#isOfRegistrar = false;
      section.afterGap(line.indent);
    }
    this.#loneName = line.afterGap && isName(line) && this.#mayBeLone(line.text) ? line.text : null;
    if (line.afterRule) section.afterRule();
    section.atIndent(line.indent);
    if (section.name === 'nameServer' && readHostLine(line, section, this.#records)) return;
    this.#takeLine(line);
  }

  /** Hosts in a list may stand apart too. */
  #mayBeLone(name: string): boolean {
    return this.#section.name !== 'nameServer' || name.toLowerCase() === this.#queriedName;
  }

  #isWanted(): boolean {
    const { domain } = this.#record;
    return this.#queriedName === null || (domain !== null && isSameName(domain, this.#queriedName));
  }

  #takeLine(line: Line): void {
    const { label, isLoose, value } = line;
    const parted = label === null ? null : partedValue(value);
    if (parted !== null && GENERAL_LABELS.get(parted.label)?.field != null) {
      this.#takeLine({ ...line, value: parted.value });
      this.#takeLine({
        ...line,
        text: value,
        label: parted.label,
        value: parted.rest,
        isLoose: false,
        afterGap: false,
      });
      return;
    }
    if (label !== null && this.#takeLabelled(line, label)) return;
    if (label === null || isLoose) readUnlabelledLine(line, this.#section, this.#records);
  }

  /** A line with a label; false when the label says nothing and only a gap made it one. */
  #takeLabelled(line: Line, label: string): boolean {
    const hasValue = isStated(line.value);
    if (hasValue && this.#takeScoped(line, label)) return true;
    const { meaning, value } = meaningOf(line, label);
    if (hasValue) this.#takeDetail(label, meaning, value);
    if (meaning?.field != null) {
      this.#takeField({ ...line, value }, label, meaning.field, meaning);
      return true;
    }
    if (meaning !== undefined && meaning.opens !== 'none') {
      this.#takeHeading(line, label, meaning);
      return true;
    }
    if (line.isLoose) return false;
    if (!hasValue && this.#takeNameAsHeading(label, line.indent)) return true;
    this.#section.afterUnknownLabel(line.indent, hasValue);
    return true;
  }

  /** A label that only means something under the heading above. */
  #takeScoped({ value, afterGap }: Line, label: string): boolean {
    const section = this.#section;
    const field = section.scope?.get(label);
    if (field === undefined) return false;
    if (field === 'domain') this.#records.name(value, afterGap, false);
    section.used = true;
    section.isLabelled = true;
    if (field === 'domain') this.#records.addField({ field, rank: section.scopedRank, value });
    else this.#record.setField(field, section.scopedRank, value);
    return true;
  }

  /** What is told beside the fields; of a contact only what names it the registrant's or the registrar's. */
  #takeDetail(label: string, meaning: Meaning | undefined, value: string): void {
    const inSection = this.#section.detailOf(label);
    const general = meaning?.detail;
    if (inSection !== undefined) this.#record.details.readField(inSection, value);
    else if (general !== undefined && !this.#isOfOthers(label))
      this.#record.details.readField(general, value);
  }

  #isOfOthers(label: string): boolean {
    const { name, isHolder } = this.#section;
    const isOthers = this.#isOfRegistrar || name === 'registrar' || (name === 'contact' && !isHolder);
    return isOthers && !/^(?:regist|dns|ds)/i.test(label);
  }

  #takeHeading({ afterGap, indent, value }: Line, label: string, meaning: Meaning): void {
    const hasValue = isStated(value);
    if (meaning.holder === true && hasValue && this.#record.holder === null) {
      if (looksLikeName(value) && !isPlaceholder(value)) this.#record.holder = value;
    }
    if (!hasValue) this.#section.open(meaning.opens, indent, meaning.holder);
    else if (meaning.block && (afterGap || meaning.opens === 'host')) {
      this.#section.openBlock(meaning.opens, indent);
    } else {
      if (meaning.block && !this.#section.isForeignBlock()) this.#records.runOn(label);
      this.#section.afterUnknownLabel(indent, hasValue);
    }
  }

  #takeField(line: Line, label: string, field: FieldName, meaning: Meaning): void {
    const { afterGap, indent } = line;
    const section = this.#section;
    const value = isStated(line.value) ? line.value : null;
    if (field === 'domain' && meaning.rank < 3 && value !== null) {
      section.close();
      this.#records.name(value, afterGap, meaning.rank === 1);
    } else if (section.isForeign(field, meaning, indent, value === null)) return;
    if (value === null) {
      section.open(meaning.opens, indent);
      section.expect(field, meaning.rank);
      return;
    }
    if (field === 'registrar') this.#isOfRegistrar = true;
    if (field === 'registrar' && this.#startRegistrar(value, afterGap, indent)) return;
    if (field === 'updated') this.#takeUpdated(label, meaning, value);
    else this.#records.addField({ field, rank: meaning.rank, value }, label);
    if (field === 'registrar' && !afterGap && this.#records.isNameless()) {
      this.#record.hasHandleOnly = REGISTRAR_HANDLE.test(value);
    }
    if (section.isForeignBlock()) return;
    if (field === 'nameServer' || field === 'status') section.openContinued(field, indent);
    else section.close();
    if (field === 'status') section.expect(field, meaning.rank);
  }

  #takeUpdated(label: string, { rank }: Meaning, value: string): void {
    // The first line of a history (.il): `changed: someone 20010821 (Assigned)`.
    if (rank === 2 && ASSIGNED.test(value)) this.#record.setField('created', 2, value);
    this.#records.addField({ field: 'updated', rank, value }, label, this.#inHistory);
    this.#isChange = rank === 2;
  }

  /** An object that explains the registrar's handle, as .sk ends its answers with. */
  #startRegistrar(value: string, afterGap: boolean, indent: number): boolean {
    const isNamed = this.#record.registrar === value;
    if (!isNamed && !afterGap) return false;
    const isHandle = REGISTRAR_HANDLE.test(value);
    if (!isHandle && !(isNamed && afterGap)) return false;
    this.#record.setField('registrar', 2, value);
    this.#record.hasHandleOnly = isNamed && isHandle;
    this.#section.openBlock('registrar', indent);
    this.#section.scopedRank = 0;
    return true;
  }

  /** `amostra.cl:` above a record is its name. */
  #takeNameAsHeading(label: string, indent: number): boolean {
    if (this.#record.domain !== null || this.#record.hasFacts() || hostAt(label) !== label) return false;
    if (SERVER.test(label)) return false;
    this.#record.setField('domain', 3, label);
    this.#section.open('domain', indent);
    return true;
  }
}

/** Whether a line is a name and nothing else. */
function isName({ label, text }: Line): boolean {
  return label === null && hostAt(text) === text && !SERVER.test(text);
}

/** Whether a label has a value: a YAML type such as `!Registrar` is none (whois.smallregistry.net). */
function isStated(value: string): boolean {
  return value !== '' && !value.startsWith('!');
}

/** What a label means wherever it stands, with its value; a loose label may hold a wide gap itself. */
function meaningOf(line: Line, label: string): { meaning: Meaning | undefined; value: string } {
  const wide = widened(line);
  const meaning = wide === null ? undefined : GENERAL_LABELS.exactly(wide.label);
  if (wide !== null && meaning !== undefined) return { meaning, value: wide.value };
  return { meaning: GENERAL_LABELS.get(label), value: line.value };
}
