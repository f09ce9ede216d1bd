import type { LabelTable } from './label-table.ts';
import { SECTION_LABELS } from './vocabulary.ts';
import type { FieldName, Meaning, Rank, Scoped, SectionName } from './vocabulary.ts';

/** The section of the current line of a WHOIS text. */
export class Section {
  name: SectionName = 'none';
  /** Labels with a meaning in this section only. */
  scope: LabelTable<Scoped> | undefined;
  /** The section describes the registrant of the name. */
  isRegistrant = false;
  /** Rank of the labels in `scope`: 0 in an object that describes the registrar's handle. */
  scopedRank: Rank = 1;
  /** Field of a label without a value: the next unlabelled line states it. */
  pending: FieldName | null = null;
  pendingRank: Rank = 1;
  hasContent = false;
  /** The content has labels in `scope`, so further labels do not end the section. */
  isLabelled = false;
  /** Indentation of the opening line. */
  #indent = 0;
  /** A separate object: the next empty line ends it, at any indentation. */
  #isBlock = false;
  /** Opened by a value: only deeper lines continue it. */
  #isContinued = false;
  /** The lines are deeper than the heading. */
  #isDeep = false;

  open(name: SectionName, indent: number, isRegistrant = false): void {
    this.name = name;
    this.isRegistrant = isRegistrant;
    this.scope = name === 'contact' && !isRegistrant ? undefined : SECTION_LABELS[name];
    this.scopedRank = 1;
    this.pending = null;
    this.hasContent = false;
    this.isLabelled = false;
    this.#indent = indent;
    this.#isBlock = false;
    this.#isContinued = false;
    this.#isDeep = false;
  }

  /** Opens an object whose first label has a value, such as RPSL's `person: ...`. */
  openBlock(name: SectionName, indent: number): void {
    this.open(name, indent);
    this.#isBlock = true;
  }

  /** Opens a field whose further values follow on deeper lines: hosts, which their form shows, or statuses. */
  openContinued(name: 'nameServer' | 'status', indent: number, rank: Rank): void {
    this.open(name, indent);
    this.scope = undefined;
    this.expect(name === 'status' ? name : null, rank);
    this.hasContent = true;
    this.#isContinued = true;
  }

  close(): void {
    if (this.name !== 'none' || this.pending !== null) this.open('none', 0);
  }

  /** Expects the value of a field on the next line. */
  expect(field: FieldName | null, rank: Rank): void {
    this.pending = field;
    this.pendingRank = rank;
  }

  /** A line at the heading's indentation ends a deeper section, also without an empty line. */
  noteIndent(indent: number): void {
    if (indent > this.#indent) this.#isDeep = true;
    else if (this.#isDeep) this.close();
  }

  /** An empty line ends the section, except a list of hosts, in which only hosts are read. */
  recordGap(indent: number): void {
    const endsHere =
      indent <= this.#indent && this.name !== 'nameServer' && (this.hasContent || this.name !== 'domain');
    if (this.#isBlock || this.#isContinued || endsHere) this.close();
    if (this.hasContent || this.pending === 'status') this.pending = null;
  }

  /** A ruler after a list ends it; a ruler right below the heading belongs to the heading. */
  noteRule(): void {
    if (this.hasContent && this.name === 'nameServer') this.close();
  }

  /** An unknown label at the heading's indentation ends a list. Contacts and registrars end at an empty line. */
  noteUnknownLabel(indent: number, hasValue: boolean): void {
    this.pending = null;
    if (indent > this.#indent || this.isLabelled) return;
    const isList = this.name === 'nameServer' || this.name === 'status';
    if (isList || (!hasValue && this.name !== 'contact')) this.close();
  }

  /** Whether an unlabelled line at this indentation may be a heading, not an address or name of a contact. */
  canBeHeading(indent: number): boolean {
    return this.name !== 'contact' || indent <= this.#indent;
  }

  /** Whether an unlabelled line at this indentation may be content. */
  canBeContent(indent: number): boolean {
    return this.pending !== null && (!this.#isContinued || indent > this.#indent);
  }

  /** Whether the section describes a contact, a registrar or a host: no line of it is about the name. */
  isOfOthers(): boolean {
    return this.name === 'contact' || this.name === 'registrar' || this.name === 'host';
  }

  /** Whether the section is a separate object that does not end at a field of the domain. */
  isForeignBlock(): boolean {
    return this.#isBlock && this.name === 'contact';
  }

  /** Whether a field belongs to the current contact, registrar or host, not to the domain. */
  isForeignField(field: FieldName, meaning: Meaning, indent: number, isHeading: boolean): boolean {
    switch (this.name) {
      case 'host':
        return true;
      case 'contact':
        return this.#isBlock ? field !== 'nameServer' : indent > this.#indent || meaning.rank > 1;
      case 'registrar':
        // A heading at the same indentation ends the section.
        if (isHeading && indent <= this.#indent) return false;
        return this.hasContent && field !== 'nameServer' && field !== 'domain' && field !== 'registrarServer';
      default:
        return false;
    }
  }
}
