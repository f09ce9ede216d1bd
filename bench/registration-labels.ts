/** The labelled fields of a WHOIS answer. */
export interface Fields {
  domainName: string;
  registrar: string;
  creationDate: string;
  expirationDate: string;
  updatedDate: string;
  nameServers: string[];
  status: string[];
}

/** How a label contradicts its text. */
export type Contradiction =
  | 'not in the text'
  | 'stated for others only'
  | 'in remarks and terms only'
  | 'a list read as one value'
  | 'a value cut off'
  | 'one of two that the text states'
  | 'another line than most labels of this registry use';

/** A WHOIS answer with the values that its collection expects. */
export interface LabelledAnswer {
  text: string;
  tld: string;
  expected: Partial<Fields>;
}

/** A line of an answer with its context. */
interface Line {
  /** Letters and digits before a colon, a bracket or leader dots; '' if there are none. */
  label: string;
  value: string;
  isRemark: boolean;
  /** The number of the line's paragraph. */
  paragraph: number;
  /** Label of its paragraph's first line. */
  object: string;
  /** The nearest label above without a value. */
  heading: string;
}

const LABELLED = /^(?:\W{0,8}?\[([^\]]{1,60})\]|([^:]{1,60}?)(?::|\.{3,}:?))(?!\/\/)[.:\s]*(.*)$/;
const REMARK = /^(?:[%#>]|\[ )/;
/** A longer line without a label is a sentence. */
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
 * For each answer, how the label of a field contradicts the text; null if it does not. Labels may be wrong: parsers
 * and people wrote them. Only labels and texts are compared, never the output of a parser.
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

/** For each registry, the line from which most labels take the registrar. */
function usualPlaces(answers: readonly LabelledAnswer[]): Map<string, string> {
  const counts = new Map<string, Map<string, number>>();
  for (const { text, tld, expected } of answers) {
    const place = placeOf(expected.registrar ?? '', linesOf(text));
    const places = counts.get(tld) ?? new Map<string, number>();
    counts.set(tld, places.set(place, (places.get(place) ?? 0) + 1));
  }
  return new Map([...counts].map(([tld, places]) => [tld, mostFrequent(places)]));
}

/** The most frequent place; '' if two are equally frequent. */
function mostFrequent(places: ReadonlyMap<string, number>): string {
  const [first, second] = [...places].sort(([, a], [, b]) => b - a);
  return first === undefined || first[1] === second?.[1] ? '' : first[0];
}

/**
 * The label of the line whose whole value is the registrar, with its heading if the label does not name a registrar.
 */
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
  return !isUsual && hasUsual ? 'another line than most labels of this registry use' : null;
}

function ofRegistrar(registrar: string, all: readonly Line[]): Contradiction | null {
  const lines = all.filter(({ value }) => plain(value).includes(plain(registrar)));
  if (lines.length === 0) return 'not in the text';
  const mentions = lines.filter(({ label, value, isRemark }) => {
    return !isRemark && (label !== '' || value.length < PROSE);
  });
  if (mentions.length === 0) return 'in remarks and terms only';
  return mentions.every(isOfOthers) ? 'stated for others only' : null;
}

function ofStatus(statuses: readonly string[], text: string): Contradiction | null {
  const lines = linesOf(text);
  const objects = new Set<number>();
  for (const status of statuses) {
    const mentions = lines.filter(({ value }) => wordsOf(value).includes(wordsOf(status)));
    if (mentions.length === 0) return 'not in the text';
    if (/,\s*\S/.test(status) && !status.includes('(')) return 'a list read as one value';
    if (mentions.every(({ object, label }) => OBJECT_OF_OTHERS.test(object) || OTHER_STATUS.test(label))) {
      return 'stated for others only';
    }
    if (mentions.every(({ value }) => isCutOff(status, value))) return 'a value cut off';
    for (const { label, paragraph } of mentions) if (STATUS.test(label)) objects.add(paragraph);
  }
  const stated = plain(statuses.join(' '));
  const isOmitted = lines.some(({ label, value, paragraph }) => {
    return objects.has(paragraph) && STATUS.test(label) && !stated.includes(plain(value.split(/[ ,]/)[0]));
  });
  return isOmitted ? 'one of two that the text states' : null;
}

/** The words of a value without URLs, each between spaces. */
function wordsOf(value: string): string {
  const words = value.replace(/https?:\S+/g, '').toLowerCase();
  return ` ${words.replace(/[^\p{L}\p{N}]+/gu, ' ').trim()} `;
}

/**
 * Matches `Delete` of `Delete Prohibited by Registrar`. A remark in brackets, a URL or a further code is not cut off.
 */
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

/** Whether a line is about someone other than the registrar. */
function isOfOthers({ label, object, heading }: Line): boolean {
  if (OBJECT_OF_OTHERS.test(object)) return true;
  if ([label, object, heading].some((words) => OF_REGISTRAR.test(words))) return false;
  return OF_OTHERS.test(label) || OF_OTHERS.test(heading);
}
