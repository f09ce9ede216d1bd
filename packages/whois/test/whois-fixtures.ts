import { readdirSync, readFileSync } from 'node:fs';
import type { ParsedRegistration, RegistrationReading } from '../src/record/registration-record.ts';

export const FIXTURES = new URL('../fixtures/whois/', import.meta.url);

/** A parse result without its empty fields and without its reasons. */
export type StatedReading = Pick<RegistrationReading, 'state'> & Record<string, unknown>;

/** A WHOIS answer, `<registry>/<quirk>.txt`, with its expected parse result, `.json`. */
export interface WhoisFixture {
  server: string | null;
  domain: string | null;
  expected: StatedReading;
}

/** `<registry>/<quirk>` of all answers. */
export const fixturePaths = (): string[] =>
  readdirSync(FIXTURES, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.txt'))
    .map((path) => path.slice(0, -'.txt'.length))
    .sort();

export const textOf = (path: string): string => readFileSync(new URL(`${path}.txt`, FIXTURES), 'utf8');

export const fixtureOf = (path: string): WhoisFixture =>
  JSON.parse(readFileSync(new URL(`${path}.json`, FIXTURES), 'utf8')) as WhoisFixture;

/** The fields that every fixture states. */
const MAIN_FIELDS: readonly string[] = [
  'domainName',
  'registrar',
  'creationDate',
  'expirationDate',
  'updatedDate',
  'nameServers',
  'status',
] satisfies (keyof ParsedRegistration)[];

/** A reading without its empty members and without its reasons. */
export function statedReading(reading: RegistrationReading): StatedReading {
  const { state, parsed, registrarWhoisServer, retryAfterSeconds } = reading;
  return { state, ...stated({ parsed, registrarWhoisServer, retryAfterSeconds }) };
}

/** A stated reading as far as a fixture is about it: the main fields, and the further ones that it states. */
export function readingAsIn({ expected }: WhoisFixture, reading: RegistrationReading): StatedReading {
  const whole = statedReading(reading);
  const [parsed, wanted] = [whole['parsed'], expected['parsed']].map((each) => (isGroup(each) ? each : {}));
  return { ...stated({ ...whole, parsed: partIn(parsed, wanted, MAIN_FIELDS) }), state: whole.state };
}

type Members = Record<string, unknown>;

const isGroup = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function partIn(members: Members = {}, wanted: Members = {}, always: readonly string[] = []): Members {
  const part = Object.entries(members).filter(([name]) => name in wanted || always.includes(name));
  return Object.fromEntries(
    part.map(([name, value]) => {
      const like = wanted[name];
      return [name, isGroup(value) && isGroup(like) ? partIn(value, like) : value];
    }),
  );
}

/** The members that have a value, in groups too. */
function stated(members: object): Members {
  const values = Object.entries(members).map(([name, value]: [string, unknown]): [string, unknown] => [
    name,
    isGroup(value) ? stated(value) : value,
  ]);
  return Object.fromEntries(
    values.filter(
      ([, value]) => value !== null && (typeof value !== 'object' || Object.keys(value).length > 0),
    ),
  );
}
