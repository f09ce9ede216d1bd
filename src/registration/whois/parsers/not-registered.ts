import { hostAt } from './host-names.ts';
import {
  ABSENT,
  ANSWER,
  AROUND,
  DENIAL,
  ELSEWHERE,
  EXCUSE,
  FAILURE,
  FILLER,
  FREE_NAME,
  GONE,
  MACHINERY,
  NEGATION,
  NO_NAME,
  PLACEHOLDER,
  QUERIED_OBJECT,
  SUBJECT,
  UNSPACED_AROUND,
  UNSPACED_DENIAL,
} from './denial-words.ts';
import { asciiOf, isSameName } from './same-name.ts';
import { CONDITIONAL, STATE_OF_STATUS } from './state-phrases.ts';

/*
 * The registry's "no" is the one answer that costs a user a domain when it is read wrongly, so it is earned: a
 * sentence of denial that names the domain asked for, or is about a domain, an object, an entry or a match, or is
 * what a search came to (`Not found`). What is said of a thing (`not registered`) is a "no" of no domain where nobody
 * says of what. Every word of it is known to say nothing else, and nothing beside it speaks of the machinery or of an
 * excuse.
 */
/** Where was looked is no machinery: `No entries found in the AFNIC Database.` The words between are looked at. */
const PLACE =
  /in the registry or registrar.?s whois server|on our system|(?<![\p{L}\d])(?:in|from|within|on) (?:the |our |this |its )?((?:[\p{L}\d.'’_-]+ ){0,4}?)(?:registry (?:[\p{L}\d-]+ )?data ?base|data ?base|registry|register)(?![\p{L}\d])|en nic \p{L}+|(?:en la|na|dans la|in der|w) (?:base de (?:datos|dados|données)|datenbank|bazie)|в баз[еы] данных/gu;

/** `exampleNOT FOUND` (whois.nic.sn, 2018). */
const GLUED = /^([a-z\d.-]{1,253})(?<!\.)not found$/;

/** What may be a host name, with the mark before it that would make it an address. */
const NAME_LIKE =
  /(?:^|[^\w./@-])([^\s\0-,/:-@[-^`{-\xa0\u3000\uff1a]+\.[^\s\0-,/:-@[-^`{-\xa0\u3000\uff1a]+)(?![/@])/g;
const SERVER = /^(?:www|whois|rdap)\./;
/** `.ie`, a zone. */
const ZONE = /(?<![\p{L}\d.])\.[\p{L}\d-]+/gu;
/** `No match for amostra`: a name without its zone. */
const LAST_LABEL = /(?<=^\W*no match for )[a-z\d-]{1,63}$/;
const WORD = /[\p{L}\d-]+/gu;

/** What else machinery is in when it works no more. */
const AMISS =
  /(?<!\p{L})(?:invalid|not valid|malformed|error in|expired|reset|lost|broken|closed|aborted|incomplete|truncated|partial|stale|fatal|cannot|interrupted)(?!\p{L})/u;

/** More than any word of status, so that sentences need not be looked up. */
const LONGEST_STATUS = 48;

/** What stands around a sentence. */
interface Context {
  /** The name asked for, in lower case; null where it is not known. */
  asked: string | null;
  /** All sentences that may take it back: its paragraph, or the whole of a short answer. */
  paragraph: readonly string[];
}

/** Whether a sentence, in lower case, is a registry's "no" about the name asked for. */
export function isEarnedNo(sentence: string, { asked, paragraph }: Context): boolean {
  const glued = GLUED.exec(sentence)?.[1];
  if (glued !== undefined) return asked === null || `${asked}.`.startsWith(`${glued}.`);
  const said = QUERIED_OBJECT.exec(sentence)?.[1] ?? sentence;
  if (!isDenial(said) && !(asked !== null && said.includes(asked) && isDenial(without(said, asked)))) {
    return false;
  }
  const rest = withoutName(said, asked);
  if (rest === null || isTurnedRound(rest)) return false;
  if (isAboutMachinery(sentence) || EXCUSE.test(sentence)) return false;
  if (paragraph.some((line) => line !== sentence && isTrouble(line, asked))) return false;
  if (ELSEWHERE.test(rest) || NO_NAME.test(said) || PLACEHOLDER.test(said)) return false;
  const left = rest.split(DENIAL).join(' ').split(UNSPACED_DENIAL).join(' ');
  const hasSubject = rest !== said || SUBJECT.test(said);
  if (!hasSubject && !ANSWER.test(said)) return false;
  const unknown = hasSubject || UNSPACED_DENIAL.test(said) ? withoutKnownWords(left, asked) : left;
  return withoutLabels(unknown, asked).replace(FILLER, '') === '';
}

/** A sentence without the name asked for; null where it names another one. */
function withoutName(sentence: string, asked: string | null): string | null {
  const rest = asked === null ? sentence.replace(LAST_LABEL, '') : without(sentence, asked);
  if (asked !== null) {
    const named = nameInSentence(rest) ?? (rest === sentence ? serverIn(rest) : null);
    if (named !== null && !isSameName(named, asked)) return null;
  }
  return rest.replace(NAME_LIKE, ' ');
}

/** Whether a sentence in lower case names another name than the one asked for. */
export function namesAnother(sentence: string, asked: string | null): boolean {
  return withoutName(sentence, asked) === null;
}

/** A sentence without single labels of the name asked for: registries may leave out the zone. */
function withoutLabels(sentence: string, asked: string | null): string {
  const labels = asked?.split('.') ?? [];
  return sentence.replace(WORD, (word) => (labels.includes(word) ? ' ' : word));
}

/** A sentence without a name, where that is no part of another; words of some scripts may follow it at once. */
function without(sentence: string, name: string): string {
  if (!sentence.includes(name)) return sentence;
  const parts = sentence.split(name);
  const isPart = parts.some(
    (part, at) =>
      (at > 0 && /^[\w@/-]|^\.\w/.test(part)) || (at < parts.length - 1 && /[\w.@/-]$/.test(part)),
  );
  return isPart ? sentence : parts.join(' ');
}

/** What is left of a denial besides the words that say nothing else, and the zone of the name asked for. */
function withoutKnownWords(denial: string, asked: string | null): string {
  const rest = denial
    .replace(PLACE, ' ')
    .replace(ZONE, (zone) => (asked === null || asciiOf(asked).endsWith(asciiOf(zone)) ? ' ' : zone))
    .split(SUBJECT)
    .join(' ');
  return rest.replace(UNSPACED_AROUND, ' ').replace(AROUND, ' ');
}

/** `... no está disponible`: what says that a name can be had stands beside a negation. */
function isTurnedRound(sentence: string): boolean {
  const left = sentence.split(ABSENT).join(' ');
  return FREE_NAME.test(left) && NEGATION.test(left);
}

/** Whether a sentence in lower case gives an excuse, speaks of machinery, or names another name than `asked`. */
export function isTakenBack(sentence: string, asked: string): boolean {
  const rest = withoutName(sentence, asked);
  return (
    rest === null || EXCUSE.test(rest) || GONE.test(rest) || isAboutMachinery(rest) || ELSEWHERE.test(rest)
  );
}

function isDenial(sentence: string): boolean {
  const at = sentence.search(DENIAL);
  return (at >= 0 && !CONDITIONAL.test(sentence.slice(0, at))) || UNSPACED_DENIAL.test(sentence);
}

/** Whether a sentence speaks of the machinery between us and the registry's records. */
export function isAboutMachinery(sentence: string): boolean {
  return MACHINERY.test(sentence) && MACHINERY.test(sentence.replace(NAME_LIKE, ' ').replace(PLACE, ' $1'));
}

/**
 * A sentence beside which a "no" is not believed: of machinery that is missing, failing or gone, of an error, a word that
 * holds back, or one that says something else of the very name.
 */
export function isTrouble(sentence: string, asked: string | null): boolean {
  // `prohibited.` is the end of somebody's terms.
  if (sentence.length <= LONGEST_STATUS && !sentence.endsWith('.')) {
    const status = STATE_OF_STATUS.exactly(sentence);
    if (status === 'reserved' || status === 'withheld') return true;
  }
  if (asked !== null && sentence.includes(asked) && isOfAnotherState(without(sentence, asked))) return true;
  if (FAILURE.test(sentence) && !isDenial(sentence)) return true;
  if (!isAboutMachinery(sentence)) return false;
  return isDenial(sentence) || [EXCUSE, GONE, AMISS].some((words) => words.test(sentence));
}

/** Whether a sentence without its name says that the name is taken, or is no such thing as free or ours. */
function isOfAnotherState(rest: string): boolean {
  if (EXCUSE.test(rest) || isTurnedRound(rest)) return true;
  return NEGATION.test(rest) && !isDenial(rest) && !isAboutMachinery(rest);
}

/** The name in a sentence such as `No match for "example.test".`, servers aside; null where there is none. */
export function nameInSentence(sentence: string): string | null {
  return namesIn(sentence).find((name) => !SERVER.test(name)) ?? null;
}

/** `Not found: whois.nic.example`: beside no other name, a server is what the sentence is about. */
function serverIn(sentence: string): string | null {
  return namesIn(sentence).find((name) => SERVER.test(name)) ?? null;
}

function namesIn(sentence: string): string[] {
  const stated = Array.from(sentence.matchAll(NAME_LIKE), ([, name = '']) => name.replace(/\.+$/, ''));
  return stated.filter((name) => hostAt(name) === name);
}
