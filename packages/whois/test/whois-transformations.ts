import type { RegistrationReading } from '../src/record/registration-record.ts';

/** A WHOIS answer, the queried name, and a record of another name that may follow it. */
export interface WhoisText {
  text: string;
  domain: string | null;
  other: string;
}

/**
 * Result of a change of form: only `same` and `less` are right, `less` being `broken` with empty fields, or with the
 * fields that differ unreadable.
 */
export type Outcome = 'same' | 'less' | 'other' | 'no';

const BANNER = [
  '[ This registry keeps names for whoever asks for them first. What it shows here is     ]',
  '[ for information only, and nobody vouches for any of it. Use it for lawful purposes.  ]',
  '[ The administration of networks is such a purpose; the sending of mail to strangers   ]',
  '[ is none. Further information on this form of answer stands on the pages of the       ]',
  '[ registry, together with everything that has changed in it over the last few years.   ]',
].join('\n');
const TERMS = [
  'TERMS OF USE: You agree that you will use these data only for lawful purposes and that you will not use',
  'them to allow, enable or otherwise support the transmission of unsolicited messages. Access to this service',
  'may be restricted or terminated if too many queries are received. Names that are not found may be reserved',
  'or available for registration; this service does not guarantee that any of them can be registered by you.',
  'The registry reserves the right to change these terms at any time, and to limit the number of queries.',
].join('\n');

const LABELLED = /^([ \t]*)([^\s:%#>;*[][^:\n[]{0,40}?)([ \t]*:)(?=[ \t]+\S)/gm;
const FLAT = /^[^\s:%#>;*[][^:\n]{0,40}:[ \t]+\S/;

/** Reverses paragraphs that consist of labels with values; repeated labels keep their order. */
function turnAround(text: string): string {
  return text
    .split(/(\n[ \t\r]*\n)/)
    .map((paragraph) => {
      const lines = paragraph.split('\n');
      if (lines.length < 3 || !lines.every((line) => FLAT.test(line))) return paragraph;
      const groups = new Map<string, string[]>();
      for (const line of lines) {
        const label = line.slice(0, line.indexOf(':'));
        groups.set(label, [...(groups.get(label) ?? []), line]);
      }
      return [...groups.values()].reverse().flat().join('\n');
    })
    .join('');
}

/** Changes of form that keep the meaning. */
export const TRANSFORMATIONS: Readonly<Record<string, (answer: WhoisText) => string>> = {
  'empty lines removed': ({ text }) => text.replace(/\n(?:[ \t\r]*\n)+/g, '\n'),
  'empty lines doubled': ({ text }) => text.replace(/\n([ \t\r]*)\n/g, '\n$1\n$1\n'),
  'line ends CRLF': ({ text }) => text.replace(/\r?\n/g, '\r\n'),
  'line ends LF': ({ text }) => text.replace(/\r\n/g, '\n'),
  'tabs for blanks': ({ text }) => text.replace(/ {2,}/g, '\t'),
  'labels in capitals': ({ text }) =>
    text.replace(
      LABELLED,
      (_, indent: string, label: string, colon: string) => indent + label.toUpperCase() + colon,
    ),
  'a second language': ({ text }) => text.replace(LABELLED, '$1$2 / Etykieta$3'),
  'a banner above': ({ text }) => `${BANNER}\n${text}`,
  'terms below': ({ text }) => `${text.trimEnd()}\n\n${TERMS}\n`,
  'fields turned round': ({ text }) => turnAround(text),
  'another answer behind': ({ text, other }) => `${text.trimEnd()}\n\n${other}`,
  'another answer before': ({ text, other }) => `${other.trimEnd()}\n\n${text}`,
  'digits in full width': ({ text }) =>
    text.replace(/\d/g, (digit) => String.fromCharCode(digit.charCodeAt(0) + 0xfee0)),
};

/**
 * Compares the parse result of a changed text with that of the original. A record of another name than the queried
 * one counts as broken, as in a look-up.
 */
export function outcomeOf(before: RegistrationReading, after: RegistrationReading, given: string): Outcome {
  if (after.state === 'not_registered' && before.state !== 'not_registered') return 'no';
  if (fieldsOf(before) === fieldsOf(after)) return 'same';
  const name = after.parsed.domainName;
  if (name !== before.parsed.domainName && name !== given && name?.includes('.') === true) return 'less';
  const isLost = (field: (typeof FIELDS)[number]) =>
    (after.parsed[field] ?? []).length === 0 &&
    (after.state === 'broken' || after.incomplete.includes(field));
  const isSame = (field: (typeof FIELDS)[number]) => textOf(before, field) === textOf(after, field);
  const isOfSameState = after.state === 'broken' || after.state === before.state;
  return isOfSameState && FIELDS.every((field) => isLost(field) || isSame(field)) ? 'less' : 'other';
}

const FIELDS = [
  'registrar',
  'creationDate',
  'expirationDate',
  'updatedDate',
  'nameServers',
  'status',
] as const;

function textOf({ parsed }: RegistrationReading, field: (typeof FIELDS)[number]): string {
  const value = parsed[field];
  return JSON.stringify(Array.isArray(value) ? [...value].sort() : value).normalize('NFKC');
}

const fieldsOf = (reading: RegistrationReading): string =>
  [reading.state, ...FIELDS.map((field) => textOf(reading, field))].join();
