import { z } from 'zod';
import { evidenceOf } from '../record/evidence.ts';
import type { Evidence } from '../record/evidence.ts';
import type { RegistrationState } from '../record/registration-record.ts';
import type { RdapAnswer } from './client.ts';
import { stateOfErrorText } from './error-texts.ts';

export interface RdapQuestion {
  /** In A-labels. */
  name: string;
  /** Whether IANA's bootstrap lists this server for the zone. */
  isListed: boolean;
}

/** RFC 9083, section 6. One widely used server writes the code as a string. A registry object is no error. */
const ErrorObject = z.object({
  errorCode: z.coerce.number(),
  title: z.string().catch(''),
  description: z.unknown().optional(),
  objectClassName: z.undefined().optional(),
});

/** The state of an RDAP answer without a record, and what decided it. */
export interface StateReading {
  state: RegistrationState;
  evidence: Evidence | null;
  contradictions: readonly Evidence[];
}

const MAX_CONTRADICTIONS = 4;
const MAX_DEPTH = 3;
/** Real error objects have a few hundred characters. The time of the patterns grows with the square of the length. */
const MAX_TEXT_LENGTH = 4_000;

/**
 * The state of the name according to an error of status 400, 404 or 422, or sent with 200. A 404 is a denial only from
 * the first server (not after a redirect), and only as an RDAP error object, or without a body if IANA's bootstrap
 * lists the server for the zone (`isListed`): gateways and web servers respond 404 to any unknown path. Any error says
 * `invalid` only in words about the name. `json` is the parsed body.
 */
export function readError(
  answer: RdapAnswer,
  { isListed, name }: RdapQuestion,
  code: number,
  json: unknown,
): StateReading {
  const isNotFound = code === 404;
  const status = `HTTP ${answer.status}`;
  if (isNotFound && !answer.isAuthoritative) return unreadableReading(status);
  if (answer.isDelimited && answer.text.trim() === '') {
    return isNotFound && isListed ? readingOf('not_registered', status) : unreadableReading(status);
  }
  const error = ErrorObject.safeParse(json).data;
  if (error === undefined || (isNotFound && error.errorCode !== 404)) return unreadableReading(status);
  const said = statementsIn(error, name);
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
  return readingOf('not_registered', (find('not_registered') ?? said[0])?.line ?? status);
}

/** The texts of an error object with the states that they state; too long ones are unreadable. */
function statementsIn(
  error: z.infer<typeof ErrorObject>,
  name: string,
): { line: string; state: RegistrationState | null }[] {
  const lines = [error.title, ...textsIn(error.description)].filter((line) => line.trim() !== '');
  const whole = lines.join(' ');
  if (whole.length > MAX_TEXT_LENGTH) return [{ line: whole, state: 'broken' }];
  return lines.map((line) => ({ line, state: stateOfErrorText(line, name) }));
}

/** The texts of a member: by the RFC a list of lines, at some servers one line or nested lists. */
function textsIn(value: unknown, depth = 0): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null || depth === MAX_DEPTH) return [];
  return Object.values(value).flatMap((part) => textsIn(part, depth + 1));
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
