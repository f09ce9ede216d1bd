import { z } from 'zod';
import { evidenceOf } from '../record/evidence.ts';
import type { Evidence } from '../record/evidence.ts';
import type { RegistrationState } from '../record/registration-record.ts';
import { folded, maskLine, nameFormsOf } from '../whois/parsers/masked-line.ts';
import { guessState, isTrouble } from '../whois/parsers/patterns.ts';
import { SENTENCES } from '../whois/parsers/sentence-table.ts';
import type { RdapAnswer } from './client.ts';

export interface RdapQuestion {
  /** In A-labels. */
  name: string;
  /** Whether IANA's bootstrap lists this server for the zone. */
  isListed: boolean;
}

/** RFC 9083, section 6. One widely used server writes the code as a string. */
const ErrorObject = z.object({
  errorCode: z.union([z.literal(404), z.literal('404')]),
  title: z.string().catch(''),
  description: z.unknown().optional(),
  // A registry object is no error.
  objectClassName: z.undefined().optional(),
});

/**
 * In masked lines: something other than the name is missing, or the name is in transition. Makes the answer unreadable.
 */
const NOT_ABOUT_THE_NAME =
  /\b(?:may|not (?:supported|authoritative|responsible|served|managed|handled|public|available)|unsupported|auction|pending|redemption|quarantine|grace|suspended|locked|on hold|deleted|exists|services?|servers?|zones?|tlds?|backend|databases?|connection|urls?|paths?|routes?|handlers?|authenticat\w+|authori[sz]\w+|users?|tenants?|registrars?|forbidden|withheld|rights|lists?|status)\b|(?<!not )\bis registered\b|{server}|^{url}/;
/** Words for the queried name: HTTP and RDAP call it a resource. */
const RESOURCE = /the server has not found anything matching|\b(?:requested |request )?(?:resource|uri)\b/g;
const MAX_DEPTH = 3;
/** Real error objects have a few hundred characters. The time of the patterns grows with the square of the length. */
const MAX_TEXT_LENGTH = 4_000;

/** The state of an RDAP answer without a record, and what decided it. */
export interface StateReading {
  state: RegistrationState;
  evidence: Evidence | null;
  contradictions: readonly Evidence[];
}

/**
 * The state of the name according to a 404. It is a denial only from the first server (not after a redirect), and only
 * as an RDAP error object about the name, or without a body if IANA's bootstrap lists the server for the zone
 * (`isListed`): gateways and web servers respond 404 to any unknown path. Registries also respond 404 for reserved
 * names, and say so in the description. `json` is the parsed body.
 */
export function readNotFound(
  answer: RdapAnswer,
  { isListed, name }: RdapQuestion,
  json: unknown,
): StateReading {
  const status = `HTTP ${answer.status}`;
  if (!answer.isAuthoritative) return unreadableReading(status);
  if (isEmpty(answer)) return isListed ? readingOf('not_registered', status) : unreadableReading(status);
  const error = ErrorObject.safeParse(json).data;
  if (error === undefined) return unreadableReading(status);
  const said = statementsIn(error, (line) => stateOfLine(line, name));
  const denial = said.find(({ state }) => state === 'not_registered') ?? said[0];
  return (
    readStated(said, ['throttled', 'reserved', 'refused']) ??
    readingOf('not_registered', denial?.line ?? status)
  );
}

/** A text of an error object, with the state of the name that it states; null if it adds nothing. */
interface ErrorStatement {
  line: string;
  state: RegistrationState | null;
}

/** The texts of an error object with their states; too long ones are unreadable. */
function statementsIn(
  error: z.infer<typeof BadRequest>,
  stateOf: (line: string) => RegistrationState | null,
): ErrorStatement[] {
  const lines = [error.title, ...textsIn(error.description)].filter((line) => line.trim() !== '');
  const whole = lines.join(' ');
  if (whole.length > MAX_TEXT_LENGTH) return [{ line: whole, state: 'broken' }];
  return lines.map((line) => ({ line, state: stateOf(line) }));
}

/** The first of the states that a text states, or an unreadable answer because of a text; undefined without either. */
function readStated(
  said: readonly ErrorStatement[],
  states: readonly RegistrationState[],
): StateReading | undefined {
  for (const state of states) {
    const stated = said.find((each) => each.state === state);
    if (stated !== undefined) return readingOf(state, stated.line);
  }
  const against = said.filter(({ state }) => state === 'broken').map(({ line }) => line);
  return against.length > 0 ? unreadableReading(...against) : undefined;
}

/** The state according to one text of an error object; null if it adds nothing to "not found". */
function stateOfLine(line: string, name: string): RegistrationState | null {
  const masked = maskLine(folded(line), nameFormsOf(name));
  const state = SENTENCES.stateOf(masked, { server: null, zone: name.slice(name.indexOf('.') + 1) });
  if (state === 'no') return 'not_registered';
  if (state === 'beside') return null;
  const guessed = state ?? guessState(masked);
  if (guessed === 'invalid') return 'broken';
  if (guessed !== undefined) return guessed;
  const said = masked.replace(RESOURCE, '');
  return NOT_ABOUT_THE_NAME.test(said) || isTrouble(said) ? 'broken' : null;
}

/** The reading of a state that a line decides. */
export function readingOf(state: RegistrationState, line: string): StateReading {
  return { state, evidence: evidenceOf('rdap', line), contradictions: [] };
}

/** The reading of an answer that the lines make unreadable. */
export function unreadableReading(...lines: string[]): StateReading {
  const against = lines.slice(0, MAX_CONTRADICTIONS).map((line) => evidenceOf('rdap', line));
  return { state: 'broken', evidence: null, contradictions: against };
}

const MAX_CONTRADICTIONS = 4;

/** Words of an RDAP error object for an invalid query. */
const BadRequest = z.object({ title: z.string().catch(''), description: z.unknown().optional() });

/** The state of `name` according to an RDAP error object of status 400 or 422. */
export function readBadRequest(json: unknown, name: string): StateReading {
  // Here `400 Bad Request` is the title of an RDAP error, not a web server's page.
  const stateOf = (line: string) => stateOfBadRequest(line.replace(/^\W*4\d\d\W+/, ''), name);
  const said = statementsIn(BadRequest.parse(json), stateOf);
  return readStated(said, ['throttled', 'refused']) ?? readingOf('invalid', said[0]?.line ?? 'HTTP 400');
}

/** In masked lines: something other than the name is invalid. */
const ANOTHER_QUESTION =
  /\b(?:sessions?|tokens?|certificates?|captchas?|parameters?|headers?|keys?|users?|authenticat\w+|databases?|backends?)\b|{server}/;

function stateOfBadRequest(line: string, name: string): RegistrationState | null {
  const masked = maskLine(folded(line), nameFormsOf(name));
  const state = SENTENCES.stateOf(masked, { server: null, zone: null }) ?? guessState(masked);
  if (state === 'throttled' || state === 'refused') return state;
  if (state === 'invalid') return ANOTHER_QUESTION.test(masked) ? 'broken' : 'invalid';
  return ANOTHER_QUESTION.test(masked) ||
    /\b(?:unavailable|maintenance|internal|time ?out|later)\b/.test(masked)
    ? 'broken'
    : null;
}

/** Whether the body is empty, and stated as empty. */
export function isEmpty({ isDelimited, text }: RdapAnswer): boolean {
  return isDelimited && text.trim() === '';
}

/** The texts of a member: by the RFC a list of lines, at some servers one line or nested lists. */
function textsIn(value: unknown, depth = 0): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null || depth === MAX_DEPTH) return [];
  return Object.values(value).flatMap((part) => textsIn(part, depth + 1));
}
