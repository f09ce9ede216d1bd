import type { Json } from '@mokuroku/kit';
import type { DateName } from '../record/fields.ts';
import { UNREADABLE, distinct } from '../record/registration-record.ts';
import type { DelegationSigner, List, Stated } from '../record/registration-record.ts';
import { MAX_HOSTS, addHosts, asciiOf, hostAt } from '../whois/parsers/names.ts';
import { isNoDate, isNoValue } from '../whois/parsers/placeholder.ts';
import { dateRuleOf, readStatedDate, toPublishedDate } from '../whois/parsers/published-date.ts';
import { MAX_DS, readDigest } from '../whois/parsers/record-details.ts';
import { MAX_STATUSES, addStatuses, eppStatusOf } from '../whois/parsers/status-words.ts';
import {
  firstIn,
  firstRead,
  isRead,
  listIn,
  member,
  numberIn,
  objectReader,
  readText,
  textIn,
} from './members.ts';

/** The events that state the dates (RFC 9083, section 10.2.3). */
export const EVENTS: Readonly<Record<DateName, string>> = {
  creationDate: 'registration',
  expirationDate: 'expiration',
  updatedDate: 'last changed',
  deletionDate: 'deletion',
  registrarExpirationDate: 'registrar expiration',
};

/** The name of a domain or a name server in A-labels, lower case, without trailing dot. */
export function readName(object: Json): Stated<string> {
  const stated = firstRead([textIn(object, 'ldhName'), textIn(object, 'unicodeName')]);
  return isRead(stated) ? asciiOf(stated.toLowerCase().replace(/\.$/, '')) || null : stated;
}

/** EPP codes or the registry's own words, without URLs. */
function readStatus(value: unknown): Stated<string[]> {
  const text = readText(value);
  if (!isRead(text)) return text;
  const words: string[] = [];
  return addStatuses(words, text) ? words.map(eppStatusOf) : UNREADABLE;
}

export const readStatuses = (domain: Json): List<string> =>
  distinct(listIn(domain, 'status', readStatus).flat(), MAX_STATUSES);

/** RFC 9083 has RFC 3339's dates; what another form leaves open is not guessed. */
const NEVER_GUESSED = dateRuleOf('');

function readDate(text: Stated<string>): Stated<string> {
  if (!isRead(text)) return text;
  // WHOIS reads past signs, but of a year they are a part.
  const stated = text.startsWith('-') ? null : readStatedDate(text);
  const date = stated === null ? null : toPublishedDate(stated, NEVER_GUESSED);
  return date ?? (isNoDate(text) ? null : UNREADABLE);
}

/** Letters only: some servers write `lastChanged`. */
const lettersOf = (action: string) => action.toLowerCase().replace(/[^a-z]/g, '');

const readEvent = objectReader<{ action: string; date: Stated<string> }>('eventAction eventDate', (event) => {
  const action = textIn(event, 'eventAction');
  const date = readDate(textIn(event, 'eventDate'));
  if (isRead(action)) return { action: lettersOf(action), date };
  return date === null ? null : UNREADABLE;
});

/** Reads the date of the events of one kind; unreadable if they state several. */
export function readDates(domain: Json): (action: string) => Stated<string> {
  const events = listIn(domain, 'events', readEvent);
  return (wanted) => {
    const dates = events.map((event) =>
      event === UNREADABLE ? event : event.action === lettersOf(wanted) ? event.date : null,
    );
    const [longest = null, ...others] = dates.filter(isRead).sort((a, b) => b.length - a.length);
    // A day may be that of an instant.
    return others.every((date) => longest?.startsWith(date)) ? firstRead([longest, ...dates]) : UNREADABLE;
  };
}

const readHost = objectReader('ldhName unicodeName', readName);

/** The names of hosts in a text, which may also state addresses. */
function readHosts(value: unknown): Stated<string[]> {
  const name = readHost(typeof value === 'string' ? { ldhName: value } : value);
  if (!isRead(name)) return name;
  const hosts: string[] = [];
  addHosts(hosts, name);
  // Placeholders such as `not.defined` have the form of a host.
  return hosts.length > 0 ? hosts : hostAt(name) !== null || isNoValue(name) ? null : UNREADABLE;
}

export const readNameServers = (domain: Json): List<string> =>
  distinct(listIn(domain, 'nameservers', readHosts).flat(), MAX_HOSTS);

const readDs = objectReader('keyTag algorithm digestType digest', (ds) => {
  const keyTag = numberIn(ds, 'keyTag');
  const algorithm = numberIn(ds, 'algorithm');
  const digestType = numberIn(ds, 'digestType');
  const text = textIn(ds, 'digest');
  if (!isRead(keyTag) || !isRead(algorithm) || !isRead(digestType) || !isRead(text)) return UNREADABLE;
  const digest = readDigest(text);
  return digest === undefined ? UNREADABLE : { keyTag, algorithm, digestType, digest };
});

/** `true` or `false`, also as a text. */
function readSigned(value: unknown): Stated<boolean> {
  if (value === null || typeof value === 'boolean') return value;
  const word = typeof value === 'string' ? value.trim().toLowerCase() : '';
  return word === 'true' ? true : word === 'false' ? false : UNREADABLE;
}

const readKey = objectReader('publicKey algorithm', () => true);

/** A delegation is signed if it has DS records, as in WHOIS; else if the object says so, or states keys. */
const readSecureDns = objectReader<{ signed: boolean; ds: List<DelegationSigner> }>(
  'delegationSigned zoneSigned maxSigLife dsData keyData',
  (secureDns) => {
    const stated = readSigned(member(secureDns, 'delegationSigned'));
    const all = listIn(secureDns, 'dsData', readDs);
    const keys = listIn(secureDns, 'keyData', readKey);
    const signed = firstRead([firstIn(all, () => true), stated, firstIn(keys, () => true)]);
    if (!isRead(signed)) return signed;
    const ds = distinct(all, MAX_DS);
    return { signed, ds: stated === UNREADABLE ? [...ds, UNREADABLE] : ds };
  },
);

export const readDnssec = (domain: Json) => firstRead(listIn(domain, 'secureDNS', readSecureDns));
