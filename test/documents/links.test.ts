import { existsSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import packageJson from '../../packages/mokuroku/package.json' with { type: 'json' };

const root = path.resolve(import.meta.dirname, '../..');
const pages = [
  ...readdirSync(root),
  ...readdirSync(path.join(root, 'docs'), { recursive: true, encoding: 'utf8' }).map(
    (name) => `docs/${name}`,
  ),
  ...readdirSync(path.join(root, 'packages')).map((name) => `packages/${name}/README.md`),
].filter((name) => name.endsWith('.md'));

const isPacked = (file: string): boolean =>
  packageJson.files.some((entry) => file === entry || file.startsWith(`${entry}/`));

it.each(pages)('links in %s point to existing files, of the package to packed ones', (page) => {
  const text = readFileSync(path.join(root, page), 'utf8');
  const targets = [...text.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = '']) => target.replace(/#.*$/, ''))
    .filter((target) => target !== '' && !/^https?:/.test(target))
    .map((target) => path.join(path.dirname(page), target));
  const broken = targets.filter(
    (target) => !existsSync(path.join(root, target)) || (isPacked(page) && !isPacked(target)),
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
