import { existsSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

const root = path.resolve(import.meta.dirname, '../..');
const pages = [
  ...readdirSync(root),
  ...readdirSync(path.join(root, 'docs'), { recursive: true, encoding: 'utf8' }).map(
    (name) => `docs/${name}`,
  ),
].filter((name) => name.endsWith('.md'));

it.each(pages)('links in %s point to existing files', (page) => {
  const text = readFileSync(path.join(root, page), 'utf8');
  const targets = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target.replace(/#.*$/, ''));
  const broken = targets.filter(
    (target) =>
      target !== '' && !/^https?:/.test(target) && !existsSync(path.join(root, path.dirname(page), target)),
  );
  expect(broken).toEqual([]);
});

/** The anchor that GitHub gives a heading. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-');

it.each(pages)('links in %s point to existing headings', (page) => {
  const text = readFileSync(path.join(root, page), 'utf8');
  const broken = [...text.matchAll(/\]\(([^)\s#]*\.md)?#([^)\s]+)\)/g)].filter(([, file, anchor]) => {
    const target = file === undefined ? page : path.join(path.dirname(page), file);
    const headings = readFileSync(path.join(root, target), 'utf8').matchAll(/^#+ (.+)$/gm);
    return ![...headings].some(([, heading = '']) => anchorOf(heading) === anchor);
  });
  expect(broken.map(([link]) => link)).toEqual([]);
});

it.each(['docs', 'docs/decisions'])('the README or another page links to every page in %s', (folder) => {
  const texts = pages.map((page) => readFileSync(path.join(root, page), 'utf8')).join('\n');
  const own = pages.filter((page) => path.dirname(page) === folder);
  const lost = own.filter((page) => !texts.includes(path.basename(page)) && !texts.includes(`${folder}/)`));
  expect(lost).toEqual([]);
});
