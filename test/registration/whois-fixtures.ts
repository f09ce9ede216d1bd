import { readdirSync, readFileSync } from 'node:fs';
import type { RegistrationReading } from '../../src/registration/record/registration-record.ts';

export const FIXTURES = new URL('../../fixtures/whois/', import.meta.url);

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

/** Removes empty members, so that a new field does not change the fixtures without it. */
export function statedReading(reading: RegistrationReading): StatedReading {
  const { state, parsed, registrarWhoisServer, retryAfterSeconds } = reading;
  return { state, ...stated({ parsed: stated(parsed), registrarWhoisServer, retryAfterSeconds }) };
}

function stated(members: object): Record<string, unknown> {
  const isStated = ([, value]: [string, unknown]) =>
    value !== null && (typeof value !== 'object' || Object.keys(value).length > 0);
  return Object.fromEntries(Object.entries(members).filter(isStated));
}
