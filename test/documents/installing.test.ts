import { readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { PACKAGES, ROOT, found, manifestOf, read } from './documents.ts';

const texts = [
  ...['.', 'docs', 'deploy'].flatMap((folder) =>
    readdirSync(path.join(ROOT, folder))
      .filter((name) => /\.(?:md|service)$/.test(name))
      .map((name) => path.join(folder, name)),
  ),
  ...PACKAGES.map((name) => `packages/${name}/README.md`),
];
const tarballs = ['mokuroku', 'client', 'whois'].map((folder) => {
  const { name, version } = manifestOf(folder);
  return `${name}-${version}.tgz`;
});

// Remove this one with the first release.
it.each(texts)('%s installs no package of ours by its name: none is published', (file) => {
  expect(
    found(read(file), /npm (?:install|i|add) (.*)/g).filter((line) => /(?:^| )mokuroku/.test(line)),
  ).toEqual([]);
});

it.each([...texts, '.github/workflows/release.yml'])(
  '%s names tarballs as `npm run pack` writes them',
  (file) => {
    const named = found(read(file), /\bdist\/([\w.-]+?\.tgz)/g);
    expect(named.filter((name) => !tarballs.includes(name))).toEqual([]);
    expect(read(file)).not.toMatch(/npm pack\b/);
  },
);

it.each(['README.md', 'README.ja.md', '.github/workflows/release.yml'])('%s makes the packages', (file) => {
  expect(read(file)).toMatch(/npm run pack\b[^]*dist\//);
});
