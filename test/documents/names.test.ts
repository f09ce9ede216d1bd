import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { PACKAGES, ROOT, found, manifestOf, read } from './documents.ts';

const FOLDERS = ['packages', 'test', 'scripts', 'bench', 'deploy', 'docs', '.github'];
/** The files of the repository, and its folders. */
const entries = [
  ...readdirSync(ROOT),
  ...FOLDERS.flatMap((folder) =>
    readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map(
      (name) => `${folder}/${name.replaceAll('\\', '/')}`,
    ),
  ),
];
const pages = entries.filter((name) => /^(docs\/.*|packages\/[\w-]+\/README|[\w.-]+)\.md$/.test(name));

const { files: packed } = manifestOf('mokuroku');
const isPacked = (file: string): boolean =>
  packed.some((entry) => file === entry || file.startsWith(`${entry}/`));

it.each(pages)('links in %s point to existing files, of the package to packed ones', (page) => {
  const broken = found(read(page), /\]\(([^)\s]+)\)/g)
    .map((target) => target.replace(/#.*$/, ''))
    .filter((target) => target !== '' && !/^https?:/.test(target))
    .map((target) => path.join(path.dirname(page), target))
    .filter((target) => !existsSync(path.join(ROOT, target)) || (isPacked(page) && !isPacked(target)));
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
  const broken = [...read(page).matchAll(/\]\(([^)\s#]*\.md)?#([^)\s]+)\)/g)].filter(([, file, anchor]) => {
    const target = file === undefined ? page : path.join(path.dirname(page), file);
    return !found(read(target), /^#+ (.+)$/gm).some((heading) => anchorOf(heading) === anchor);
  });
  expect(broken.map(([link]) => link)).toEqual([]);
});

it.each(['docs', 'docs/decisions'])('the README or another page links to every page in %s', (folder) => {
  const texts = pages.map(read).join('\n');
  const own = pages.filter((page) => path.dirname(page) === folder);
  const lost = own.filter((page) => !texts.includes(path.basename(page)) && !texts.includes(`${folder}/)`));
  expect(lost).toEqual([]);
});

/** Those that describe the code as it is. */
const PAGES_OF_CODE = [
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  ...pages.filter((page) => /^(docs\/(decisions\/)?[\w-]+|packages\/[\w-]+\/README)\.md$/.test(page)),
];

/** Files of the repository whose path ends with a name: documents omit `src/` and the module they speak of. */
const filesNamed = (name: string): string[] =>
  entries.filter((file) => file === name || file.endsWith(`/${name}`));

/** Placeholders of instructions: `get-something.ts`, `<registry>/<quirk>.txt`. */
const isPlaceholder = (name: string): boolean => /something|[<>*{}]/.test(name);

it.each(PAGES_OF_CODE)('source files named in %s exist', (page) => {
  const names = found(read(page), /`((?:[\w.-]+\/)*[\w-][\w.-]*\.(?:ts|tsx|mjs|cjs|css))`/g);
  expect(names.filter((name) => !isPlaceholder(name) && filesNamed(name).length === 0)).toEqual([]);
});

it.each(PAGES_OF_CODE)('code named in %s beside a source file is in that file', (page) => {
  const named = [...read(page).matchAll(/`([#\w.]+)`\s+\(`([\w./-]+\.tsx?)`/g)];
  const missing = named.filter(([, code = '', file = '']) => {
    const name = code.replace(/^.*\./, '');
    return !filesNamed(file).some((each) => read(each).includes(name));
  });
  expect(missing.map(([place]) => place)).toEqual([]);
});

it('ARCHITECTURE.md says which packages each one imports', () => {
  const rows = [...read('ARCHITECTURE.md').matchAll(/^\| `([\w-]+)` +\| (.*?) +\|/gm)].map(
    ([, folder = '', imports = '']) => [folder, found(imports, /`([\w-]+)`/g)],
  );
  const declared = PACKAGES.map((folder) => {
    const { dependencies, devDependencies } = manifestOf(folder);
    const names = Object.keys({ ...dependencies, ...devDependencies });
    return [folder, PACKAGES.filter((other) => names.includes(manifestOf(other).name))];
  });
  expect(Object.fromEntries(rows)).toEqual(Object.fromEntries(declared));
});

it.each(PACKAGES)('packages/%s/README.md names its doors and folders', (folder) => {
  const text = read(`packages/${folder}/README.md`);
  const { name, exports } = manifestOf(folder);
  const own = found(text, /(?:from |import\()'([^']+)'/g).filter((each) => `${each}/`.startsWith(`${name}/`));
  expect(own.filter((each) => !Object.hasOwn(exports, `.${each.slice(name.length)}`))).toEqual([]);
  const existing = new Set(entries.map((file) => path.dirname(file)));
  const unknown = found(text, /`((?:[\w-]+\/)+)`/g)
    .map((each) => each.slice(0, -1))
    .filter((each) => !/dist|node_modules/.test(each))
    .filter(
      (each) => !['', `packages/${folder}/`, `packages/${folder}/src/`].some((at) => existing.has(at + each)),
    );
  expect(unknown).toEqual([]);
});

it.each(PACKAGES.filter((folder) => manifestOf(folder).name.startsWith('@')))(
  'packages/%s/README.md lists every door',
  (folder) => {
    const listed = found(read(`packages/${folder}/README.md`), /^\| `([\w.-]+)` +\|/gm);
    const doors = Object.keys(manifestOf(folder).exports).map((door) => door.replace(/^\.\//, ''));
    expect(listed.sort()).toEqual(doors.sort());
  },
);

const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
/** Texts with commands. */
const texts = entries.filter((name) =>
  /^(?:[\w.-]+|docs\/[\w.-]+|\.github\/(?:workflows\/)?[\w.-]+|packages\/[\w-]+\/README)\.(?:md|ya?ml)$/.test(
    name,
  ),
);

it.each(texts)('every npm script named in %s exists', (name) => {
  // A name that continues with `${` is composed at run time.
  const named = found(read(name), /npm run (?:--silent )?([a-z][\w:-]*)(?![\w:$-])/g);
  expect(named.filter((script) => !Object.hasOwn(scripts, script))).toEqual([]);
});

it('every package and area that a command or workflow names exists', () => {
  const named = texts.flatMap((name) => found(read(name), /(?:npm test -w|--workspace=| -w) ?([@\w/-]+)/g));
  expect(named.length).toBeGreaterThan(5);
  const known = PACKAGES.flatMap((folder) => [manifestOf(folder).name, `packages/${folder}`]);
  expect(named.filter((workspace) => !known.includes(workspace))).toEqual([]);
});

const benches = read('.github/workflows/benches.yml');

it('every bench that the workflow runs exists', () => {
  const names = /bench: \[(.*)\]/.exec(benches)?.[1]?.split(', ') ?? [];
  expect(names.length).toBeGreaterThan(3);
  expect(names.filter((bench) => !Object.hasOwn(scripts, `bench:${bench}`))).toEqual([]);
});

it('the workflow plants faults in every area', () => {
  const areas = read('stryker.config.mjs').split('const AREAS = {')[1]?.split('\n};')[0] ?? '';
  const planted = /area: \[(.*)\]/.exec(benches)?.[1]?.split(', ') ?? [];
  expect(planted.sort()).toEqual(found(areas, /^ {2}'?([\w-]+)'?: \{/gm).sort());
});
