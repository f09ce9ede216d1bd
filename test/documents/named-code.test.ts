import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

const root = path.resolve(import.meta.dirname, '../..');
const CODE_FOLDERS = ['packages', 'test', 'scripts', 'bench', 'deploy', 'docs'];
const files = [
  ...readdirSync(root, { withFileTypes: true }).flatMap((entry) => (entry.isFile() ? [entry.name] : [])),
  ...CODE_FOLDERS.flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' }).map(
      (name) => `${folder}/${name.replaceAll('\\', '/')}`,
    ),
  ),
];
const PAGES = [
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  ...files.filter((file) => /^docs\/(decisions\/)?[\w-]+\.md$/.test(file)),
];

/** Files of the repository whose path ends with a name: documents omit `src/` and the module they speak of. */
const filesNamed = (name: string): string[] =>
  files.filter((file) => file === name || file.endsWith(`/${name}`));

/** Placeholders of instructions: `get-something.ts`, `<registry>/<quirk>.txt`. */
const isPlaceholder = (name: string): boolean => /something|[<>*{}]/.test(name);

it.each(PAGES)('source files named in %s exist', (page) => {
  const text = readFileSync(path.join(root, page), 'utf8');
  const names = [...text.matchAll(/`((?:[\w.-]+\/)*[\w-][\w.-]*\.(?:ts|tsx|mjs|cjs|css))`/g)].flatMap(
    ([, name = '']) => (isPlaceholder(name) ? [] : [name]),
  );
  expect(names.filter((name) => filesNamed(name).length === 0)).toEqual([]);
});

it.each(PAGES)('code named in %s beside a source file is in that file', (page) => {
  const text = readFileSync(path.join(root, page), 'utf8');
  const named = [...text.matchAll(/`([#\w.]+)`\s+\(`([\w./-]+\.tsx?)`/g)];
  const missing = named.filter(([, code = '', file = '']) => {
    const name = code.replace(/^.*\./, '');
    return !filesNamed(file).some((each) => readFileSync(path.join(root, each), 'utf8').includes(name));
  });
  expect(missing.map(([place]) => place)).toEqual([]);
});
