import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

// The Japanese README has the same structure, commands and links as the English one.

const read = (name: string) => readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8');
const english = read('README.md');
const japanese = read('README.ja.md');

const withoutCode = (text: string) => text.replaceAll(/```[\s\S]*?```/g, '');
const headingLevels = (text: string) =>
  [...withoutCode(text).matchAll(/^(#+) /gm)].map(([, marks = '']) => marks.length);

/** All lines of code blocks without comments. */
const commands = (text: string) =>
  [...text.matchAll(/```\w+\n([\s\S]*?)```/g)].flatMap(([, block = '']) =>
    block
      .split('\n')
      .map((line) => line.replace(/\s+(#|\/\/) .*$/, '').trim())
      .filter((line) => line !== ''),
  );

const links = (text: string) =>
  [...text.matchAll(/\]\(([^)]+)\)|<(https?:[^>]+)>/g)]
    .map(([, target, address]) => target ?? address ?? '')
    .map((target) => target.replace(/-(?:en|ja)\.webp$/, '.webp'))
    .filter((target) => !/^README(\.ja)?\.md$|^#/.test(target));

it('README.ja.md has the headings of README.md', () => {
  expect(headingLevels(japanese)).toEqual(headingLevels(english));
});

it('README.ja.md has the commands and answers of README.md', () => {
  expect(commands(japanese)).toEqual(commands(english));
});

it('README.ja.md has the links of README.md', () => {
  expect(new Set(links(japanese))).toEqual(new Set(links(english)));
});

it('the READMEs link to each other', () => {
  expect([english.includes('](README.ja.md)'), japanese.includes('](README.md)')]).toEqual([true, true]);
});
