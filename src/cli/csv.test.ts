import { expect, it } from 'vitest';
import { renderCsv } from './csv.ts';

it('CSV follows RFC 4180: CRLF, doubled quotes, quotes only where they are needed', () => {
  const records = [
    ['plain', 1, null],
    ['a,b', 'say "hi"', 'two\r\nlines'],
    ['日本', undefined, ' x '],
  ];
  expect(renderCsv(['a', 'b', 'c'], records)).toBe(
    'a,b,c\r\nplain,1,\r\n"a,b","say ""hi""","two\r\nlines"\r\n日本,, x \r\n',
  );
});
