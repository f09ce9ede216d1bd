import { DATES } from '../../record/fields.ts';
import { hostAt, isNameAlone } from './names.ts';
import { MAX_HEADING_LENGTH } from './lines.ts';
import type { Line, Reading } from './lines.ts';
import type { RecordList } from './record-list.ts';
import type { Section } from './section.ts';
import { YEAR, readStatedDate } from './published-date.ts';
import { STATUS_WORD } from './status-words.ts';
import { COLONLESS_PATTERNS, GENERAL_LABELS, isDetail } from './vocabulary.ts';

/** `Please visit ...` below DNS Belgium's statuses. */
const ADVICE = /^please\b/i;

/** Reads a line without a label: a heading, a label without a colon, or content of the current section. */
export function readUnlabelledLine(line: Line, section: Section, records: RecordList): Reading {
  const statuses = records.current.status.length;
  const isRead =
    readHeading(line, section) ||
    readScopedHeading(line.text, section) ||
    readColonlessLabel(line, section, records) ||
    readNameAndState(line.text, records) ||
    readContent(line, section, records);
  if (records.current.status.length > statuses) return 'status';
  return isRead ? 'field' : 'content';
}

function readHeading({ text, indent }: Line, section: Section): boolean {
  if (text.length > MAX_HEADING_LENGTH || !section.canBeHeading(indent)) return false;
  const heading = GENERAL_LABELS.getExact(text);
  if (heading === undefined || (heading.opens === 'none' && (heading.field === null || heading.rank > 1))) {
    return false;
  }
  section.open(heading.opens, indent, heading.registrant);
  section.expect(heading.field, heading.rank);
  return true;
}

/** `Name` below `Domain Managers` (.im, 2026): a label without a colon, with its value on the next line. */
function readScopedHeading(text: string, section: Section): boolean {
  const field =
    section.name === 'registrar' && !section.hasContent ? section.scope?.getExact(text) : undefined;
  if (field === undefined || isDetail(field)) return false;
  const { scopedRank } = section;
  section.close();
  section.expect(field, scopedRank);
  return true;
}

/** Labels without a colon: `Record expires on 2030-01-31`, `Domain EXAMPLE.KG (ACTIVE)`. */
function readColonlessLabel({ text, isAfterGap }: Line, section: Section, records: RecordList): boolean {
  for (const [field, pattern] of COLONLESS_PATTERNS) {
    const value = pattern.exec(text)?.[1];
    if (value === undefined) continue;
    if (field === 'domain') {
      const rest = value.slice(hostAt(value)?.length ?? 0);
      const status = /^ \((.*)\)$/.exec(rest)?.[1];
      if (rest !== '' && status === undefined) return false;
      section.close();
      records.startRecord(value, { isAfterGap, opensAgain: true });
      if (status !== undefined) records.addField({ field: 'status', rank: 1, value: status });
    }
    records.addField({ field, rank: 1, value });
    return true;
  }
  return false;
}

/** `SAMPLE.EXAMPLE Active` opens a record. */
function readNameAndState(text: string, { current }: RecordList): boolean {
  if (current.domain !== null || current.hasFacts()) return false;
  const host = hostAt(text);
  if (host === null || !STATUS_WORD.test(text.slice(host.length).trim())) return false;
  current.setField('domain', 1, text);
  return true;
}

function readContent({ text, indent, isAfterGap }: Line, section: Section, records: RecordList): boolean {
  const field = section.pending;
  if (field === null) return false;
  if (!section.canBeContent(indent)) {
    section.pending = null;
    return false;
  }
  if (field === 'status' && ADVICE.test(text)) return false;
  if (field === 'domain' && records.current.domain !== null) {
    section.close();
    records.startRecord(text, { isAfterGap, opensAgain: true });
  }
  // `Domain registration` may also be the address of a contact. `before 1 January 1996` is no date, but states one.
  const isNoDate = field in DATES && readStatedDate(text) === null && !YEAR.test(text);
  if (!isNoDate) records.addField({ field, rank: section.pendingRank, value: text });
  section.hasContent = true;
  if (field !== 'status') section.pending = null;
  // An empty list of hosts may continue after an empty line; a sentence there is no host.
  if (field === 'nameServer' && isAfterGap && !records.current.hasFacts()) return hostAt(text) !== null;
  return field !== 'domain' || isNameAlone(text);
}
