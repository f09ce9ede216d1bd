import { hostAt, hostName, isHostLine } from './host-names.ts';
import { partedValue, readLines, widened } from './lines.ts';
import type { Line } from './lines.ts';
import { isSameName } from './not-registered.ts';
import { Section } from './section.ts';
import { isStateWord } from './status-words.ts';
import { TextRecord } from './text-record.ts';
import { GENERAL_LABELS, RUN_IN_LABELS } from './vocabulary.ts';
import type { FieldName, Meaning } from './vocabulary.ts';

const LONGEST_HEADING = 40;
const MOST_RECORDS = 16;
/** Handles such as FAJN-0002, explained by an object of their own. */
const REGISTRAR_HANDLE = /^[A-Z]{2,8}-\d{2,6}$/;
/** The opening letters of all labels that may run into their value. */
const MAY_RUN_IN = /^(?:cre|dom|exp|rec|reg)/i;
/** Clients put the server's name above its answer: `[whois.nic.example]`. */
const SERVER = /^(?:whois|www)\./i;
/** Under DNS Belgium's statuses: `Please visit ...`. */
const ADVICE = /^please\b/i;
const ASSIGNED = /\(assigned\)$/i;

/**
 * Reads the domain objects of a WHOIS text: label by label, heading by heading. One pass, no backtracking.
 * A second `Domain Name:` after facts starts another record, so that a registrar's answer joined to the
 * registry's never mixes with it.
 */
export function readRecords(text: string, asked: string | null): readonly TextRecord[] {
  return new RecordReader().read(text, asked);
}

/** One state machine over the lines of a text: parted further, the order in which a line is tried would hide. */
class RecordReader {
  readonly #section = new Section();
  readonly #records: TextRecord[] = [new TextRecord()];
  #record = this.#records[0] as TextRecord;
  /** The line before told of one of the domain's changes; this one may tell of a later one. */
  #inHistory = false;
  #isChange = false;
  /** Fields that the paragraph has told above any name: they are of the record before, unless another name follows. */
  #stray: [FieldName, number, string][] | null = [];
  /** The paragraph has named the registrar: an organisation in it is the registrar's. */
  #isOfRegistrar = false;

  read(text: string, asked: string | null): readonly TextRecord[] {
    readLines(text, (line) => {
      const isOver = line.afterClock && this.#records.length === 1 && this.#record.isComplete();
      if (isOver && this.#isWanted(asked)) return false;
      this.#readLine(line);
      return true;
    });
    return this.#records;
  }

  #readLine(line: Line): void {
    const section = this.#section;
    this.#inHistory = this.#isChange && !line.afterGap;
    this.#isChange = false;
    if (line.afterGap) {
      this.#stray = [];
      this.#isOfRegistrar = false;
      section.afterGap(line.indent);
    }
    if (line.afterRule) section.afterRule();
    section.atIndent(line.indent);
    if (section.name === 'nameServer' && this.#takeBareHost(line)) return;
    this.#takeLine(line);
  }

  #isWanted(asked: string | null): boolean {
    const { domain } = this.#record;
    return asked === null || (domain !== null && isSameName(domain, asked));
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
    if (label === null || isLoose) this.#takeBare(line);
  }

  #takeBareHost({ text }: Line): boolean {
    const section = this.#section;
    if (!isHostLine(text)) return false;
    this.#record.take('nameServer', section.pending === null ? 1 : section.pendingRank, text);
    section.used = true;
    return true;
  }

  /** A line with a label; false when the label says nothing and only a gap made it one. */
  #takeLabelled(line: Line, label: string): boolean {
    // A YAML type such as `!Registrar` is no value (whois.smallregistry.net).
    const hasValue = line.value !== '' && !line.value.startsWith('!');
    if (hasValue && this.#takeScoped(label, line.value)) return true;
    const { meaning, value } = meaningOf(line, label);
    if (hasValue) this.#takeDetail(label, meaning, value);
    if (meaning !== undefined && !isOfNoField(meaning)) {
      if (meaning.field === null) this.#takeHeading(line, hasValue, meaning);
      else this.#takeField(line, hasValue ? value : null, meaning.field, meaning);
      return true;
    }
    if (line.isLoose) return false;
    if (!hasValue && this.#takeNameAsHeading(label, line.indent)) return true;
    this.#section.afterUnknownLabel(line.indent, hasValue);
    return true;
  }

  /** A label that only means something under the heading above. */
  #takeScoped(label: string, value: string): boolean {
    const section = this.#section;
    const field = section.scope?.get(label);
    if (field === undefined) return false;
    section.used = true;
    section.isLabelled = true;
    this.#record.take(field, section.scopedRank, value);
    return true;
  }

  /** What is told beside the fields; of a contact only what names it the registrant's or the registrar's. */
  #takeDetail(label: string, meaning: Meaning | undefined, value: string): void {
    const inSection = this.#section.detailOf(label);
    const general = meaning?.detail;
    if (inSection !== undefined) this.#record.details.take(inSection, value);
    else if (general !== undefined && !this.#isOfOthers(label)) this.#record.details.take(general, value);
  }

  #isOfOthers(label: string): boolean {
    const { name, isHolder } = this.#section;
    const isOthers = this.#isOfRegistrar || name === 'registrar' || (name === 'contact' && !isHolder);
    return isOthers && !/^(?:regist|dns|ds)/i.test(label);
  }

  #takeHeading({ afterGap, indent }: Line, hasValue: boolean, meaning: Meaning): void {
    if (meaning.holder === true && hasValue) this.#record.hasHolder = true;
    if (!hasValue) this.#section.open(meaning.opens, indent, meaning.holder);
    else if (meaning.block && (afterGap || meaning.opens === 'host')) {
      this.#section.openBlock(meaning.opens, indent);
    } else {
      this.#section.afterUnknownLabel(indent, hasValue);
    }
  }

  #takeField({ afterGap, indent }: Line, value: string | null, field: FieldName, meaning: Meaning): void {
    const section = this.#section;
    if (field === 'domain' && meaning.rank === 1 && value !== null) this.#startDomain(value, afterGap);
    else if (section.isForeign(field, meaning, indent)) return;
    if (value === null) {
      section.open(meaning.opens, indent);
      section.expect(field, meaning.rank);
      return;
    }
    if (field === 'registrar') this.#isOfRegistrar = true;
    if (field === 'domain') this.#stray = null;
    else this.#stray?.push([field, meaning.rank, value]);
    if (field === 'registrar' && this.#startRegistrar(value, afterGap, indent)) return;
    if (field === 'updated') this.#takeUpdated(meaning, value);
    else this.#record.take(field, meaning.rank, value);
    if (section.isForeignBlock()) return;
    section.openContinued(field === 'nameServer' || field === 'status' ? field : 'none', indent);
    if (field === 'status') section.expect(field, meaning.rank);
  }

  #takeUpdated(meaning: Meaning, value: string): void {
    // The first line of a history (.il): `changed: someone 20010821 (Assigned)`.
    if (meaning.rank === 2 && ASSIGNED.test(value)) this.#record.take('created', 2, value);
    if (this.#inHistory) this.#record.takeHistory(meaning.rank, value);
    else this.#record.take('updated', meaning.rank, value);
    this.#isChange = meaning.rank === 2;
  }

  /** An object that explains the registrar's handle, as .sk ends its answers with. */
  #startRegistrar(value: string, afterGap: boolean, indent: number): boolean {
    const isNamed = this.#record.registrar === value;
    if (!afterGap || (!isNamed && !REGISTRAR_HANDLE.test(value))) return false;
    this.#record.take('registrar', 2, value);
    this.#section.openBlock('registrar', indent);
    this.#section.scopedRank = 0;
    return true;
  }

  /** `amostra.cl:` above a record is its name. */
  #takeNameAsHeading(label: string, indent: number): boolean {
    if (this.#record.domain !== null || this.#record.hasFacts() || hostAt(label) !== label) return false;
    if (SERVER.test(label)) return false;
    this.#record.take('domain', 3, label);
    this.#section.open('domain', indent);
    return true;
  }

  /** Another name opens another record, and so does the same one after facts; right below, it is a variant. */
  #startDomain(value: string, afterGap: boolean): void {
    this.#section.close();
    const host = hostAt(value);
    const name = host === null ? null : hostName(host);
    const { domain } = this.#record;
    if (name === null || domain === null || this.#records.length >= MOST_RECORDS) return;
    if ((!afterGap || isSameName(name, domain)) && !this.#record.hasFacts()) return;
    const stray = isSameName(name, domain) ? null : this.#stray;
    if (stray !== null && stray.length > 0) this.#record.isMixed = true;
    this.#record = new TextRecord();
    for (const [field, rank, stated] of stray ?? []) this.#record.take(field, rank, stated);
    this.#records.push(this.#record);
  }

  /** A line without label: a heading, a value run into its label, or content of what is open. */
  #takeBare(line: Line): void {
    const { text, indent } = line;
    if (text.length <= LONGEST_HEADING && this.#section.takesHeading(indent)) {
      const heading = GENERAL_LABELS.exactly(text);
      if (
        heading !== undefined &&
        !isOfNoField(heading) &&
        (heading.opens !== 'none' || heading.rank === 1)
      ) {
        this.#section.open(heading.opens, indent, heading.holder);
        this.#section.expect(heading.field, heading.rank);
        return;
      }
    }
    if (MAY_RUN_IN.test(text) && this.#takeRunIn(line)) return;
    if (!this.#takeNameAndState(text)) this.#takeContent(line);
  }

  /** `Record expires on 2030-01-31`, `Domain EXAMPLE.KG (ACTIVE)`: the value follows without a colon. */
  #takeRunIn({ text, afterGap }: Line): boolean {
    for (const [field, pattern] of RUN_IN_LABELS) {
      const value = pattern.exec(text)?.[1];
      if (value === undefined) continue;
      if (field === 'domain') {
        const rest = value.slice(hostAt(value)?.length ?? 0);
        const status = /^ \((.*)\)$/.exec(rest)?.[1];
        if (rest !== '' && status === undefined) return false;
        this.#startDomain(value, afterGap);
        if (status !== undefined) this.#record.take('status', 1, status);
      }
      this.#record.take(field, 1, value);
      return true;
    }
    return false;
  }

  /** `SAMPLE.EXAMPLE Active` opens a record. */
  #takeNameAndState(text: string): boolean {
    if (this.#record.domain !== null || this.#record.hasFacts()) return false;
    const host = hostAt(text);
    if (host === null || !isStateWord(text.slice(host.length).trim())) return false;
    this.#record.take('domain', 1, text);
    return true;
  }

  #takeContent({ text, indent, afterGap }: Line): void {
    const section = this.#section;
    const field = section.pending;
    if (field === null || !section.takesBare(indent)) return;
    if (field === 'status' && ADVICE.test(text)) return;
    if (field === 'domain' && this.#record.domain !== null) this.#startDomain(text, afterGap);
    this.#record.take(field, section.pendingRank, text);
    section.used = true;
    if (field !== 'status') section.pending = null;
  }
}

function isOfNoField({ field, opens }: Meaning): boolean {
  return field === null && opens === 'none';
}

/** What a label means wherever it stands, with its value; a loose label may hold a wide gap itself. */
function meaningOf(line: Line, label: string): { meaning: Meaning | undefined; value: string } {
  const wide = widened(line);
  const meaning = wide === null ? undefined : GENERAL_LABELS.exactly(wide.label);
  if (wide !== null && meaning !== undefined) return { meaning, value: wide.value };
  return { meaning: GENERAL_LABELS.get(label), value: line.value };
}
