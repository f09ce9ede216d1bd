import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { formatRows } from './answer.ts';
import { readRequestParameters, type Row } from './protocol.ts';
import { makeSwitches } from './switches.ts';

const ROWS: readonly Row[] = [
  { allcount: 2 },
  { title: '雨の日/<b>&"\\\n𠮷', ncode: 'N0240TA', pt: 12, name1st: null },
  { title: '404', story: ' 空白 ', keyword: '', writer: 'そらまめ' },
];

const write = async (query: string, rows = ROWS): Promise<string> =>
  (await formatRows(rows, readRequestParameters(query), makeSwitches())).text;

test('json is compact, with escaped slashes and lower-case escapes of UTF-16 units', async () => {
  expect(await write('out=json')).toBe(
    '[{"allcount":2},' +
      '{"title":"\\u96e8\\u306e\\u65e5\\/<b>&\\"\\\\\\n\\ud842\\udfb7","ncode":"N0240TA","pt":12,"name1st":null},' +
      '{"title":"404","story":" \\u7a7a\\u767d ","keyword":"","writer":"\\u305d\\u3089\\u307e\\u3081"}]',
  );
  expect(JSON.parse(await write('out=json'))).toEqual(ROWS);
});

test('json escapes the first character after ASCII, and not the last one of it', async () => {
  expect(await write('out=json', [{ title: '\u007f\u0080' }])).toBe('[{"title":"\u007f\\u0080"}]');
});

test('a record without fields is an empty list in JSON, like an empty PHP array', async () => {
  expect(await write('out=json', [{ allcount: 1 }, {}])).toBe('[{"allcount":1},[]]');
});

test.each(['', 'out=yaml', 'libtype=2', 'libtype=1'])(
  'yaml (%s) parses to the original values',
  async (query) => {
    const text = await write(query);
    expect(text.startsWith('---\n')).toBe(true);
    expect(parse(text)).toEqual(ROWS);
  },
);

test('with libtype=2 yaml quotes all text, without it only what needs it; no line is folded', async () => {
  expect(await write('libtype=2')).toContain('  ncode: "N0240TA"\n');
  expect(await write('')).toContain('  ncode: N0240TA\n');
  const long = [{ story: '長い 話 '.repeat(100) }];
  expect((await write('', long)).split('\n')).toHaveLength(3);
});

test.each(['php', 'atom'])('out=%s is rejected as unsupported', async (out) => {
  await expect(write(`out=${out}`)).rejects.toThrow(`Error: out=${out} is not offered by this server.`);
});

test.each(['call', '$jp0', 'a.b[0]', '_'])('jsonp wraps the json with the callback %s', async (callback) => {
  expect(await write(`out=jsonp&callback=${encodeURIComponent(callback)}`)).toBe(
    `${callback}(${await write('out=json')})`,
  );
});

test.each(['', 'a b', 'alert(1)', 'あ', 'a;b', '$', 'a\n'])(
  'jsonp rejects the callback %j',
  async (callback) => {
    await expect(write(`out=jsonp&callback=${encodeURIComponent(callback)}`)).rejects.toThrow(
      'Error: Invalid callback.',
    );
  },
);
