import { z } from 'zod';
import type { RegistrationState } from '../look-up/registration-record.ts';
import { parseWhoisText } from '../whois/parsers/parse-whois-text.ts';
import type { RdapAnswer } from './client.ts';

/** RFC 9083, section 6. One widely used server writes the code as a string. */
const ErrorObject = z.object({
  errorCode: z.union([z.literal(404), z.literal('404')]),
  title: z.string().catch(''),
  description: z.array(z.unknown()).catch([]),
});

/** Something else than the name is not there, or the name is in between. */
const NOT_ABOUT_THE_NAME =
  /\bno\b[^.]{0,40}\bservices?\b|\bservices?\b[^.]{0,40}\bnot\b|\b(?:tld|top-level domain|zone|suffix|extension)s?\b|\bnot (?:supported|authoritative|responsible|served|managed|handled)\b|\bunsupported\b|\b(?:auction|pending)\b/i;
const OTHER_STATES: ReadonlySet<RegistrationState> = new Set(['reserved', 'throttled', 'refused']);

/**
 * What an RDAP answer "not found" says of the name. It is a "no" from the server that was asked first alone, and only
 * as an RDAP error object about the name, or without a body where IANA's bootstrap lists the server for the zone
 * (`isListed`): gateways and web servers say 404 to whatever they do not know. Registries also answer 404 for names
 * that they hold back, and say so in the description.
 */
export function readNotFound(answer: RdapAnswer, isListed: boolean): RegistrationState {
  if (!answer.isAuthoritative) return 'broken';
  if (answer.text.trim() === '') return isListed ? 'not_registered' : 'broken';
  const error = readErrorObject(answer.text);
  if (error === undefined) return 'broken';
  const words = [error.title, ...error.description.filter((line) => typeof line === 'string')].join('\n');
  const { state } = parseWhoisText(words);
  if (OTHER_STATES.has(state)) return state;
  return NOT_ABOUT_THE_NAME.test(words) ? 'broken' : 'not_registered';
}

function readErrorObject(text: string): z.infer<typeof ErrorObject> | undefined {
  try {
    return ErrorObject.safeParse(JSON.parse(text.replace(/^\ufeff/, ''))).data;
  } catch {
    return undefined;
  }
}
