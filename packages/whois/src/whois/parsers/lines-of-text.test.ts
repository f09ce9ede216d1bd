import { describe, expect, test } from 'vitest';
import { listOf } from '../../../../../test/list-of.ts';
import { MAX_LINES, TextLines, labelOf, splitValue, splitWideLabel } from './lines.ts';
import type { Line } from './lines.ts';

function linesOf(text: string): Line[] {
  const lines: Line[] = [];
  const all = new TextLines(text);
  for (let line = all.next(); line !== undefined; line = all.next()) lines.push(line);
  return lines;
}
const textsOf = (text: string) => linesOf(text).map((line) => line.text);

describe('the content of a text', () => {
  test.each([
    '\u3000umi\u3000',
    ...listOf('* umi | ** umi | - umi | 1. umi | 12) umi | 1a. umi | * 1. umi | umi'),
  ])('has neither bullet nor number: %j', (line) => {
    expect(textsOf(line)).toEqual(['umi']);
  });

  test.each([
    '',
    ' \t',
    ...listOf(`
      % umi | # umi | > umi | ; umi | // umi | * % umi | ---- | = = | *** --- | ++ | 1. # a | - | =-= | { | @
    `),
  ])('is not %j', (line) => {
    expect(textsOf(line)).toEqual([]);
  });

  test.each(
    listOf(`
      --a | /umi | -umi | 123. umi | 1.umi | 2030-01-02 | [Name] umi | [1. umi | Z | é
    `),
  )('is %j', (line) => {
    expect(textsOf(line)).toEqual([line]);
  });
});

test('a line has its place, its indentation, and what was above it', () => {
  const text = 'a: 1\n  b: 2\n\n\u3000c\n---\n% remark\n>>> clock <<<\n\td\n=====\ne';
  expect(
    linesOf(text).map(({ value, indent, isAfterGap, isAfterRule, timeLines }) => [
      value,
      indent,
      isAfterGap,
      isAfterRule,
      timeLines,
    ]),
  ).toEqual([
    ['1', 0, true, false, 0],
    ['2', 2, false, false, 0],
    ['c', 1, true, false, 0],
    ['d', 1, true, true, 1],
    ['e', 0, false, true, 1],
  ]);
  for (const { start, text: content } of linesOf(text)) {
    expect(text.charAt(start - 1)).toMatch(/^\n?$/);
    expect(text.slice(start).split('\n', 1)[0]).toContain(content);
  }
});

test('a line is read when it is asked for, and 20,000 at most', () => {
  const lines = new TextLines('% a\nb\nc');
  expect([lines.next()?.text, lines.all.map(({ whole }) => whole)]).toEqual(['b', ['% a', 'b']]);
  expect(linesOf('a\n\n'.repeat(MAX_LINES + 1))).toHaveLength(MAX_LINES);
});

describe('a line is split at its label', () => {
  const LONG = 'Data de expiração do registro do domínio / Registry Expiry Date (dd/mm)';

  test.each([
    ['Domain Name: umi.example', 'Domain Name', 'umi.example'],
    [': umi.example', '', 'umi.example'],
    [`${LONG} : 2030`, `${LONG} `, '2030'],
    ['[Domain Name]      UMI.EXAMPLE', 'Domain Name', 'UMI.EXAMPLE'],
    ['a. [Domain Name]   UMI.EXAMPLE', 'Domain Name', 'UMI.EXAMPLE'],
    ['Status              Registered', 'Status', 'Registered', 'loose'],
    ['Registrar\tKamome Names', 'Registrar', 'Kamome Names', 'loose'],
    ['Created............2030-01-31', 'Created', '2030-01-31', 'loose'],
    [`${'a'.repeat(40)}  value`, 'a'.repeat(40), 'value', 'loose'],
    ['Name： 海', 'Name', '海'],
    ['Name：a:b', 'Name', 'a:b'],
    ['Name: a：b', 'Name', 'a：b'],
    ['Name:: a', 'Name', 'a'],
    ['Name: . . a', 'Name', '. . a'],
    ['Name:... a', 'Name', 'a'],
    ['Name: #1', 'Name', '#1'],
    ['Time: 10:30', 'Time', '10:30'],
    ['Port 1: a', 'Port 1', 'a'],
    ['Port 1:a', 'Port 1', 'a'],
    ['Port:1', 'Port', '1'],
    ['a [Name]: b', 'Name', 'b'],
    ['1. [Name] b', 'Name', 'b'],
    ['ab [Name]: b', 'ab [Name]', 'b'],
    ['b [Name]', 'Name', ''],
    ['[] a', '', 'a'],
    [`[${'a'.repeat(56)}] b`, 'a'.repeat(56), 'b'],
    ['Name\t\t: a', 'Name\t\t', 'a'],
    ['Name....: a', 'Name....', 'a'],
    [`${'a'.repeat(72)}: b`, 'a'.repeat(72), 'b'],
    ['Name#. a', 'Name', 'a', 'loose'],
    ['Name..a.b', 'Name', 'a.b', 'loose'],
  ])('%j', (line, label, value, loose?: string) => {
    expect(labelOf(line)).toEqual({ label, value, isLoose: loose === 'loose' });
  });

  test.each([
    '10:30',
    `${'a'.repeat(41)}\tvalue`,
    'at 10:30 it is: so',
    'rdap://umi',
    '..a',
    '  a',
    'a. b',
    'a b',
    'Ended.  Next',
    'a,\tb',
    '',
    'The registry holds no data of this name.  Please ask again.',
    'One moment,  please',
    `${'a'.repeat(73)}: value`,
    'https://registry.example/terms',
    'kamome.example is registered',
  ])('%j has none', (line) => {
    expect(labelOf(line)).toEqual({ label: null, value: line, isLoose: false });
  });
});

test('a loose label with a wide gap inside ends at the second gap', () => {
  const split = (text: string) => splitWideLabel({ ...labelOf(text) } as Line);
  expect(split('Domain  name    umi.example')).toEqual({ label: 'Domain name', value: 'umi.example' });
  expect(split('Domain  name  ... umi.example')).toEqual({ label: 'Domain name', value: 'umi.example' });
  expect(split(`Domain  ${'n'.repeat(34)}  umi`)?.value).toBe('umi');
  for (const text of ['Domain: name  umi', 'Domain', 'Domain  name', `Domain  ${'n'.repeat(35)}  umi`]) {
    expect(split(text)).toBeNull();
  }
});

describe('a second label in a value', () => {
  test.each([
    ['umi.fj\tStatus: Active', 'umi.fj', 'Status', 'Active'],
    ['umi.fj   Status: Active', 'umi.fj', 'Status', 'Active'],
    ['\tStatus:\tActive', '', 'Status', 'Active'],
    ['a  b\t\tStatus: Active: yes', 'a  b', 'Status', 'Active: yes'],
    [`a\t${'b'.repeat(40)}: c`, 'a', 'b'.repeat(40), 'c'],
    [`umi.fj${' '.repeat(4)}Status: Active`, 'umi.fj', 'Status', 'Active'],
    [`umi.fj${' '.repeat(40)}Status: Active`, 'umi.fj', 'Status', 'Active'],
    ['umi.fj\t\t\tStatus: Active', 'umi.fj', 'Status', 'Active'],
  ])('%j', (text, value, label, rest) => {
    expect(splitValue(text)).toEqual({ value, label, rest });
  });

  test.each([
    'umi.fj',
    'umi.fj  Status: Active',
    'umi.fj\tStatus',
    'umi.fj\tStatus:Active',
    'umi.fj\tStatus: ',
    'umi.fj\tS: Active',
    'umi.fj Status: Active',
    `a\t${'b'.repeat(41)}: c`,
    `${'a'.repeat(400)}\tStatus: c`,
  ])('is not in %j', (text) => {
    expect(splitValue(text)).toBeNull();
  });
});
