import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parseWhoisText } from '../../src/registration/whois/parsers/parse-whois-text.ts';
import { outcomeOf, TRANSFORMATIONS } from './whois-transformations.ts';

const folder = new URL('../../fixtures/whois/', import.meta.url);

const answers = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.txt'))
  // Its digits are parts of terminal sequences.
  .filter((path) => !path.endsWith('terminal-sequences.txt'))
  .map((path) => {
    const { domain } = JSON.parse(readFileSync(new URL(path.replace(/txt$/, 'json'), folder), 'utf8')) as {
      domain: string | null;
    };
    return { path, domain, text: readFileSync(new URL(path, folder), 'utf8') };
  });

const OTHER =
  'Domain Name: yoru-no-umi.example\nRegistrar: Other Names\nCreation Date: 1999-01-02\nStatus: ok\n';
/** Answers whose objects only empty lines part, or that hold no name in a form of their own: known, and counted. */
const LOSSY: Readonly<Record<string, number>> = {
  'empty lines removed': 4,
  'another answer behind': 19,
  'another answer before': 25,
};

describe.each(Object.entries(TRANSFORMATIONS))('%s', (name, change) => {
  const outcomes = answers.map(({ path, text, domain }) => {
    const before = parseWhoisText(text, { domain });
    const after = parseWhoisText(change({ text, domain, other: OTHER }), { domain });
    return { path, outcome: outcomeOf(before, after) };
  });

  test('makes no free name of any other answer', () => {
    expect(outcomes.filter(({ outcome }) => outcome === 'no')).toEqual([]);
  });

  test('leaves each reading as it is, or empty', () => {
    const others = outcomes.filter(({ outcome }) => outcome === 'other');
    expect(others.slice(LOSSY[name] ?? 0)).toEqual([]);
    // A tolerance that is no longer needed goes.
    expect(others).toHaveLength(LOSSY[name] ?? 0);
  });
});
