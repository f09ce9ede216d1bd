import type { Json } from '../../process/json.ts';
import type { DateName } from '../record/fields.ts';
import { UNREADABLE } from '../record/registration-record.ts';
import type { DelegationSigner, Stated } from '../record/registration-record.ts';
import { addHosts, asciiOf, hostAt } from '../whois/parsers/names.ts';
import { isPlaceholder } from '../whois/parsers/placeholder.ts';
import { dateRuleOf, toPublishedDate } from '../whois/parsers/published-date.ts';
import { readStatedDate } from '../whois/parsers/stated-date.ts';
import { addStatuses, eppStatusOf } from '../whois/parsers/status-words.ts';
import {
  firstRead,
  isRead,
  member,
  readBoolean,
  readList,
  readNumber,
  readObject,
  readText,
} from './members.ts';
import type { List } from './members.ts';

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
  const stated = firstRead([readText(member(object, 'ldhName')), readText(member(object, 'unicodeName'))]);
  return isRead(stated) ? asciiOf(stated.toLowerCase().replace(/\.$/, '')) || null : stated;
}

/** EPP codes or the registry's own words, without URLs. */
export function readStatuses(domain: Json): List<string> {
  const list: string[] = [];
  const stated = readList(member(domain, 'status'), readText);
  for (const words of stated.filter(isRead)) addStatuses(list, words);
  return [...new Set([...list.map(eppStatusOf), ...stated.filter((each) => each === UNREADABLE)])];
}

/** RFC 9083 has RFC 3339's dates; what another form leaves open is not guessed. */
const NEVER_GUESSED = dateRuleOf('');
/** Software's words for no date. */
const NO_DATE = /^0{3}[01]\D/;

function readDate(value: unknown): Stated<string> {
  const text = readText(value);
  if (!isRead(text)) return text;
  const stated = readStatedDate(text);
  const date = stated === null ? null : toPublishedDate(stated, NEVER_GUESSED);
  return date ?? (NO_DATE.test(text) || (isPlaceholder(text) && !/\d/.test(text)) ? null : UNREADABLE);
}

interface DomainEvent {
  /** Letters only: some servers write `lastChanged`. */
  action: string;
  date: Stated<string>;
}

const lettersOf = (action: string) => action.toLowerCase().replace(/[^a-z]/g, '');

function readEvent(value: unknown): Stated<DomainEvent> {
  const event = readObject(value, 'eventAction', 'eventDate');
  if (event === UNREADABLE) return UNREADABLE;
  const action = readText(member(event, 'eventAction'));
  const date = readDate(member(event, 'eventDate'));
  if (isRead(action)) return { action: lettersOf(action), date };
  return date === null ? null : UNREADABLE;
}

export const readEvents = (domain: Json): List<DomainEvent> => readList(member(domain, 'events'), readEvent);

/** The first readable date of the events of one kind. */
export const dateOf = (events: List<DomainEvent>, action: string): Stated<string> =>
  firstRead(
    events.map((event) =>
      event === UNREADABLE ? event : event.action === lettersOf(action) ? event.date : null,
    ),
  );

/** The names of hosts in a text, which may also state addresses. */
function readHosts(value: unknown): Stated<string[]> {
  const object = typeof value === 'string' ? { ldhName: value } : readObject(value, 'ldhName', 'unicodeName');
  const name = object === UNREADABLE ? object : readName(object);
  if (!isRead(name)) return name;
  const hosts: string[] = [];
  addHosts(hosts, name);
  if (hosts.length > 0) return hosts;
  // Placeholders such as `not.defined` have the form of a host.
  const isNone = hostAt(name) !== null || (isPlaceholder(name) && !/\d/.test(name));
  return isNone ? null : UNREADABLE;
}

export function readNameServers(domain: Json): List<string> {
  const stated = readList(member(domain, 'nameservers'), readHosts);
  const hosts: string[] = [];
  for (const host of stated.filter(isRead).flat()) addHosts(hosts, host);
  return stated.includes(UNREADABLE) ? [...hosts, UNREADABLE] : hosts;
}

/** RFC 9083 itself shortens a digest with dots. */
const DIGEST = /^[\da-f\s.]{8,256}$/i;
const MAX_DS = 16;

function readDs(value: unknown): Stated<DelegationSigner> {
  const object = readObject(value, 'keyTag', 'algorithm', 'digestType', 'digest');
  if (object === UNREADABLE) return UNREADABLE;
  const number = (name: string) => readNumber(member(object, name));
  const keyTag = number('keyTag');
  const algorithm = number('algorithm');
  const digestType = number('digestType');
  const digest = readText(member(object, 'digest'));
  if (!isRead(keyTag) || !isRead(algorithm) || !isRead(digestType) || !isRead(digest)) return UNREADABLE;
  if (!DIGEST.test(digest)) return UNREADABLE;
  return { keyTag, algorithm, digestType, digest: digest.replace(/\s+/g, '').toUpperCase() };
}

/** A delegation is signed if the object says so, or states DS records or keys. */
export function readDnssec(domain: Json): Stated<{ signed: boolean; ds: List<DelegationSigner> }> {
  const value = member(domain, 'secureDNS');
  if (value === null) return null;
  const secureDns = readObject(value, 'delegationSigned', 'zoneSigned', 'maxSigLife', 'dsData', 'keyData');
  if (secureDns === UNREADABLE) return UNREADABLE;
  const stated = readBoolean(member(secureDns, 'delegationSigned'));
  const all = readList(member(secureDns, 'dsData'), readDs);
  const records = all.filter(isRead).slice(0, MAX_DS);
  const keys = readList(member(secureDns, 'keyData'), (key) => readObject(key, 'publicKey', 'algorithm'));
  const isSigned = isRead(stated) ? stated : records.length > 0 || keys.some(isRead) || null;
  if (isSigned === null)
    return firstRead<never>(
      [stated, ...all, ...keys].map((each) => (each === UNREADABLE ? UNREADABLE : null)),
    );
  const isPart = stated === UNREADABLE || all.includes(UNREADABLE) || all.length > MAX_DS;
  return { signed: isSigned, ds: isPart ? [...records, UNREADABLE] : records };
}
