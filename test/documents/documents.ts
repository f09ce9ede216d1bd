import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';

export const ROOT = path.resolve(import.meta.dirname, '../..');

/** The text of a file of the repository: `docs/api.md`. */
export const read = (name: string): string => readFileSync(path.join(ROOT, name), 'utf8');

export const PACKAGES = readdirSync(path.join(ROOT, 'packages'));

/** What the tests of documents read of the package.json of a folder of packages/. */
export const manifestOf = (folder: string) =>
  JSON.parse(read(`packages/${folder}/package.json`)) as {
    name: string;
    version: string;
    files: string[];
    exports: Record<string, unknown>;
    dependencies?: Record<string, string>;
    devDependencies?: Record<string, string>;
  };

/** The first capture of each match. */
export const found = (text: string, pattern: RegExp): string[] =>
  Array.from(text.matchAll(pattern), ([, part = '']) => part);
