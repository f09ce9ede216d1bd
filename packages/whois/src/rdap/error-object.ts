import { isRecord } from '@mokuroku/kit';
import type { Json } from '@mokuroku/kit';
import { UNREADABLE, decided, evidenceOf, unreadable } from '../record/registration-record.ts';
import type { RegistrationState, StateReading } from '../record/registration-record.ts';
import { ERROR_WORDS, guessState, isNotOpen } from '../whois/parsers/patterns.ts';
import { SentenceReader } from '../whois/parsers/sentence-table.ts';
import { isWithheld } from '../whois/parsers/status-words.ts';
import type { RdapAnswer } from './client.ts';
import { member, numberIn } from './members.ts';

/** Members of an RDAP error (RFC 9083, sections 4 and 6) that say nothing of the name. */
const FORMAL = /^(?:errorCode|links|lang|rdapConformance)$/;
/** Extensions have an underscore. Gateways and web frameworks have other members: `message`, `error`, `path`. */
const NOTES = /^(?:notices|remarks)$|_/;
/** The members with texts, which have to be read. */
const TEXT_MEMBERS = ['title', 'description', 'notices', 'remarks'];

const isErrorMember = (name: string) => FORMAL.test(name) || NOTES.test(name) || TEXT_MEMBERS.includes(name);

/**
 * Whether a body is an RDAP error of that status code, which may be absent: the status of the answer is the code. A
 * registry object is no error.
 */
function isErrorOf(code: number, json: unknown): json is Json {
  if (!isRecord(json) || member(json, 'objectClassName') !== null) return false;
  if (TEXT_MEMBERS.some((name) => member(json, name) === UNREADABLE)) return false;
  const stated = numberIn(json, 'errorCode');
  if (stated === null) return Object.keys(json).every(isErrorMember);
  return stated === code || (code !== 404 && stated !== UNREADABLE);
}

/** Real texts have a few hundred characters. The time of the patterns grows with the square of the length. */
const MAX_TEXT_LENGTH = 4_000;
/** Of all notices and remarks. The largest answer seen has 26,000 characters. */
const MAX_NOTES_LENGTH = 32_768;

/**
 * The state of the name according to an error of status 400, 404 or 422, or sent with 200. A 404 is a denial only from
 * the first server (not after a redirect), and only as an RDAP error object, or without a body: gateways and web servers
 * respond 404 to any unknown path. Any error says `invalid` only in words about the name. `json` is the parsed body.
 */
export function readError(answer: RdapAnswer, name: string, code: number, json: unknown): StateReading {
  const isNotFound = code === 404;
  const status = `HTTP ${answer.status}`;
  if (isNotFound && !answer.isAuthoritative) return unreadableReading(status);
  if (answer.isDelimited && answer.text.trim() === '') {
    return isNotFound ? readingOf('not_registered', status) : unreadableReading(status);
  }
  if (!isErrorOf(code, json)) return unreadableReading(status);
  const said = statementsIn(json, code, name);
  const find = (state: RegistrationState) => said.find((each) => each.state === state);
  for (const state of ['throttled', 'reserved', 'refused'] as const) {
    const stated = find(state);
    if (stated) return readingOf(state, stated.line);
  }
  const against = said.filter(({ state }) => state === 'broken').map(({ line }) => line);
  if (against.length > 0) return unreadableReading(...against);
  const invalid = find('invalid');
  if (invalid) return readingOf('invalid', invalid.line);
  if (!isNotFound) return unreadableReading(status);
  return readingOf('not_registered', find('not_registered')?.line ?? status);
}

/** A text of an error object, and what it states of the name. */
interface Statement {
  line: string;
  state: RegistrationState | null;
}

/**
 * The texts of an error object with the states that they state; one that is too long to be read may state any, as may too
 * many notices. Notices, remarks and extensions state a reservation or throttling alone, because real ones are terms of
 * use, and mention trouble and other servers. Beside a stated code, gateways say it in members of their own.
 */
function statementsIn(error: Json, code: number, name: string): Statement[] {
  const textsOf = (isWanted: (member: string) => boolean) =>
    textsIn([Object.fromEntries(Object.entries(error).filter(([member]) => isWanted(member)))]);
  const reader = new SentenceReader(name, { server: null, zone: name.slice(name.indexOf('.') + 1) });
  const read = (line: string): Statement => ({ line, state: stateOfErrorText(line, code, reader) });
  const unread = (line: string): Statement[] => [{ line, state: 'broken' }];
  const texts = textsOf((member) => !FORMAL.test(member) && !NOTES.test(member)).filter(
    (line) => line.trim() !== '',
  );
  const whole = texts.join(' ');
  const own = whole.length > MAX_TEXT_LENGTH ? unread(whole) : texts.map(read);
  const notes = textsOf((member) => NOTES.test(member));
  const isTooMuch = notes.join('').length > MAX_NOTES_LENGTH;
  if (isTooMuch || notes.some(({ length }) => length > MAX_TEXT_LENGTH))
    return [...own, ...unread('notices')];
  const noted = notes.flatMap((note) => {
    const statement = read(note);
    if (statement.state === 'reserved' || statement.state === 'throttled') return statement;
    // `Reserved` alone, as a heading, may be about the name or about rights.
    return isWithheld(reader.mask(note)) ? unread(note) : [];
  });
  return [...own, ...noted];
}

/** All texts and codes in a value: by the RFC a description is a list of lines, at some servers one line or nested lists. */
function textsIn(value: unknown): string[] {
  const parts = [value];
  for (const part of parts) {
    if (typeof part !== 'object' || part === null) continue;
    for (const [name, inner] of Object.entries(part))
      if (typeof inner !== 'number' || /^\d+$|code|status|error/i.test(name)) parts.push(inner);
  }
  return parts.filter((part) => typeof part === 'string' || typeof part === 'number').map(String);
}

export const readingOf = (state: RegistrationState, line: string): StateReading =>
  decided(state, evidenceOf('rdap', line));
export const unreadableReading = (...lines: string[]): StateReading =>
  unreadable(lines.map((line) => evidenceOf('rdap', line)));

/** `could not be found`, `no RDAP record exists`: other words for `not found`. HTTP and RDAP call a name a resource. */
const NOT_FOUND = new RegExp(
  [
    /\b(?:unable to|not possible to|(?:could|can) ?not|(?:could|ca)n t|failed to|(?:does|did) ?n(?:ot| t)) (?:be )?(?:find|found|locate|located|exist|match)\b/,
    /\bno (?:such |matching |rdap |registration |registered |domain |name |{name} ){0,3}(?:domain|name|record|object|entry|entries|data|information|resource|result|match)s?(?: that)?(?: (?:is|are|was|were|currently|found|exists?|available|registered|match(?:es)?)){0,3}\b/,
    /\bthe server has not found anything matching\b/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'g',
);
/** Where the name is not found: in the registry, its database or its zone, on its server. */
const PLACE =
  /\b((?:not(?: been)?(?: found| registered| present| known| exist)?|unknown)(?: for)?(?: {name})? (?:in|on|at|by|to|from|within|under)|valid domain(?: name)? for) (?:(?:the|this|our|its|any|local|registry|registry or registrar s|registration|rdap|whois|domain|name|tld|top level) )*(?:databases?|server|registry|system|repository|zone|tld|{zone})\b(?: {zone})?/g;

/** Words about the form of a name. */
const FORM =
  /\b(?:invalid|malformed|illegal|incorrect|bad|wrong|not valid|not a valid|not well formed|too (?:long|short)) (?:(?:is|a|the|for|fully|qualified|{name}) )*(?:domain|name|label|idn|fqdn|u label|a label|punycode)s?\b|(?:\b(?:domain|name|label|idn)s?|{name})(?: (?:is|are|was|has|must|be|a|name|{name}))* (?:invalid|malformed|illegal|incorrect|not valid|not a valid|not well formed|too (?:long|short|many))\b|\b(?:characters?|hyphens?|punycode|labels?|letters|idna?)\b/;

/**
 * What a text of an error object may be about, other than the name. The first row that matches decides. `refused`: the
 * zone or the request. `broken`: trouble of the server, another host, or a name that is reserved or in transition.
 */
const NOT_ABOUT_THE_NAME: readonly (readonly ['refused' | 'broken', RegExp])[] = [
  [
    'refused',
    /\b(?:zones?|tlds?|top level domains?|suffix(?:es)?|extensions?|not (?:supported|authoritative|responsible|served|managed|handled|hosted|operated)|unsupported(?! character| label)|urls?|paths?|routes?|handlers?|parameters?|headers?|keys?|tokens?|sessions?|captchas?|certificates?|authenticat\w+|authori[sz]\w+|users?|tenants?|registrars?|pages?|endpoints?|methods?|apis?|hosts?|given|missing|required|specified|supplied|no registry|(?:registry|query|request) not found|cannot (?:get|process|handle))\b|^{url}|^(?:(?:no|such|unknown|the|requested|object) )*(?:name ?servers?|entity|autnum|ip network|help|version|class|type)\b(?!.*\bdomain)/,
  ],
  [
    'broken',
    /\b(?:services?|servers?|backend|databases?|connection|internal|unavailable|maintenance|timed? ?out|later|temporar(?:y|ily)|retry|fail(?:s|ed|ure)?|fatal|exceptions?|down|busy|offline|overload(?:ed)?|unreachable|aborted|refused|rejected|denied|moved|gateway|proxy|upstream|replica|cached?|quotas?|allowance|disabled|suppressed|opted out|not (?:disclosed|eligible|published|enabled|implemented|ready|possible)|in progress|processing(?! time)|limits?|hidden|redacted|confidential|loading|initiali[sz]ing|queued?|(?:an?|unknown|unexpected|processing|system|query) error|error (?:while|during|in|processing|occurred))\b|{server}/,
  ],
  [
    'broken',
    /\b(?:may not|not (?:public|available|free)|grace|held by|a variant|another registry|suspended|locked|deleted|expired|taken|already|exists|forbidden|blocked|reserved|restricted|rights|status(?! (?:code )?{n}))\b|(?<!not )\bis registered\b/,
  ],
];

const ERROR = `(?:${ERROR_WORDS.source})`;
/** `HTTP 502`, `StatusCode=502`: may be the code of a server behind this one; no part of a time, a phone number, an id or a count. */
const HTTP_CODE =
  /(?<![\d+]|\d[.,_:-]|(?<![a-z]{3})[a-z])[45]\d\d(?!\w|[._:-]\d| (?:m?s|(?:milli)?seconds?)\b)/g;
/** `Fehler 404`, `404 - Erreur`, `エラー404` alone: as in English, the word for an error adds nothing to a code. */
const NUMBERED_ERROR = new RegExp(`^(?:code |code d |código de )?(?:${ERROR}(?: {n}|\\d{3})|{n} ${ERROR})$`);

/**
 * The state according to one text of an error object about the reader's name; null if the text adds nothing to the status
 * code. The name is masked first, so that none of its words counts.
 */
function stateOfErrorText(text: string, code: number, reader: SentenceReader): RegistrationState | null {
  const codes = reader.withoutName(text).match(HTTP_CODE) ?? [];
  if (codes.some((stated) => Number(stated) !== code)) return 'broken';
  const masked = reader.mask(text);
  const known = reader.stateOf(masked);
  if (known === 'no') return 'not_registered';
  if (known === 'neutral') return null;
  // Words of the table for an invalid query may be about the request.
  if (known !== undefined && known !== 'invalid') return known;
  const said = masked.replace(NOT_FOUND, 'not found').replace(PLACE, '$1').replace(NUMBERED_ERROR, '{n}');
  const guessed = guessState(masked);
  if (guessed === 'reserved' && reader.namesAnother(text)) return 'broken';
  if (guessed !== undefined && guessed !== 'invalid') return guessed;
  const [other] = NOT_ABOUT_THE_NAME.find(([, words]) => words.test(said)) ?? [];
  if (other !== undefined || isNotOpen(said)) return other ?? 'broken';
  return FORM.test(said) ? 'invalid' : null;
}
