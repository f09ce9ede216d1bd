import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parseWhoisText } from './parse-whois-text.ts';

const folder = new URL('../../../../fixtures/sentences/', import.meta.url);
const domain = 'amostra.example';
const sentencesIn = (file: string): string[] =>
  readFileSync(new URL(file, folder), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => line.replaceAll('{domain}', domain).replaceAll(' | ', '\n'));

const denials = sentencesIn('not-registered.txt');
const trouble = sentencesIn('trouble.txt');
const stateOf = (text: string, asked: string = domain) => parseWhoisText(text, { domain: asked }).state;

test('a "no" is understood in many languages', () => {
  expect(denials.filter((sentence) => stateOf(sentence) !== 'not_registered')).toEqual([]);
});

test('a "no" is understood whatever the name is made of', () => {
  // Words of machinery and of denials.
  for (const name of ['server.example', 'not-found.example', 'zone.example', 'key.example', 'www.example']) {
    const lost = denials
      .map((sentence) => sentence.replace(domain, name))
      .filter((sentence) => stateOf(sentence, name) !== 'not_registered');
    expect([name, lost]).toEqual([name, []]);
  }
});

describe('trouble is neither a "no" nor a registration', () => {
  const isWrong = (text: string) => ['not_registered', 'registered'].includes(stateOf(text));

  test('alone', () => {
    expect(trouble.filter(isWrong)).toEqual([]);
  });

  test.each([
    ['behind a server’s greeting', (line: string) => `% Whois 2.1\n\n${line}`],
    ['as an error', (line: string) => `ERROR: ${line}`],
    ['in a remark', (line: string) => `%% ${line}`],
    [
      'before a clock',
      (line: string) => `${line}\n>>> Last update of whois database: 2030-01-02T03:04:05Z <<<`,
    ],
    ['in capitals', (line: string) => line.toUpperCase()],
    ['with the name above it', (line: string) => `Domain Name: ${domain}\n${line}`],
  ])('%s', (_, around) => {
    expect(trouble.map(around).filter(isWrong)).toEqual([]);
  });
});

describe('what is said of a thing', () => {
  const predicates = sentencesIn('predicates.txt');

  test('is a "no" beside the name', () => {
    const lost = predicates.filter((words) => stateOf(`${domain} ${words}`) !== 'not_registered');
    expect(lost).toEqual([]);
  });

  test.each([
    ['alone', (words: string) => words],
    ['as a sentence', (words: string) => `It ${words}.`],
    ['in capitals', (words: string) => words.toUpperCase()],
    ['as an error', (words: string) => `%ERROR:101: ${words}`],
    ['in a remark', (words: string) => `%% ${words}`],
    ['behind a greeting', (words: string) => `% Whois 2.1\n\n${words}`],
    ['behind a label', (words: string) => `name: ${words}`],
    ['as a result', (words: string) => `Result: ${words}`],
    ['of a copy', (words: string) => `This copy ${words}`],
    ['of a port', (words: string) => `port 43 ${words}`],
    ['of the caller', (words: string) => `you are ${words}`],
    ['of the name at one server', (words: string) => `${domain}: ${words} here`],
    ['of the name at one registrar', (words: string) => `${domain} ${words} with us`],
    ['of another name', (words: string) => `yoru.example ${words}`],
  ])('is neither a "no" nor a registration %s', (_, around) => {
    const wrong = predicates.map(around).filter((text) => {
      return ['not_registered', 'registered'].includes(stateOf(text));
    });
    expect(wrong).toEqual([]);
  });
});

describe('a name with a line or two', () => {
  test('is neither a "no" nor a registration where they tell of a clock, an error or nothing', () => {
    const wrong = sentencesIn('records-in-trouble.txt').filter((text) => {
      return ['not_registered', 'registered'].includes(stateOf(text));
    });
    expect(wrong).toEqual([]);
  });

  test('is a registration where they tell a fact', () => {
    const lost = sentencesIn('records-of-few-lines.txt').filter((text) => stateOf(text) !== 'registered');
    expect(lost).toEqual([]);
  });
});

test('a word that is not known takes a "no" back, wherever it stands', () => {
  const words =
    'Zorkmid Server Kunde Registrant Tabelle fichero Profil session vhost ключ キー 密钥 키 holder'.split(
      ' ',
    );
  const wrong: string[] = [];
  for (const sentence of denials) {
    // A registry's own name stands there: `in the AFNIC registry`.
    if (/in (?:the|our) (?:registry|(?:registry )?database)\.$/.test(sentence)) continue;
    const parts = sentence.split(' ');
    for (const word of words) {
      for (const at of [...parts.keys(), parts.length]) {
        const changed = [...parts.slice(0, at), word, ...parts.slice(at)].join(' ');
        if (stateOf(changed) === 'not_registered') wrong.push(changed);
      }
    }
  }
  expect(wrong).toEqual([]);
});

test('a "no" about another name is none', () => {
  const others = denials.filter((sentence) => sentence.includes(domain));
  expect(others.filter((sentence) => stateOf(sentence, 'yoru.example') === 'not_registered')).toEqual([]);
});
