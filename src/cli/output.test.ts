import { expect, it } from 'vitest';
import { csvRecord } from './output.ts';

it('CSV follows RFC 4180: CRLF, doubled quotes, quotes only where they are needed', () => {
  expect(csvRecord(['plain', 1, null])).toBe('plain,1,\r\n');
  expect(csvRecord(['a,b', 'say "hi"', 'two\r\nlines'])).toBe('"a,b","say ""hi""","two\r\nlines"\r\n');
  expect(csvRecord(['日本', undefined, ' x '])).toBe('日本,, x \r\n');
});
