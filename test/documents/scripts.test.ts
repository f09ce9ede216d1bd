import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

const root = path.resolve(import.meta.dirname, '../..');
const { scripts } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>;
};

const texts = ['.', 'docs', '.github/workflows', '.github']
  .flatMap((folder) => readdirSync(path.join(root, folder)).map((name) => path.join(folder, name)))
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
