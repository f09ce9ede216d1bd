import { describe, expect, test } from 'vitest';
import { listOf } from '../../../../../test/list-of.ts';
import { plainTextOf, printable, withAsciiDigits } from './plain-text.ts';

const linesOf = (text: string) =>
  plainTextOf(text)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

test('a CR without LF is a line end, in a text with other line ends too', () => {
  expect(plainTextOf('a\rb\r\rc')).toBe('a\nb\n\nc');
  expect(plainTextOf('a\r\nb\rc\n\r\nd\r\r\n')).toBe('a\r\nb\nc\n\r\nd\r\r\n');
});

describe('a web page', () => {
  test.each([
    ' \n<html>',
    ...listOf(`
      <html> | <!DOCTYPE html> | <body x="y"> | <TABLE> | <meta a> | <br> | <pre>
    `),
  ])('begins with %j', (begin) => {
    expect(linesOf(`${begin}<p>Domain: umi.example</p>`)).toEqual(['Domain: umi.example']);
  });

  test('is nothing else', () => {
    for (const text of [
      'Registrar: <html>',
      '<umi@umi.example>',
      `${' '.repeat(65)}<html>`,
      '<bread>',
      '<preview>',
    ]) {
      expect(plainTextOf(text)).toBe(text);
    }
  });

  test('has a line for each row, paragraph, item and heading', () => {
    const tags = ['tr', 'p', 'div', 'li', 'table', 'h1', 'h4', 'dt', 'dd', 'pre', 'form'];
    const page = `<html>${tags.map((tag) => `<${tag}>${tag}</${tag}>`).join('')}<br>a<br/>b`;
    expect(linesOf(page)).toEqual([...tags, 'a', 'b']);
  });

  test('has its cells on one line, and no line ends at other tags', () => {
    expect(
      linesOf('<html><tr><td>Registrar:</td><td><b>Ka</b>mome</td></tr><tr><th>a</th><th>b</th></tr>'),
    ).toEqual(['Registrar: Kamome', 'a b']);
  });

  test('has no scripts, styles, head and remarks', () => {
    const page =
      '<html><head><title>No</title></head><SCRIPT>if (a < b) no()</SCRIPT>a<style>p > b {}</style>b<!-- <p>no</p> -->c';
    expect(linesOf(page)).toEqual(['abc']);
    expect(linesOf('<head>no</head>a')).toEqual(['a']);
    expect(linesOf('<html>a<script>no')).toEqual(['a']);
    expect(linesOf('<html>a<!-- no')).toEqual(['a']);
    expect(linesOf('<html>a<p no')).toEqual(['a']);
  });

  test('ends at a tag of more than 2 kB, but not at such a remark', () => {
    const long = 'x'.repeat(2100);
    expect(linesOf(`<html>a<p ${long}>b`)).toEqual(['a']);
    expect(linesOf(`<html>a<!-- ${long} -->b`)).toEqual(['ab']);
    expect(linesOf(`<html>a<p ${long.slice(0, 2000)}>b`)).toEqual(['a', 'b']);
  });

  test('has entities as characters', () => {
    expect(linesOf('<html>a&nbsp;b &amp; &lt;c&gt; &quot;d&quot; &umi;')).toEqual(['a b & <c> "d" &umi;']);
  });

  test('is read up to 64 kB', () => {
    expect(plainTextOf(`<html>${'a'.repeat(70_000)}`)).toHaveLength(65_536 - '<html>'.length);
  });
});

test('answers of Tonic become lines with the whole name', () => {
  expect(linesOf('Tonic whoisd V1.1\numi ns1.umi.example\numi ns2.umi.example\r\n')).toEqual([
    'Domain Name: umi.to',
    'Name Server: ns1.umi.example',
    'Name Server: ns2.umi.example',
  ]);
  const denial = 'Tonic whoisd V1.1\nNo match for umi';
  expect(plainTextOf(`${denial}\n`)).toBe(`${denial}.to\n`);
  expect(plainTextOf(`${denial} now\n`)).toBe(`${denial} now\n`);
});

test('the classes of RWhois are removed from its attributes', () => {
  expect(linesOf('%rwhois V-1.5\ndomain:Created:20090324\ndomain:Name;I:umi.example\n%ok\n')).toEqual([
    '%rwhois V-1.5',
    'Created: 20090324',
    'Name: umi.example',
    '%ok',
  ]);
  expect(plainTextOf('domain:Created:20090324')).toBe('domain:Created:20090324');
});

test('the sentence of .pf with the name is a line with a label', () => {
  const text = "This is the PF top level domain registry server\n\nInformations about 'umi.pf' :\n";
  expect(linesOf(text)[1]).toBe('Domain Name: umi.pf :');
  const other = "Informations about 'umi.pf' :\n";
  expect(plainTextOf(other)).toBe(other);
});

describe('what a terminal would obey is removed', () => {
  test.each([
    ['a colour', 'a\x1b[31mb\x1b[0mc', 'abc'],
    ['an eight-bit colour', 'a\x9b1;31mb', 'ab'],
    ['a sequence with an intermediate', 'a\x1b[ qb\x1b[?25hc', 'abc'],
    ['a title', 'a\x1b]0;title\x07b', 'ab'],
    ['a title with its other end', 'a\x1b]0;title\x1b\\b', 'ab'],
    ['a title cut off by the line', 'a\x1b]0;title\nb', 'a\nb'],
    ['a device string', 'a\x1bPq\x07b\x1bXc\x07d\x1b^e\x07f\x1b_g\x07h', 'abdfh'],
    ['a character set', 'a\x1b(Bb\x1b%c', 'ab'],
    ['a reset', 'a\x1bcb', 'ab'],
    ['a lone escape', 'a\x1b', 'a'],
    ['control characters', 'a\0b\x08c\vd\fe\x0ef\x1fg\x7fh\x80i\x9f', 'abcdefghi'],
    ['a reversal of the text', 'a\u202eb\u2066c\u200fd\u200be\u2060f\ufeffg', 'abcdefg'],
  ])('%s', (_, text, plain) => {
    expect(printable(text)).toBe(plain);
  });

  test.each(['a\tb\r\nc', 'été', '[31m', 'かもめ　', '“q” – …', 'a\xa0b', 'a ~\t\r\n', 'ΟΔΟΣ домен'])(
    '%j remains',
    (text) => {
      expect(printable(text)).toBe(text);
    },
  );
});

test('digits of every script become ASCII digits', () => {
  for (const zero of '٠۰०০੦૦୦௦౦೦൦๐໐០０') {
    const digits = Array.from({ length: 10 }, (_, at) => String.fromCharCode(zero.charCodeAt(0) + at)).join(
      '',
    );
    expect(withAsciiDigits(`a${digits}z`)).toBe('a0123456789z');
  }
  for (const text of ['a 12', '日本', 'ก๏๚', '：／']) expect(withAsciiDigits(text)).toBe(text);
});
