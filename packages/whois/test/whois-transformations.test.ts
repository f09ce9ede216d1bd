import { describe, expect, test } from 'vitest';
import { parseWhoisText } from '../src/whois/parsers/parse-whois-text.ts';
import { fixtureOf, fixturePaths, textOf } from './whois-fixtures.ts';
import { outcomeOf, TRANSFORMATIONS } from './whois-transformations.ts';

/** The queried name of fixtures that state none. */
const QUERIED = 'hoshizora.example';

const answers = fixturePaths()
  // Its digits are parts of terminal sequences.
  .filter((path) => !path.endsWith('terminal-sequences'))
  .map((path) => ({ path, domain: fixtureOf(path).domain ?? QUERIED, text: textOf(path) }));

const OTHER =
  'Domain Name: yoru-no-umi.example\nRegistrar: Other Names\nCreation Date: 1999-01-02\nStatus: ok\n';
describe.each(Object.entries(TRANSFORMATIONS))('%s', (_, change) => {
  const outcomes = answers.map(({ path, text, domain }) => {
    const before = parseWhoisText(text, { domain });
    const after = parseWhoisText(change({ text, domain, other: OTHER }), { domain });
    return { path, outcome: outcomeOf(before, after, domain) };
  });

  test('turns no other answer into a denial', () => {
    expect(outcomes.filter(({ outcome }) => outcome === 'no')).toEqual([]);
  });

  test('keeps the parse result or empties it', () => {
    expect(outcomes.filter(({ outcome }) => outcome === 'other')).toEqual([]);
  });
});
