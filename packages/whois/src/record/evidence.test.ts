import { expect, it } from 'vitest';
import { evidenceOf } from './registration-record.ts';

it('evidence is a line of at most 200 characters, without blanks around it, never cut within a character', () => {
  const lineOf = (text: string) => evidenceOf('sentence', text).line;
  expect(lineOf('  No match\t')).toBe('No match');
  expect(lineOf('x'.repeat(200))).toBe('x'.repeat(200));
  expect(lineOf('x'.repeat(201))).toBe(`${'x'.repeat(199)}…`);
  expect(lineOf(`${'x'.repeat(198)}🐈yyy`)).toBe(`${'x'.repeat(198)}…`);
});
