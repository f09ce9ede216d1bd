import { createRequire } from 'node:module';
import { domainToASCII, domainToUnicode } from 'node:url';
import type * as Tldts from 'tldts';
import type { Text } from '@mokuroku/kit';
import { LookUpError } from './look-up-error.ts';
import { NAME_FAULTS } from '../record/name-faults.ts';

// Required, because Node reads a CommonJS file twice if it is imported: that took half of the time of our own import.
const { getPublicSuffix } = createRequire(import.meta.url)('tldts') as typeof Tldts;

/** A valid domain name. */
export interface DomainName {
  /** The name as given. */
  spelling: string;
  /** The name to query: the registrable name in lower-case A-labels, or a public suffix or TLD itself. */
  name: string;
  /** The last label. */
  tld: string;
  /** The zone of `name`; empty for a TLD. */
  zone: string;
  /** `name` is a public suffix (co.jp), or the parent of such ones: names are registered in it. */
  isSuffix?: true;
}

/** RFC 1035, section 2.3.4, less the root label. */
const MAX_NAME_LENGTH = 253;
const MAX_LABEL_LENGTH = 63;
const MAX_SHOWN_LENGTH = 100;

const LDH_LABEL = /^[a-z0-9-]+$/;
const TLD_LABEL = /^(?:[a-z]{2,}|xn--[a-z0-9-]+)$/;
/** Blanks, controls and invisible characters, with which a name would differ from its display. IDNA handles joiners. */
const UNSEEN =
  /[\u0000-\u0020\u007f-\u00a0\u00ad\u034f\u180b-\u180e\u2000-\u200b\u200e\u200f\u2028-\u202f\u2060-\u2064\u3000\ufeff]/u;
const URL_PARTS = /[/:@?#%\\[\]]/;
/** Forms of an IPv4 address in URLs: dotted, short, octal and hexadecimal (WHATWG URL, section 3.5). */
const IPV4_LIKE = /^(?:\d+|0x[\da-f]*)(?:\.(?:\d+|0x[\da-f]*)){0,3}$/;
const NON_ASCII = /[^\u0000-\u007f]/;

/** Only ICANN's suffixes: a private one (blogspot.com) is an ordinary registration. */
const SUFFIX_OPTIONS = { allowPrivateDomains: false };

/**
 * Parses a name in any case, with or without a trailing dot, in Unicode or A-labels. Throws LookUpError `invalid_domain`
 * naming every fault. The result has only letters, digits, hyphens and dots, and no label starts with a hyphen, so it
 * is safe in a WHOIS query.
 */
export type ReadDomainName = (spelling: string) => DomainName;

/** `hasOwnRegistry` says which zones below a TLD have their own registry (uk.com); they count as public suffixes. */
export function createNameReader(hasOwnRegistry: (zone: string) => boolean): ReadDomainName {
  return function readDomainName(spelling) {
    const ascii = toAscii(spelling);
    const faults = nameFaults(ascii);
    if (faults.length > 0) throw invalidDomain(spelling, faults);
    const labels = ascii.split('.');
    const tld = labels.at(-1) ?? '';
    /** Those above the name, the deepest first. */
    const zones = labels.map((_, at) => labels.slice(at + 1).join('.'));
    const own = zones.find((each) => hasOwnRegistry(each));
    const zone = own ?? getPublicSuffix(ascii, SUFFIX_OPTIONS) ?? tld;
    if (ascii === zone) return { spelling, name: ascii, tld, zone: zones[0] ?? '', isSuffix: true };
    const label = labels.at(-1 - zone.split('.').length) ?? '';
    const name = `${label}.${zone}`;
    // Any name in kawasaki.jp is a suffix.
    const isParent = getPublicSuffix(`x.${name}`, SUFFIX_OPTIONS) === `x.${name}`;
    return { spelling, name, tld, zone, ...(isParent && { isSuffix: true }) };
  };
}

/** Lower-case A-labels without trailing dot. IDNA mapping (UTS 46) applies only to names beyond ASCII. */
function toAscii(spelling: string): string {
  const fault = spellingFault(spelling);
  if (fault) throw invalidDomain(spelling, [fault]);
  // A copy: in V8, a substring keeps the whole text (here a URL) in memory.
  const ascii = NON_ASCII.test(spelling)
    ? domainToASCII(spelling)
    : Buffer.from(spelling).toString().toLowerCase();
  if (ascii === '') throw invalidDomain(spelling, [NAME_FAULTS.notIdna]);
  return ascii.endsWith('.') ? ascii.slice(0, -1) : ascii;
}

function spellingFault(spelling: string): Text | undefined {
  if (spelling === '') return NAME_FAULTS.emptyName;
  if (spelling.length > 4 * MAX_NAME_LENGTH) return NAME_FAULTS.longName(spelling.length, MAX_NAME_LENGTH);
  if (UNSEEN.test(spelling)) return NAME_FAULTS.unseenCharacters;
  if (spelling.startsWith('[') || /^[\da-f]*:[\da-f:.]*$/i.test(spelling)) return NAME_FAULTS.ipAddress;
  return URL_PARTS.test(spelling) ? NAME_FAULTS.urlParts : undefined;
}

function nameFaults(ascii: string): Text[] {
  if (ascii === '') return [NAME_FAULTS.rootName];
  if (IPV4_LIKE.test(ascii)) return [NAME_FAULTS.ipAddress];
  const faults: Text[] = [];
  if (ascii.length > MAX_NAME_LENGTH) faults.push(NAME_FAULTS.longName(ascii.length, MAX_NAME_LENGTH));
  const labels = ascii.split('.');
  for (const label of labels.slice(0, 128)) {
    const fault = labelFault(label);
    if (fault !== undefined && !faults.some(({ en }) => en === fault.en)) faults.push(fault);
  }
  const tld = labels.at(-1) ?? '';
  if (faults.length === 0 && !TLD_LABEL.test(tld)) {
    faults.push(NAME_FAULTS.notTopLevel(tld));
  }
  return faults;
}

function labelFault(label: string): Text | undefined {
  if (label === '') return NAME_FAULTS.emptyLabel;
  const shown = label.length > 30 ? `${label.slice(0, 30)}...` : label;
  if (label.length > MAX_LABEL_LENGTH) {
    return NAME_FAULTS.longLabel(shown, label.length, MAX_LABEL_LENGTH);
  }
  if (!LDH_LABEL.test(label)) return NAME_FAULTS.labelCharacters(shown);
  if (label.startsWith('-') || label.endsWith('-')) return NAME_FAULTS.labelHyphen(shown);
  if (label.startsWith('xn--') && !isALabel(label)) return NAME_FAULTS.labelPunycode(shown);
  return undefined;
}

/** Whether a label and its Unicode form convert into each other. Node 24 returns invalid ones unchanged. */
function isALabel(label: string): boolean {
  const unicode = domainToUnicode(label);
  return unicode !== label && domainToASCII(unicode) === label;
}

function invalidDomain(spelling: string, faults: readonly Text[]): LookUpError {
  const given = spelling.length > MAX_SHOWN_LENGTH ? `${spelling.slice(0, MAX_SHOWN_LENGTH)}...` : spelling;
  return new LookUpError('invalid_domain', {
    message: `This is not a domain name that can be looked up: ${faults.map(({ en }) => en).join('; ')}.`,
    details: faults.map(({ en: reason }) => ({ parameter: 'domain', given, reason })),
  });
}
