import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parseWhoisText } from './parse-whois-text.ts';

const domain = 'amostra.example';
const linesOf = (file: string): string[] =>
  readFileSync(new URL(`../../../../fixtures/sentences/${file}`, import.meta.url), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => line.replaceAll('{domain}', domain));
const stateOf = (text: string) => parseWhoisText(text, { domain }).state;

describe.each([
  ['alone', (line: string) => line],
  ['in capitals', (line: string) => line.toUpperCase()],
  ['as an error', (line: string) => `ERROR: ${line}`],
  ['in a remark, below a greeting', (line: string) => `% Whois 2.1\r\n\r\n% ${line}\r\n`],
  ['below the name', (line: string) => `Domain Name: ${domain}\n${line}`],
])('what is not valid, %s,', (_, around) => {
  test('is the name, where it is the name or the question', () => {
    const lost = linesOf('invalid.txt').filter((line) => stateOf(around(line)) !== 'invalid');
    expect(lost).toEqual([]);
  });

  test('is no name, where it is a session, a certificate, a program’s own question or another name', () => {
    const wrong = linesOf('not-invalid.txt').filter((line) => stateOf(around(line)) !== 'broken');
    expect(wrong).toEqual([]);
  });
});

test('a "no" beside something that is not valid is not believed', () => {
  const wrong = linesOf('not-invalid.txt').filter((line) => {
    return stateOf(`${line}\nNo match for ${domain}`) === 'not_registered';
  });
  expect(wrong).toEqual([]);
});

test('the name may stand in the line before', () => {
  expect(stateOf(`The domain ${domain}\n is not valid! `)).toBe('invalid');
  expect(stateOf(`The certificate of whois.nic.example\n is not valid! `)).toBe('broken');
});
