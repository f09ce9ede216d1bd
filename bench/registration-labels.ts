/** The parsed fields that an answer may state. */
export interface Fields {
  domainName: string;
  registrar: string;
  creationDate: string;
  expirationDate: string;
  updatedDate: string;
  nameServers: string[];
  status: string[];
}

/** How a label contradicts the text that it belongs to. */
export type Contradiction =
  | 'not in the text'
  | 'told of others only'
  | 'in remarks and terms only'
  | 'a list taken as one value'
  | 'a value cut off'
  | 'one of two that the text states'
  | 'another line than most labels of this registry take';

/** An answer with what its collection says is right. */
export interface LabelledAnswer {
  text: string;
  tld: string;
  expected: Partial<Fields>;
}

/** A line of an answer, and what it stands under. */
interface Line {
  /** Letters and digits before a colon, a bracket or leader dots; empty where there are none. */
  label: string;
  value: string;
  isRemark: boolean;
  /** Number of the paragraph that it stands in. */
  paragraph: number;
  /** Label of its paragraph's first line. */
  object: string;
  /** The nearest label above that has no value. */
  heading: string;
}

const LABELLED = /^(?:\W{0,8}?\[([^\]]{1,60})\]|([^:]{1,60}?)(?::|\.{3,}:?))(?!\/\/)[.:\s]*(.*)$/;
const REMARK = /^(?:[%#>]|\[ )/;
/** A line longer than this that has no label is a sentence. */
const PROSE = 80;

const OBJECT_OF_OTHERS = /contact|person|^role|nichdl|nsset|servername|^(?:zone|tech|admin|billing)c$/;
const OF_OTHERS =
  /contact|titular|owner|holder|registrant|person|admin|tech|billing|organi[sz]a|^org(?:name)?$|descr/;
const OF_REGISTRAR = /registrar|registration|registered|registro|provide|agent|maintain/;
const STATUS = /^(?:domain|registration|epp|lock)?(?:status|state)$|^状態$|^ロック状態$/;
const OTHER_STATUS =
  /^(?:ds|ns|elig|reach|ren|renewal|reregistration|transfer|frozen|invoicing)\w*stat(?:us)?$/;

export const plain = (value: unknown): string =>
  String(value)
    .replace(/https?:\S+/g, '')
    .replace(/\([^)]*\)/g, '')
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '');

export const list = (value: unknown): unknown[] =>
  Array.isArray(value) ? value.filter(Boolean) : value === undefined || value === null ? [] : [value];

/**
 * How the label of a field contradicts its text, answer by answer; null where it does not. Labels are made by parsers
 * and by hand too. Only labels and texts are looked at, never what a parser read, and a label that nothing is found
 * against counts as right.
 */
export function contradictionsOf(
  field: keyof Fields,
  answers: readonly LabelledAnswer[],
): (Contradiction | null)[] {
  if (field === 'status') {
    return answers.map(({ text, expected }) => ofStatus(list(expected.status).map(String), text));
  }
  if (field !== 'registrar') return answers.map(() => null);
  const usual = usualPlaces(answers);
  return answers.map(({ text, tld, expected }) => {
    const registrar = expected.registrar ?? '';
    const lines = linesOf(text);
    return ofRegistrar(registrar, lines) ?? ofPlace(registrar, lines, usual.get(tld));
  });
}

/** Where in the answers of each registry most labels take the registrar from. */
function usualPlaces(answers: readonly LabelledAnswer[]): Map<string, string> {
  const counts = new Map<string, Map<string, number>>();
  for (const { text, tld, expected } of answers) {
    const place = placeOf(expected.registrar ?? '', linesOf(text));
    const places = counts.get(tld) ?? new Map<string, number>();
    counts.set(tld, places.set(place, (places.get(place) ?? 0) + 1));
  }
  return new Map([...counts].map(([tld, places]) => [tld, mostOf(places)]));
}

/** The place with the highest count; none where two have it. */
function mostOf(places: ReadonlyMap<string, number>): string {
  const [first, second] = [...places].sort(([, a], [, b]) => b - a);
  return first === undefined || first[1] === second?.[1] ? '' : first[0];
}

/** Label, and the heading where the label says nothing of a registrar, of the line that a value is the whole of. */
function placeOf(registrar: string, lines: readonly Line[]): string {
  const line = lines.find(({ value }) => plain(value) === plain(registrar));
  return line === undefined ? 'a part of a line' : placeOfLine(line);
}

function placeOfLine({ label, heading, object }: Line): string {
  if (OF_REGISTRAR.test(label)) return label;
  return `${OF_REGISTRAR.test(object) ? object : heading} ${label}`;
}

function ofPlace(registrar: string, lines: readonly Line[], usual = ''): Contradiction | null {
  const isUsual = placeOf(registrar, lines) === usual;
  const hasUsual = lines.some((line) => line.value !== '' && placeOfLine(line) === usual);
  return !isUsual && hasUsual ? 'another line than most labels of this registry take' : null;
}

function ofRegistrar(registrar: string, all: readonly Line[]): Contradiction | null {
  const lines = all.filter(({ value }) => plain(value).includes(plain(registrar)));
  if (lines.length === 0) return 'not in the text';
  const told = lines.filter(({ label, value, isRemark }) => {
    return !isRemark && (label !== '' || value.length < PROSE);
  });
  if (told.length === 0) return 'in remarks and terms only';
  return told.every(isOfOthers) ? 'told of others only' : null;
}

function ofStatus(statuses: readonly string[], text: string): Contradiction | null {
  const lines = linesOf(text);
  const objects = new Set<number>();
  for (const status of statuses) {
    const told = lines.filter(({ value }) => wordsOf(value).includes(wordsOf(status)));
    if (told.length === 0) return 'not in the text';
    if (/,\s*\S/.test(status) && !status.includes('(')) return 'a list taken as one value';
    if (told.every(({ object, label }) => OBJECT_OF_OTHERS.test(object) || OTHER_STATUS.test(label))) {
      return 'told of others only';
    }
    if (told.every(({ value }) => isCutOff(status, value))) return 'a value cut off';
    for (const { label, paragraph } of told) if (STATUS.test(label)) objects.add(paragraph);
  }
  const stated = plain(statuses.join(' '));
  const isLeftOut = lines.some(({ label, value, paragraph }) => {
    return objects.has(paragraph) && STATUS.test(label) && !stated.includes(plain(value.split(/[ ,]/)[0]));
  });
  return isLeftOut ? 'one of two that the text states' : null;
}

/** The words of a value without its address, each between blanks. */
function wordsOf(value: string): string {
  const words = value.replace(/https?:\S+/g, '').toLowerCase();
  return ` ${words.replace(/[^\p{L}\p{N}]+/gu, ' ').trim()} `;
}

/** `Delete` of `Delete Prohibited by Registrar`; a remark in brackets, an address or a further code is none of it. */
function isCutOff(status: string, value: string): boolean {
  return (
    value.startsWith(`${status} `) && /^ [a-z]/i.test(value.slice(status.length)) && !/https?:/.test(value)
  );
}

function linesOf(text: string): Line[] {
  let [object, heading, isFirst, paragraph] = ['', '', true, 0];
  return text.split('\n').flatMap((raw, at, all) => {
    const line = raw.trim();
    if (line === '') {
      isFirst = true;
      paragraph++;
      return [];
    }
    const isRemark = REMARK.test(line);
    const [, bracketed, before, behind] = LABELLED.exec(line) ?? [];
    const label = isRemark ? '' : plain(bracketed ?? before ?? '');
    const value = label === '' ? line : (behind ?? '');
    if (isFirst && !isRemark) {
      object = label;
      isFirst = false;
    }
    const isAboveDeeper = indentOf(all[at + 1]) > indentOf(raw);
    if (label === '' ? isAboveDeeper && !isRemark : value === '') heading = plain(line);
    return [{ label, value, isRemark, paragraph, object, heading }];
  });
}

function indentOf(line = ''): number {
  return line.trim() === '' ? 0 : line.search(/\S/);
}

/** Whether a line tells of somebody beside the registrar. */
function isOfOthers({ label, object, heading }: Line): boolean {
  if (OBJECT_OF_OTHERS.test(object)) return true;
  if ([label, object, heading].some((words) => OF_REGISTRAR.test(words))) return false;
  return OF_OTHERS.test(label) || OF_OTHERS.test(heading);
}
