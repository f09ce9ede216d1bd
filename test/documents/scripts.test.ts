import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

const root = path.resolve(import.meta.dirname, '../..');
const { scripts } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>;
};

const texts = ['.', 'docs', '.github/workflows', '.github']
  .flatMap((folder) => readdirSync(path.join(root, folder)).map((name) => path.join(folder, name)))
  .concat(readdirSync(path.join(root, 'packages')).map((name) => `packages/${name}/README.md`))
  .filter((name) => /\.(md|ya?ml)$/.test(name));

it.each(texts)('every npm script named in %s exists', (name) => {
  const text = readFileSync(path.join(root, name), 'utf8');
  // A name that continues with `${` is composed at run time.
  const named = [...text.matchAll(/npm run (?:--silent )?([a-z][\w:-]*)(\$?)/g)]
    .filter(([, , more]) => more === '')
    .map(([, script]) => script ?? '');
  expect(named.filter((script) => !Object.hasOwn(scripts, script))).toEqual([]);
});

it('every bench that the workflow runs exists', () => {
  const text = readFileSync(path.join(root, '.github/workflows/benches.yml'), 'utf8');
  const benches = /bench: \[(.*)\]/.exec(text)?.[1]?.split(', ') ?? [];
  expect(benches.length).toBeGreaterThan(3);
  expect(benches.filter((bench) => !Object.hasOwn(scripts, `bench:${bench}`))).toEqual([]);
});

it('every package and area that a command or workflow names exists', () => {
  const workspaces = readdirSync(path.join(root, 'packages'));
  const names = workspaces.map(
    (folder) =>
      (
        JSON.parse(readFileSync(path.join(root, `packages/${folder}/package.json`), 'utf8')) as {
          name: string;
        }
      ).name,
  );
  const named = texts.flatMap((name) =>
    [
      ...readFileSync(path.join(root, name), 'utf8').matchAll(
        /(?:npm test -w|--workspace=| -w) ?([@\w/-]+)/g,
      ),
    ].map(([, workspace = '']) => workspace),
  );
  expect(named.length).toBeGreaterThan(5);
  const known = [...names, ...workspaces.map((folder) => `packages/${folder}`)];
  expect(named.filter((workspace) => !known.includes(workspace))).toEqual([]);
});

it('the workflow plants faults in every area', () => {
  const areas = readFileSync(path.join(root, 'stryker.config.mjs'), 'utf8')
    .split('const AREAS = {')[1]
    ?.split('\n};')[0]
    ?.matchAll(/^ {2}'?([\w-]+)'?: \{/gm);
  const workflow = readFileSync(path.join(root, '.github/workflows/benches.yml'), 'utf8');
  const planted = /area: \[(.*)\]/.exec(workflow)?.[1]?.split(', ') ?? [];
  expect(planted.sort()).toEqual([...(areas ?? [])].map(([, name]) => name).sort());
});
