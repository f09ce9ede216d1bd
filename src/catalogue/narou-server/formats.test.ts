import { expect, test } from 'vitest';
import { writeRows } from './formats.ts';
import { readParameters } from './parameters.ts';
import type { PhpRecord } from './php-json.ts';
import { makeSwitches } from './switches.ts';

const ROWS: readonly PhpRecord[] = [
  { allcount: 2 },
  { title: '雨の日/<b>&"\\\n𠮷', ncode: 'N0240TA', pt: 12, name1st: null },
  { title: '404', story: ' 空白 ', keyword: '', writer: 'そらまめ' },
];

const write = (query: string): string => writeRows(ROWS, readParameters(query), makeSwitches()).text;

test('json is compact, with escaped slashes and lower-case escapes of UTF-16 units', () => {
  expect(write('out=json')).toBe(
    '[{"allcount":2},' +
      '{"title":"\\u96e8\\u306e\\u65e5\\/<b>&\\"\\\\\\n\\ud842\\udfb7","ncode":"N0240TA","pt":12,"name1st":null},' +
      '{"title":"404","story":" \\u7a7a\\u767d ","keyword":"","writer":"\\u305d\\u3089\\u307e\\u3081"}]',
  );
  expect(JSON.parse(write('out=json'))).toEqual(ROWS);
});

test('a record without fields is a list in json, as of an empty PHP array', () => {
  const { text } = writeRows([{ allcount: 1 }, {}], readParameters('out=json'), makeSwitches());
  expect(text).toBe('[{"allcount":1},[]]');
});

test('php counts bytes, not characters', () => {
  expect(write('out=php')).toBe(
    'a:3:{i:0;a:1:{s:8:"allcount";i:2;}' +
      'i:1;a:4:{s:5:"title";s:21:"雨の日/<b>&"\\\n𠮷";s:5:"ncode";s:7:"N0240TA";s:2:"pt";i:12;s:7:"name1st";N;}' +
      'i:2;a:4:{s:5:"title";s:3:"404";s:5:"story";s:8:" 空白 ";s:7:"keyword";s:0:"";s:6:"writer";s:12:"そらまめ";}}',
  );
});

test('yaml is the default; text that looks like a number stands plain with the old library', () => {
  expect(write('')).toBe(
    '---\n-\n  allcount: 2\n-\n' +
      '  title: "雨の日/<b>&\\"\\\\\\n𠮷"\n  ncode: N0240TA\n  pt: 12\n  name1st: null\n-\n' +
      '  title: 404\n  story: " 空白 "\n  keyword: ""\n  writer: そらまめ\n',
  );
});

test('with libtype=2 yaml quotes all text and escapes all but ASCII', () => {
  expect(write('out=yaml&libtype=2')).toContain(
    '  title: "\\u96E8\\u306E\\u65E5/<b>&\\"\\\\\\n\\U00020BB7"\n'.replaceAll(/[A-F]/g, (letter) => letter),
  );
  expect(write('libtype=2')).toContain('  title: "404"\n');
});

test.each(['call', '$jp0', 'a.b[0]', '_'])('jsonp wraps the json with the callback %s', (callback) => {
  expect(write(`out=jsonp&callback=${encodeURIComponent(callback)}`)).toBe(
    `${callback}(${write('out=json')})`,
  );
});

test.each(['', 'a b', 'alert(1)', 'あ', 'a;b', '$', 'a\n'])('jsonp refuses the callback %j', (callback) => {
  expect(() => write(`out=jsonp&callback=${encodeURIComponent(callback)}`)).toThrow(
    'Error: Invalid callback.',
  );
});
