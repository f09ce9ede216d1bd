import { hostAt, isHostLine } from './host-names.ts';
import { partedValue, readLines, widened } from './lines.ts';
import type { Line } from './lines.ts';
import { isSameName } from './same-name.ts';
import { looksLikeName, saysNothing } from './no-value.ts';
import { Section } from './section.ts';
import { isStateWord } from './status-words.ts';
import { RecordList } from './record-list.ts';
import type { TextRecord } from './text-record.ts';
import { GENERAL_LABELS, RUN_IN_LABELS } from './vocabulary.ts';
import type { FieldName, Meaning } from './vocabulary.ts';

const LONGEST_HEADING = 40;
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
 */
export function readRecords(text: string, asked: string | null): readonly TextRecord[] {
  return new RecordReader(asked).read(text);
}

/** One state machine over the lines of a text: parted further, the order in which a line is tried would hide. */
class RecordReader {
  readonly #section = new Section();
  readonly #records = new RecordList();
  /** The line before told of one of the domain's changes; this one may tell of a later one. */
  #inHistory = false;
  #isChange = false;
  /** The line before, where it is a name and nothing else, and an empty line stands before it. */
  #loneName: string | null = null;
  readonly #asked: string | null;
  /** The paragraph has named the registrar: an organisation in it is the registrar's. */
  #isOfRegistrar = false;

  constructor(asked: string | null) {
    this.#asked = asked;
  }

  read(text: string): readonly TextRecord[] {
    let [count, clocks] = [1, 0];
    readLines(text, (line) => {
      if (this.#records.all.length > count) [count, clocks] = [this.#records.all.length, line.clocks];
      const isOver = line.clocks > clocks && this.#record.isComplete();
      if (isOver && this.#isWanted()) return false;
      this.#readLine(line);
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
      if (this.#loneName !== null) this.#records.loneName(this.#loneName, this.#asked);
      this.#isOfRegistrar = false;
      section.afterGap(line.indent);
    }
    this.#loneName = line.afterGap && isName(line) && this.#mayBeLone(line.text) ? line.text : null;
    if (line.afterRule) section.afterRule();
    section.atIndent(line.indent);
    if (section.name === 'nameServer' && this.#takeBareHost(line)) return;
    this.#takeLine(line);
  }

  /** Hosts in a list may stand apart too. */
  #mayBeLone(name: string): boolean {
    return this.#section.name !== 'nameServer' || name.toLowerCase() === this.#asked;
  }

  #isWanted(): boolean {
    const { domain } = this.#record;
    return this.#asked === null || (domain !== null && isSameName(domain, this.#asked));
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
    const hasValue = isStated(line.value);
    if (hasValue && this.#takeScoped(line, label)) return true;
    const { meaning, value } = meaningOf(line, label);
    if (hasValue) this.#takeDetail(label, meaning, value);
    if (meaning !== undefined && !isOfNoField(meaning)) {
      if (meaning.field === null) this.#takeHeading(line, label, meaning);
      else this.#takeField({ ...line, value }, label, meaning.field, meaning);
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
    if (field === 'domain') this.#records.take({ field, rank: section.scopedRank, value });
    else this.#record.take(field, section.scopedRank, value);
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

  #takeHeading({ afterGap, indent, value }: Line, label: string, meaning: Meaning): void {
    const hasValue = isStated(value);
    const isNamed = hasValue && looksLikeName(value) && !saysNothing(value);
    if (meaning.holder === true && isNamed) this.#record.hasHolder = true;
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
      this.#startDomain(value, afterGap, meaning.rank === 1);
    } else if (section.isForeign(field, meaning, indent, value === null)) return;
    if (value === null) {
      section.open(meaning.opens, indent);
      section.expect(field, meaning.rank);
      return;
    }
    if (field === 'registrar') this.#isOfRegistrar = true;
    if (field === 'registrar' && this.#startRegistrar(value, afterGap, indent)) return;
    if (field === 'updated') this.#takeUpdated(label, meaning, value);
    else this.#records.take({ field, rank: meaning.rank, value }, label);
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
    if (rank === 2 && ASSIGNED.test(value)) this.#record.take('created', 2, value);
    this.#records.take({ field: 'updated', rank, value }, label, this.#inHistory);
    this.#isChange = rank === 2;
  }

  /** An object that explains the registrar's handle, as .sk ends its answers with. */
  #startRegistrar(value: string, afterGap: boolean, indent: number): boolean {
    const isNamed = this.#record.registrar === value;
    if (!isNamed && !afterGap) return false;
    const isHandle = REGISTRAR_HANDLE.test(value);
    if (!isHandle && !(isNamed && afterGap)) return false;
    this.#record.take('registrar', 2, value);
    this.#record.hasHandleOnly = isNamed && isHandle;
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

  #startDomain(value: string, afterGap: boolean, opensAgain = true): void {
    this.#section.close();
    this.#records.name(value, afterGap, opensAgain);
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
        if (status !== undefined) this.#records.take({ field: 'status', rank: 1, value: status });
      }
      this.#records.take({ field, rank: 1, value });
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
    if (field === null) return;
    if (!section.takesBare(indent)) {
      section.pending = null;
      return;
    }
    if (field === 'status' && ADVICE.test(text)) return;
    if (field === 'domain' && this.#record.domain !== null) this.#startDomain(text, afterGap);
    this.#records.take({ field, rank: section.pendingRank, value: text });
    section.used = true;
    if (field !== 'status') section.pending = null;
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
