import { z } from 'zod';
import type { RegistrationState } from '../look-up/registration-record.ts';
import { isTakenBack } from '../whois/parsers/not-registered.ts';
import { parseWhoisText } from '../whois/parsers/parse-whois-text.ts';
import { STATE_OF_STATUS } from '../whois/parsers/state-phrases.ts';
import { readHeldBack, readStatement } from '../whois/parsers/statements.ts';
import type { RdapAnswer } from './client.ts';

/** What was asked. */
export interface RdapQuestion {
  /** In A-labels. */
  name: string;
  /** IANA's bootstrap names this server for the zone. */
  isListed: boolean;
}

/** RFC 9083, section 6. One widely used server writes the code as a string. */
const ErrorObject = z.object({
  errorCode: z.union([z.literal(404), z.literal('404')]),
  title: z.string().catch(''),
  description: z.unknown().optional(),
  // An object of the registry is no error.
  objectClassName: z.undefined().optional(),
});

/** Something else than the name is not there, or the name is in between. */
const NOT_ABOUT_THE_NAME =
  /\bnot (?:supported|authoritative|responsible|served|managed|handled|public)\b|\bunsupported\b|\b(?:auction|pending|redemption|quarantine|grace|expired|suspended|locked|on hold|deleted)\b|\b(?<!not )(?:is registered|exists)\b/i;
/** What was asked for, in the words of HTTP: what RDAP calls a resource is the name. */
const RESOURCE = /the server has not found anything matching|\b(?:requested |request-)?(?:resource|uri)\b/g;
const MOST_DEPTH = 3;
const OTHER_STATES: ReadonlySet<RegistrationState> = new Set(['reserved', 'throttled', 'refused']);

/**
 * What an RDAP answer "not found" says of the name. It is a "no" from the server that was asked first alone, and only
 * as an RDAP error object about the name, or without a body where IANA's bootstrap lists the server for the zone
 * (`isListed`): gateways and web servers say 404 to whatever they do not know. Registries also answer 404 for names
 * that they hold back, and say so in the description. `json` is the body as it was read.
 */
export function readNotFound(
  answer: RdapAnswer,
  { isListed, name }: RdapQuestion,
  json: unknown,
): RegistrationState {
  if (!answer.isAuthoritative) return 'broken';
  if (isEmpty(answer)) return isListed ? 'not_registered' : 'broken';
  const error = ErrorObject.safeParse(json).data;
  if (error === undefined) return 'broken';
  const lines = textsOf(error);
  const { state } = parseWhoisText(lines.join('\n'), { domain: name });
  if (OTHER_STATES.has(state)) return state;
  const heldBack = lines.map((line) => readHeldBack(line.toLowerCase(), name));
  if (heldBack.includes('reserved')) return 'reserved';
  const isOther = lines.some((line) => {
    const sentence = line.toLowerCase().replace(RESOURCE, '');
    // `Not available`, `Status: forbidden`: a word of status that is no "no".
    const status = STATE_OF_STATUS.exactly(sentence.replace(/^[^:]*:/, ''));
    const isNo = status === undefined || status === 'not_registered';
    return !isNo || NOT_ABOUT_THE_NAME.test(sentence) || isTakenBack(sentence, name);
  });
  return isOther || heldBack.includes('broken') ? 'broken' : 'not_registered';
}

/** What an RDAP error object calls a question bad for: the name, unless it says so of something else. */
const BadRequest = z.object({ title: z.string().catch(''), description: z.unknown().optional() });

/** What an RDAP error object of status 400 or 422 says of `name`. */
export function readBadRequest(json: unknown, name: string): RegistrationState {
  const said = textsOf(BadRequest.parse(json)).map((line) => {
    // `400 Bad Request` is an error's title here, and no web server's word.
    return readStatement(line.replace(/^\W*4\d\d\W+/, ''), name)?.state;
  });
  return (['throttled', 'refused', 'broken'] as const).find((state) => said.includes(state)) ?? 'invalid';
}

/** Whether the server says nothing, and that this is all. */
export function isEmpty({ isDelimited, text }: RdapAnswer): boolean {
  return isDelimited && text.trim() === '';
}

function textsOf({ title, description }: z.infer<typeof BadRequest>): string[] {
  return [title, ...textsIn(description)];
}

/** The texts in a member that is a list of lines by the RFC, and one line, or lists in a list, at some servers. */
function textsIn(value: unknown, depth = 0): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null || depth === MOST_DEPTH) return [];
  return Object.values(value).flatMap((part) => textsIn(part, depth + 1));
}
