import { describe, expect, test } from 'vitest';
import { parseWhoisText } from '../src/whois/parsers/parse-whois-text.ts';
import { fixtureOf, fixturePaths, textOf } from './whois-fixtures.ts';

/** Paragraphs that state nothing about a name. They speak of limits, blocks and failures, as real ones do. */
const PARAGRAPHS: Readonly<Record<string, string>> = {
  'labelled terms':
    'Terms of Use: Queries may be throttled. If too many requests are received, access may be temporarily unavailable.',
  'terms of several lines': [
    'TERMS OF USE: You are not authorised to access or query the database through the use of automated',
    'processes. Access may be restricted or blocked if too many queries are received. Reserved names',
    'are not available for registration. The service is temporarily unavailable at times.',
    'All rights reserved.',
  ].join('\n'),
  'the time of the database': '>>> Last update of WHOIS database: 2030-01-02T03:04:05Z <<<',
  'a banner': [
    '% Welcome to the registry of all names.',
    '% The use of this service is permitted for lawful purposes only.',
    '% The registry cannot be held liable for any failure.',
  ].join('\n'),
  'an empty line': '',
};

const answers = fixturePaths().map((path) => {
  const { server, domain } = fixtureOf(path);
  return { path, hints: { server, domain }, text: textOf(path).replaceAll('\r\n', '\n') };
});

/** The text with a paragraph at each of its gaps, and around it, in turn. */
function* withParagraph(text: string, paragraph: string): Generator<string> {
  const gaps = Array.from(text.matchAll(/\n[ \t]*\n/g), ({ 0: gap, index }) => index + gap.length);
  for (const at of [0, ...gaps]) yield `${text.slice(0, at)}${paragraph}\n\n${text.slice(at)}`;
  yield `${text}\n\n${paragraph}\n`;
}

const read = (text: string, hints: { server: string | null; domain: string | null }) => {
  const { state, parsed } = parseWhoisText(text, hints);
  return { state, ...parsed };
};

test.each(Object.entries(PARAGRAPHS))('%s at any gap of an answer changes nothing', (_, paragraph) => {
  for (const { path, hints, text } of answers) {
    const expected = [path, read(text, hints)];
    for (const changed of withParagraph(text, paragraph))
      expect([path, read(changed, hints)]).toEqual(expected);
  }
});

test('an answer without its terms of use is read as with them', () => {
  const terms = /^(?:TERMS OF USE|Disclaimer)\b.*(?:\n(?![ \t]*\n).*)*\n?/gim;
  const changed = answers.filter(({ text }) => text.replace(terms, '') !== text);
  expect(changed.length).toBeGreaterThan(5);
  for (const { path, hints, text } of changed) {
    expect([path, read(text.replace(terms, ''), hints)]).toEqual([path, read(text, hints)]);
  }
});

describe('terms of use right below', () => {
  const hints = { server: null, domain: 'example.test' };
  const state = (lines: string) => read(`${lines}\n${PARAGRAPHS['labelled terms'] ?? ''}\n`, hints).state;

  test('a record of one fact do not hide it', () => {
    expect(state('Domain Name: EXAMPLE.TEST\nRegistrar: Acme GmbH')).toBe('registered');
  });

  test('a denial do not hide it', () => {
    expect(state('Domain not found.')).toBe('not_registered');
    expect(state('Domain not found.\n')).toBe('not_registered');
  });

  test('right above do not hide a record', () => {
    const terms = PARAGRAPHS['labelled terms'] ?? '';
    expect(read(`${terms}\nDomain Name: EXAMPLE.TEST\nRegistrar: Acme GmbH\n`, hints).state).toBe(
      'registered',
    );
    expect(read(`${terms}\nDomain not found.\nRegistrar: Acme GmbH\n`, hints).state).toBe('broken');
  });

  test('do not hide trouble', () => {
    expect(state('Domain not found.\nThe database is down.')).toBe('broken');
    expect(state('The database is down.\n\nDomain not found.\n')).toBe('broken');
    expect(state('Domain Name: EXAMPLE.TEST\nRegistrar: Acme GmbH\nError: timeout')).toBe('broken');
  });
});

test('a denial of JPRS needs nothing below it', () => {
  const banner = [
    '[ JPRS database provides information on network administration. Its use is    ]',
    '[ restricted to network administration purposes. For further information,     ]',
    "[ use 'whois -h whois.jprs.jp help'. To suppress Japanese output, add'/e'     ]",
  ];
  const answer = `${banner.join('\n')}\nNo match!!\n`;
  expect(read(answer, { server: 'whois.jprs.jp', domain: 'kamome.jp' }).state).toBe('not_registered');
});
