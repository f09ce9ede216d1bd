import { domainToASCII } from 'node:url';
import { describe, expect, test } from 'vitest';
import { parseWhoisText } from '../src/whois/parsers/parse-whois-text.ts';
import { fixtureOf, fixturePaths, textOf } from './whois-fixtures.ts';
import { outcomeOf, TRANSFORMATIONS } from './whois-transformations.ts';

const fixtures = fixturePaths().map((path) => {
  const { server, domain } = fixtureOf(path);
  return { path, hints: { server, domain }, text: textOf(path).replaceAll('\r\n', '\n') };
});

const OTHER =
  'Domain Name: yoru-no-umi.example\nRegistrar: Other Names\nCreation Date: 1999-01-02\nStatus: ok\n';
describe.each(Object.entries(TRANSFORMATIONS))('%s', (_, change) => {
  // The digits of this one are parts of terminal sequences.
  const changed = fixtures.filter(({ path }) => !path.endsWith('terminal-sequences'));
  const outcomes = changed.map(({ path, text, hints }) => {
    const domain = hints.domain ?? 'hoshizora.example';
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
  for (const { path, hints, text } of fixtures) {
    const expected = [path, read(text, hints)];
    for (const changed of withParagraph(text, paragraph))
      expect([path, read(changed, hints)]).toEqual(expected);
  }
});

test('an answer without its terms of use is read as with them', () => {
  const terms = /^(?:TERMS OF USE|Disclaimer)\b.*(?:\n(?![ \t]*\n).*)*\n?/gim;
  const changed = fixtures.filter(({ text }) => text.replace(terms, '') !== text);
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

const A_LABEL = domainToASCII('ål-test');

/** Fixtures that state the queried name. */
const named = fixtures.flatMap(({ path, hints: { server, domain }, text }) => {
  const [label, ...zone] = domain?.split('.') ?? [];
  if (label === undefined || zone.length === 0) return [];
  const name = new RegExp(`(?<![\\w-])${label}(?=\\.${zone.join('\\.')}(?![\\w.-]*\\w))`, 'gi');
  return name.test(text) ? [{ path, server, text, name, zone: zone.join('.') }] : [];
});

const SPELLINGS: Readonly<Record<string, (at: number) => string>> = {
  Unicode: () => 'ål-test',
  'A-labels': () => A_LABEL,
  'Unicode first': (at) => (at % 2 === 0 ? 'ål-test' : A_LABEL),
  'A-labels first': (at) => (at % 2 === 1 ? 'ål-test' : A_LABEL),
};

/** State and fields, with hosts in A-labels. */
function fieldsOf(text: string, server: string | null, domain: string): object {
  const { state, parsed } = parseWhoisText(text, { server, domain });
  const { domainName, nameServers } = parsed;
  const name = domainName?.includes('.') === true ? domainToASCII(domainName) : domainName;
  return { ...parsed, state, domainName: name, nameServers: nameServers.map((host) => domainToASCII(host)) };
}

test.each(Object.entries(SPELLINGS))('an internationalised name in %s changes no field', (_, spellingAt) => {
  expect(named.length).toBeGreaterThan(100);
  for (const { path, server, text, name, zone } of named) {
    let at = 0;
    const changed = text.replace(name, () => spellingAt(at++));
    const plain = text.replace(name, 'a-plain-name');
    const expected = JSON.stringify(fieldsOf(plain, server, `a-plain-name.${zone}`));
    for (const queried of [`ål-test.${zone}`, `${A_LABEL}.${zone}`]) {
      expect([path, fieldsOf(changed, server, queried)]).toEqual([
        path,
        JSON.parse(expected.replaceAll('a-plain-name', A_LABEL)),
      ]);
    }
  }
});

test.each([
  'Domain: ål-test.dk\nDNS: xn--l-test-hua.dk\nStatus: Active\nNameservers\nHostname: ns1.umi.test\n',
  'DNS: xn--l-test-hua.dk\nDomain: ål-test.dk\nStatus: Active\nNameservers\nHostname: ns1.umi.test\n',
])('the name in its other spelling is no name server, nor evidence: %j', (text) => {
  const { parsed, evidence } = parseWhoisText(text, { domain: 'ål-test.dk' });
  expect([parsed.nameServers, evidence?.line]).toEqual([['ns1.umi.test'], 'Hostname: ns1.umi.test']);
});
