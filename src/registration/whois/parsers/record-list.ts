import { hostAt, hostName, isOneLabel } from './host-names.ts';
import { isSameName } from './same-name.ts';
import { TextRecord } from './text-record.ts';
import type { FieldName, Rank } from './vocabulary.ts';

const MOST_RECORDS = 16;

/** Fields that a record may tell several times. */
const SEVERAL: ReadonlySet<FieldName> = new Set(['nameServer', 'status']);

const ONCE: ReadonlySet<FieldName> = new Set(['created', 'expires', 'updated']);

interface StatedField {
  field: FieldName;
  rank: Rank;
  value: string;
}

/**
 * The records of a text, and which of them a field belongs to. A further name opens a further record, so that a
 * registrar's answer joined to the registry's never mixes with it. Where the text does not show whose a field is, the
 * records that it may belong to are mixed, and nothing in them is believed.
 */
export class RecordList {
  readonly all: TextRecord[] = [new TextRecord()];
  current = this.all[0] as TextRecord;
  /** What the paragraph has told above any name: of the record before, unless another name follows. */
  #aboveName: StatedField[] | null = [];
  /** What the last paragraph told that named nothing: of the record before, or a heading of the next. */
  #paragraphBefore: readonly FieldName[] = [];
  /** Records that meet at such a paragraph. */
  readonly #seams: { fields: readonly FieldName[]; before: TextRecord; after: TextRecord }[] = [];
  /** Fields told of the record so far. */
  #statedFields: FieldName[] = [];
  /** Those that were told above its name. */
  #toldAboveName: readonly FieldName[] = [];
  /** Labels of fields told once that the paragraph has had. */
  #toldHere: string[] = [];
  /** First labels of other objects that stand in the paragraph without an empty line before them. */
  #runOn: string[] = [];
  /** Such an object has told what the record had told already: what it goes on to tell is its own. */
  #isOfOther = false;
  /** A name stood alone: what follows may be its own. */
  #isBelowLoneName = false;
  /** The paragraph has changed the record. */
  #hasChanged = false;

  /** An empty line: a paragraph is over. */
  afterGap(): void {
    this.#endParagraph();
    if (this.#aboveName?.length !== 0) this.#aboveName = [];
    if (this.#runOn.length > 0) this.#runOn = [];
    if (this.#toldHere.length > 0) this.#toldHere = [];
    this.#isOfOther = false;
    this.#hasChanged = false;
  }

  #endParagraph(): void {
    if (this.#aboveName === null) this.#paragraphBefore = [];
    else if (this.#aboveName.length > 0) {
      this.#paragraphBefore = this.#aboveName.map(({ field }) => field);
      // It names nothing, and its fields stand above or below the first label of another object.
      if (this.#runOn.length > 0 && this.#hasChanged) this.current.isMixed = true;
    }
  }

  /** Whether the paragraph has told no name yet. */
  isNameless(): boolean {
    return this.#aboveName !== null;
  }

  /** A field is told of the domain, by `label`; of a history of changes the latest counts. */
  addField({ field, rank, value }: StatedField, label = '', isHistory = false): void {
    if (field === 'domain') this.#tellName();
    else this.#noteField({ field, rank, value }, label, isHistory);
    const { changes } = this.current;
    this.current.setField(field, rank, value, isHistory);
    if (this.current.changes === changes) return;
    this.#hasChanged = true;
    if (this.#isOfOther || this.#isBelowLoneName) this.current.isMixed = true;
  }

  #tellName(): void {
    this.#aboveName = null;
    if (this.current.domain === null) this.#toldAboveName = [...this.#statedFields];
  }

  #noteField(stated: StatedField, label: string, isHistory: boolean): void {
    const { field } = stated;
    this.#aboveName?.push(stated);
    if (!SEVERAL.has(field) && !isHistory && this.#isToldAgain(field, label)) this.#isOfOther = true;
    if (!this.#statedFields.includes(field)) this.#statedFields.push(field);
    if (ONCE.has(field) && label !== '') this.#toldHere.push(label);
  }

  /** Whether a record that is told in one go would tell this only once. */
  #isToldAgain(field: FieldName, label: string): boolean {
    if (this.#toldHere.includes(label)) return true;
    return (
      this.#statedFields.includes(field) && (this.#runOn.length > 0 || this.#toldAboveName.includes(field))
    );
  }

  /** The first label of another object stands in a paragraph without an empty line before it. */
  runOn(label: string): void {
    if (this.#runOn.includes(label)) this.#isOfOther = true;
    this.#runOn.push(label);
  }

  /**
   * A name is told. Another name opens another record, and so does the same one after facts where it `opensAgain`;
   * right below, it is a variant.
   */
  name(value: string, afterGap: boolean, opensAgain: boolean): void {
    const { domain } = this.current;
    if (domain === null || this.all.length >= MOST_RECORDS) return;
    const name = nameIn(value);
    if (name === null) return;
    const isSame = isSameName(name, domain) || domain.startsWith(`${name}.`);
    if ((!afterGap || isSame) && !this.current.hasFacts()) return;
    if (isSame && !opensAgain) return;
    const above = isSame ? null : this.#aboveName;
    if (above !== null && above.length > 0) this.current.isMixed = true;
    const next = new TextRecord();
    if (!isSame) this.#seams.push({ fields: this.#paragraphBefore, before: this.current, after: next });
    this.current = next;
    this.#statedFields = [];
    this.#toldAboveName = [];
    this.#isOfOther = false;
    this.#isBelowLoneName = false;
    for (const { field, rank, value: stated } of above ?? []) next.setField(field, rank, stated);
    this.all.push(next);
  }

  /** A name that stands alone between empty lines, and may or may not open a record. */
  loneName(name: string, asked: string | null): void {
    const { domain } = this.current;
    if (domain === null && !this.current.hasFacts()) this.current.setField('domain', 3, name);
    else if (domain !== null && isSameName(name, domain)) return;
    else if (asked === null || !isSameName(name.toLowerCase(), asked)) this.#isBelowLoneName = true;
    else {
      this.name(name, true, false);
      this.current.setField('domain', 3, name);
    }
  }

  /** The text is over: marks the records that a paragraph between them could belong to either of. */
  end(): void {
    this.#endParagraph();
    for (const record of this.all) record.isMixed ||= record.hasHandleOnly;
    for (const { fields, before, after } of this.#seams) {
      if (fields.includes('registrar') && after.registrar === null) before.isMixed = after.isMixed = true;
    }
  }
}

function nameIn(value: string): string | null {
  const host = hostAt(value);
  if (host !== null) return hostName(host);
  return isOneLabel(value) ? value.toLowerCase() : null;
}
