import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { withLists } from '../../scripts/api-lists.ts';

const read = (name: string) => readFileSync(new URL(`../../docs/${name}`, import.meta.url), 'utf8');

/** Without line breaks, which Prettier sets. */
const flat = (text: string) => text.replaceAll(/\s+/g, '');

it.each([
  ['api.md', 'en'],
  ['api.ja.md', 'ja'],
] as const)('the lists of docs/%s match the tables (written by npm run api-lists)', (name, language) => {
  const page = read(name);
  expect(flat(page)).toBe(flat(withLists(page, language)));
});

describe('docs/api.ja.md', () => {
  const [english, japanese] = [read('api.md'), read('api.ja.md')];
  const found = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, part = '']) => part);

  it('has the sections of docs/api.md', () => {
    const levels = (text: string) => found(text, /^(#+) /gm);
    expect(levels(japanese)).toEqual(levels(english));
  });

  it('has the calls and responses of docs/api.md', () => {
    const blocks = (text: string) => found(text, /^```\w*\n([^]*?)^```/gm);
    expect(blocks(japanese)).toEqual(blocks(english));
  });

  it('names the parameters, values and codes that docs/api.md names', () => {
    const codes = (text: string) => new Set(found(text.replaceAll(/^```[^]*?^```/gm, ''), /`([^`\n]+)`/g));
    expect([...codes(english)].filter((code) => !codes(japanese).has(code))).toEqual([]);
  });
});
