import type { LabelTable } from './label-table.ts';
import { DETAILS_IN_SECTION, SECTION_LABELS } from './vocabulary.ts';
import type { DetailName, FieldName, Meaning, Rank, SectionName } from './vocabulary.ts';

/** What the lines being read belong to: the state between one line of a WHOIS text and the next. */
export class Section {
  name: SectionName = 'none';
  /** Labels that only count here. */
  scope: LabelTable<FieldName> | undefined;
  /** It is about whoever holds the name. */
  isHolder = false;
  /** Rank of those labels: 0 in an object that explains the registrar's handle. */
  scopedRank: Rank = 1;
  /** Field that a label without value left open for the next unlabelled line. */
  pending: FieldName | null = null;
  pendingRank: Rank = 1;
  /** It has had content. */
  used = false;
  /** The content came with labels of its own, so that further labels do not end it. */
  isLabelled = false;
  /** Indentation of the line that opened it. */
  #indent = 0;
  /** An object of its own, ended by the next gap whatever the indentation. */
  #isBlock = false;
  /** Opened by a value: only deeper lines go on with it. */
  #isContinued = false;
  /** Its lines are deeper than the heading. */
  #isDeep = false;

  open(name: SectionName, indent: number, isHolder = false): void {
    this.name = name;
    this.isHolder = isHolder;
    this.scope = SECTION_LABELS[name];
    this.scopedRank = 1;
    this.pending = null;
    this.used = false;
    this.isLabelled = false;
    this.#indent = indent;
    this.#isBlock = false;
    this.#isContinued = false;
    this.#isDeep = false;
  }

  /** Opens an object whose first label had a value, as RPSL's `person: ...`. */
  openBlock(name: SectionName, indent: number): void {
    this.open(name, indent);
    this.#isBlock = true;
  }

  /** Opens what a field with a value may go on with on deeper lines: further hosts or statuses. */
  openContinued(name: SectionName, indent: number): void {
    this.open(name, indent);
    this.scope = undefined;
    this.used = true;
    this.#isContinued = true;
  }

  close(): void {
    if (this.name !== 'none' || this.pending !== null) this.open('none', 0);
  }

  /** What a label tells here beside the fields. */
  detailOf(label: string): DetailName | undefined {
    if (this.name === 'contact' && !this.isHolder) return undefined;
    return DETAILS_IN_SECTION[this.name]?.get(label);
  }

  /** Leaves a field open for the next line. */
  expect(field: FieldName | null, rank: Rank): void {
    this.pending = field;
    this.pendingRank = rank;
  }

  /** A line as far out as the heading ends what was deeper, also where no empty line says so. */
  atIndent(indent: number): void {
    if (this.name === 'none' && this.pending === null) return;
    if (indent > this.#indent) this.#isDeep = true;
    else if (this.#isDeep) this.close();
  }

  /** An empty line ends what it can end; a list of hosts goes on, since only hosts can be in it. */
  afterGap(indent: number): void {
    const endsHere =
      indent <= this.#indent && this.name !== 'nameServer' && (this.used || this.name !== 'domain');
    if (this.#isBlock || this.#isContinued || endsHere) this.close();
    if (this.used || this.pending === 'status') this.pending = null;
  }

  /** A line drawn behind a list ends it; one right under the heading belongs to the heading. */
  afterRule(): void {
    if (this.used && this.name === 'nameServer') this.close();
  }

  /** An unknown label at the heading's own depth ends a list; people and registrars go on to the next gap. */
  afterUnknownLabel(indent: number, hasValue: boolean): void {
    this.pending = null;
    if (indent > this.#indent || this.isLabelled) return;
    const isList = this.name === 'nameServer' || this.name === 'status';
    if (isList || (!hasValue && this.name !== 'contact')) this.close();
  }

  /** Whether an unlabelled line at this depth can be a heading, and not an address or a name of a contact. */
  takesHeading(indent: number): boolean {
    return this.name !== 'contact' || indent <= this.#indent;
  }

  /** Whether an unlabelled line at this depth can be content. */
  takesBare(indent: number): boolean {
    return this.pending !== null && (!this.#isContinued || indent > this.#indent);
  }

  /** Whether the section is an object of its own that must not end at a field of the domain. */
  isForeignBlock(): boolean {
    return this.#isBlock && this.name === 'contact';
  }

  /** Whether a field belongs to the contact, registrar or host that is being read, not to the domain. */
  isForeign(field: FieldName, meaning: Meaning, indent: number, isHeading: boolean): boolean {
    switch (this.name) {
      case 'host':
        return true;
      case 'contact':
        return this.#isBlock ? field !== 'nameServer' : indent > this.#indent || meaning.rank > 1;
      case 'registrar':
        // A heading as far out as its own ends it.
        if (isHeading && indent <= this.#indent) return false;
        return this.used && field !== 'nameServer' && field !== 'domain' && field !== 'registrarServer';
      default:
        return false;
    }
  }
}
