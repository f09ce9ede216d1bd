import { MAX_HEADING_LENGTH } from './lines.ts';
import { ONE_LABEL, hasTwoSpellings, hostAt, hostName, isSameName } from './names.ts';
import { TextRecord } from './text-record.ts';
import type { FieldName, Rank } from './vocabulary.ts';

const MAX_RECORDS = 16;
/** A heading about the record itself: `Relevant dates:`, `** Additional Info:`. */
const OWN_HEADING =
  /^(?:\P{L}|\b(?:domain|name|registration|registry|record|important|key|relevant|additional|general|information|info|details?|data|dates?|timestamps|status|active|registered)\b)+$/iu;

/** Fields that a record may state several times. */
const SEVERAL: ReadonlySet<FieldName> = new Set(['nameServer', 'status']);

const ONCE: ReadonlySet<FieldName> = new Set(['creationDate', 'expirationDate', 'updatedDate']);

interface StatedField {
  field: FieldName;
  rank: Rank;
  value: string;
}

/**
 * The records of a text; assigns each field to one of them. A further name opens a further record, so that a registrar's
 * answer is not mixed with the registry's. A field that may belong to several records is doubtful in all of them.
 */
export class RecordList {
  readonly all: TextRecord[] = [new TextRecord()];
  current = this.all[0] as TextRecord;
  /** Fields of the paragraph above any name: they belong to the previous record, unless another name follows. */
  #aboveName: StatedField[] | null = [];
  /** Fields of the last paragraph without a name: of the previous record, or a heading of the next. */
  #paragraphBefore: readonly FieldName[] = [];
  /** The records before and after such a paragraph. */
  readonly #seams: { fields: readonly FieldName[]; before: TextRecord; after: TextRecord }[] = [];
  /** Fields of the current record so far. */
  #statedFields: FieldName[] = [];
  /** Fields of the current record above its name. */
  #fieldsAboveName: readonly FieldName[] = [];
  /** What the labels of `ONCE` fields have stated first, of the current record or in its first paragraph. */
  readonly #onceLabels = new Map<string, string>();
  /** First labels of other objects that follow in the paragraph without an empty line. */
  readonly #runOnLabels = new Set<string>();
  /** Such an object has repeated a field of the record: its further fields are not the record's. */
  #isOfOtherObject = false;
  /** The fields follow a lone name and may belong to it. */
  #isBelowLoneName = false;
  /** An unknown heading opens the paragraph, below the name: its fields may belong to another object. */
  #isBelowUnknownHeading = false;
  /** The paragraph has changed the record. */
  #hasChanged = false;

  /** An empty line ends the paragraph before. */
  startParagraph(): void {
    this.#endParagraph();
    if (this.#aboveName?.length !== 0) this.#aboveName = [];
    this.#runOnLabels.clear();
    this.#isOfOtherObject = false;
    this.#hasChanged = false;
    this.#isBelowUnknownHeading = false;
  }

  #endParagraph(): void {
    if (this.#aboveName === null) this.#paragraphBefore = [];
    else if (this.#aboveName.length > 0) {
      this.#paragraphBefore = this.#aboveName.map(({ field }) => field);
      // Without a name, its fields may belong to the other object in the paragraph.
      if (this.#runOnLabels.size > 0 && this.#hasChanged)
        for (const field of this.#paragraphBefore) this.current.doubt(field);
    }
  }

  /** Whether the paragraph has no name so far. */
  isNameless(): boolean {
    return this.#aboveName !== null;
  }

  /** Adds a field of the domain, stated by `label`. In a history of changes the latest counts. */
  addField({ field, rank, value }: StatedField, label = '', isHistory = false): void {
    if (field === 'domain') {
      this.#aboveName = null;
      this.#isBelowUnknownHeading = false;
      if (this.current.domain === null) this.#fieldsAboveName = [...this.#statedFields];
    } else this.#noteField({ field, rank, value }, label, isHistory);
    const { changes } = this.current;
    this.current.setField(field, rank, value, isHistory);
    const isChanged = this.current.changes !== changes;
    this.#hasChanged ||= isChanged;
    if (!this.#isOfOtherObject && !this.#isBelowLoneName && !this.#isBelowUnknownHeading) return;
    if (isChanged) this.current.doubt(field);
    else if (field === 'nameServer') this.current.hasDoubtfulHosts = true;
  }

  #noteField(stated: StatedField, label: string, isHistory: boolean): void {
    const { field, value } = stated;
    this.#aboveName?.push(stated);
    if (!SEVERAL.has(field) && !isHistory && this.#isRepeated(stated, label)) {
      // Above the name, the fields of another object stand together.
      if (!this.#fieldsAboveName.includes(field)) this.#isOfOtherObject = true;
      else for (const above of this.#fieldsAboveName) this.current.doubt(above);
    }
    if (!this.#statedFields.includes(field)) this.#statedFields.push(field);
    if (ONCE.has(field) && label !== '' && !this.#onceLabels.has(label)) this.#onceLabels.set(label, value);
  }

  /** Whether a field is stated again that one object states only once. */
  #isRepeated({ field, value }: StatedField, label: string): boolean {
    if ((this.#onceLabels.get(label) ?? value) !== value) return true;
    return (
      this.#statedFields.includes(field) &&
      (this.#runOnLabels.size > 0 || this.#fieldsAboveName.includes(field))
    );
  }

  /** Notes the first label of another object that follows without an empty line. */
  noteRunOn(label: string): void {
    // Hosts are a list.
    if (this.#runOnLabels.has(label) && !/^host/i.test(label)) this.#isOfOtherObject = true;
    this.#runOnLabels.add(label);
  }

  /**
   * Reads a name. Another name opens a record. The same name after facts does so if `opensAgain`. Right below the
   * first, a further IDN is a variant of it, and one label is no name of the same form: a zone, or a kind of object.
   */
  startRecord(value: string, { isAfterGap, opensAgain }: { isAfterGap: boolean; opensAgain: boolean }): void {
    const { domain } = this.current;
    if (domain === null || this.all.length >= MAX_RECORDS) return;
    const name = hostOrLabel(value);
    if (name === null) return;
    const isSame = isSameName(name, domain) || domain.startsWith(`${name}.`);
    const isLabel = domain.includes('.') && !name.includes('.');
    const isVariant =
      isSame || (!isAfterGap && (isLabel || (hasTwoSpellings(name) && hasTwoSpellings(domain))));
    if (isVariant && !this.current.hasFacts()) return;
    if (isSame && !opensAgain) return;
    const above = isSame ? null : this.#aboveName;
    const next = new TextRecord();
    for (const { field } of above ?? []) this.current.doubt(field);
    if (!isSame) this.#seams.push({ fields: this.#paragraphBefore, before: this.current, after: next });
    this.current = next;
    this.#statedFields = [];
    this.#fieldsAboveName = [];
    if (this.isNameless()) this.#onceLabels.clear();
    this.#isOfOtherObject = false;
    this.#isBelowLoneName = false;
    for (const { field, rank, value: stated } of above ?? []) next.setField(field, rank, stated);
    this.all.push(next);
  }

  noteUnknownHeading(text: string): void {
    this.#isBelowUnknownHeading =
      this.current.domain !== null && text.length <= MAX_HEADING_LENGTH && !OWN_HEADING.test(text);
  }

  /** Reads a name alone below an empty line, above another or a label: it may open a record. */
  noteLoneName(name: string, queriedName: string | null): void {
    const { domain } = this.current;
    this.#isBelowUnknownHeading = false;
    if (domain === null && !this.current.hasFacts()) this.current.setField('domain', 3, name);
    else if (domain !== null && isSameName(name, domain)) return;
    else if (queriedName === null || !isSameName(name.toLowerCase(), queriedName))
      this.#isBelowLoneName = true;
    else {
      this.startRecord(name, { isAfterGap: true, opensAgain: false });
      this.current.setField('domain', 3, name);
    }
  }

  /** Ends the text. The fields of a paragraph that may belong to either of two records are doubtful in both. */
  finish(): void {
    this.#endParagraph();
    for (const { fields, before, after } of this.#seams) {
      if (!fields.includes('registrar') || after.registrar !== null) continue;
      for (const field of fields) for (const record of [before, after]) record.doubt(field);
    }
    for (const record of this.all) {
      if (record.hasHandleOnly) record.doubt('registrar');
      record.removeDoubtful();
    }
  }
}

function hostOrLabel(value: string): string | null {
  const host = hostAt(value);
  if (host !== null) return hostName(host);
  return ONE_LABEL.test(value) ? value.toLowerCase() : null;
}
