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
  ...files.filter((file) => /^(docs\/(decisions\/)?[\w-]+|packages\/[\w-]+\/README)\.md$/.test(file)),
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

const packageFolders = readdirSync(path.join(root, 'packages'));
const manifestOf = (folder: string) =>
  JSON.parse(readFileSync(path.join(root, 'packages', folder, 'package.json'), 'utf8')) as {
    name: string;
    exports: Record<string, unknown>;
    dependencies?: Record<string, string>;
    devDependencies?: Record<string, string>;
  };

it('ARCHITECTURE.md says which packages each one imports', () => {
  const text = readFileSync(path.join(root, 'ARCHITECTURE.md'), 'utf8');
  const rows = [...text.matchAll(/^\| `([\w-]+)` +\| (.*?) +\|/gm)].map(([, folder = '', imports = '']) => [
    folder,
    [...imports.matchAll(/`([\w-]+)`/g)].map(([, name = '']) => name),
  ]);
  const declared = packageFolders.map((folder) => {
    const { dependencies, devDependencies } = manifestOf(folder);
    const names = Object.keys({ ...dependencies, ...devDependencies });
    return [folder, packageFolders.filter((other) => names.includes(manifestOf(other).name))];
  });
  expect(Object.fromEntries(rows)).toEqual(Object.fromEntries(declared));
});

it.each(packageFolders)('packages/%s/README.md names its doors and folders', (folder) => {
  const text = readFileSync(path.join(root, `packages/${folder}/README.md`), 'utf8');
  const { name, exports } = manifestOf(folder);
  const imported = [...text.matchAll(/from '([^']+)'|import\('([^']+)'\)/g)].map(([, a, b]) => a ?? b ?? '');
  const own = imported.filter((each) => each === name || each.startsWith(`${name}/`));
  expect(own.filter((each) => !Object.hasOwn(exports, `.${each.slice(name.length)}`))).toEqual([]);
  const folders = [...text.matchAll(/`((?:[\w-]+\/)+)`/g)].map(([, each = '']) => each.slice(0, -1));
  const existing = new Set(files.map((file) => path.dirname(file)));
  const isFolder = (each: string) =>
    [each, `packages/${folder}/${each}`, `packages/${folder}/src/${each}`].some((at) => existing.has(at));
  expect(folders.filter((each) => !/dist|node_modules/.test(each) && !isFolder(each))).toEqual([]);
});

it.each(packageFolders.filter((folder) => manifestOf(folder).name.startsWith('@')))(
  'packages/%s/README.md lists every door',
  (folder) => {
    const text = readFileSync(path.join(root, `packages/${folder}/README.md`), 'utf8');
    const listed = [...text.matchAll(/^\| `([\w.-]+)` +\|/gm)].map(([, door = '']) => door);
    const doors = Object.keys(manifestOf(folder).exports).map((door) => door.replace(/^\.\//, ''));
    expect(listed.sort()).toEqual(doors.sort());
  },
);
