import { spawnSync } from 'node:child_process';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  INSTALL_MS,
  IN_BROWSER,
  ON_NODE,
  canInstallNode,
  checkTypes,
  compile,
  installNode,
  npm,
  packInto,
  root,
  run,
} from './installed-package.ts';
import { startServe } from '../system/running-service.ts';
import type { RunningCommand } from '../system/running-service.ts';
import { temporaryFolder } from '../temporary-folder.ts';

// `mokuroku-client` as npm would publish it, installed offline into an empty folder and used from there.

const project = temporaryFolder();
let tarball: string;
let service: RunningCommand;

beforeAll(async () => {
  tarball = packInto(project, path.join(root, 'packages/client'));
  writeFileSync(path.join(project, 'package.json'), '{ "private": true }');
  npm(['install', '--offline', '--cache', path.join(project, 'no-cache'), tarball], project);
  service = await startServe();
  return () => service.end('SIGINT');
}, INSTALL_MS);

const installed = () => path.join(project, 'node_modules/mokuroku-client');
const manifest = (folder: string) =>
  JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as Record<string, unknown>;

function write(name: string, text: string): string {
  const file = path.join(project, name);
  writeFileSync(file, text);
  return file;
}

describe('the package', () => {
  it('has the version of the service, and no dependencies', () => {
    expect(manifest(installed())).toMatchObject({
      name: 'mokuroku-client',
      version: manifest(path.join(root, 'packages/mokuroku'))['version'],
    });
    const listed = JSON.parse(npm(['ls', '--all', '--json'], project)) as { dependencies: object };
    expect(Object.keys(listed.dependencies)).toEqual(['mokuroku-client']);
    expect(listed.dependencies).toMatchObject({
      'mokuroku-client': expect.not.objectContaining({ dependencies: expect.anything() as object }) as object,
    });
  });
});

const USE = `
const client = createCatalogueClient({ baseUrl: process.argv[2] });
const registration = createRegistrationClient({ baseUrl: process.argv[3] });
const gone = await client.novel('n9999zz').catch((error) => error);
console.log(JSON.stringify([
  (await client.novels({ lim: 3, of: ['t'] })).data.length,
  (await registration.lookUp('example.com')).data.state,
  gone instanceof MokurokuError && gone.code,
]));
`;
const NAMES = '{ MokurokuError, createCatalogueClient, createRegistrationClient }';
const ANSWERS = [3, 'registered', 'not_found'];

describe.skipIf(!canInstallNode)('on Node', () => {
  it.each([20, 22, 24])(
    '%i calls both services by import and by require; without require() of ES modules an error says what to write',
    (major) => {
      const node = installNode(major);
      const uses = [
        write('use.mjs', `import ${NAMES} from 'mokuroku-client';${USE}`),
        write('use.cjs', `const ${NAMES} = require('mokuroku-client'); (async () => {${USE}})();`),
      ];
      for (const file of uses) {
        const said = run(node, [file, service.catalogue, service.registration], project);
        expect(JSON.parse(said), file).toEqual(ANSWERS);
      }
      const asBefore = ['--no-experimental-require-module', path.join(project, 'use.cjs')];
      const { stderr, status } = spawnSync(node, asBefore, { cwd: project, encoding: 'utf8' });
      const sentence =
        'Error: mokuroku-client is an ES module. From CommonJS write "const { createCatalogueClient } = await import(\'mokuroku-client\')"';
      expect([status, stderr]).toEqual([1, expect.stringContaining(sentence)]);
    },
    INSTALL_MS,
  );
});

const CONSUMER = `
import { createCatalogueClient, createRegistrationClient, MokurokuError } from 'mokuroku-client';
import type { LookUp, NovelSearch, Suggestions, User } from 'mokuroku-client';

const client = createCatalogueClient({ baseUrl: 'http://127.0.0.1:3000' });
export async function titles(): Promise<string[]> {
  const search: NovelSearch = { genre: [201, 202], order: 'hyoka', stop: 1, length: '10000-', lastup: 'sevenday' };
  const { data } = await client.novels({ ...search, of: ['t', 'w'] });
  // @ts-expect-error: only title and writer were asked for
  data[0]?.ncode;
  return data.map((novel) => novel.title);
}
// @ts-expect-error: there is no such order
export const wrong = () => client.novels({ order: 'best' });
// @ts-expect-error: Unix times or days, not any word
export const never = () => client.novels({ lastup: 'someday' });
export const numbers = async (): Promise<number> => (await client.novel('n8403vf')).data.global_point;
export const name = async (): Promise<string | undefined> => (await client.user(100003)).data.name;
// @ts-expect-error: what is not published by name is not there
export const other = (user: User) => user.secret;
export const suggested = (all: Suggestions): string[] => all.titles.map(({ ncode }) => ncode);
export const expires = async (): Promise<string | null> =>
  (await createRegistrationClient().lookUp('example.com')).data.parsed.expirationDate;
export const servers = (found: LookUp): string[] => found.hops.map(({ server }) => server);
export const isOurs = (error: unknown): boolean => error instanceof MokurokuError && error.code === 'not_found';
`;

describe('the types', () => {
  it.each([
    ['an ES module and a CommonJS one on Node', { 'a.mts': CONSUMER, 'b.cts': CONSUMER }, ON_NODE],
    ['a bundler, for browsers', { 'c.ts': CONSUMER }, IN_BROWSER],
  ])('are self-contained in the strictest settings, for %s', (_name, sources, settings) => {
    compile(project, sources, settings);
  });

  it('pass arethetypeswrong', () => {
    // The module for require() only explains what to write, and has no types.
    expect(checkTypes(tarball, '--ignore-rules', 'false-esm')).toContain('mokuroku-client');
  });

  it('import only each other', () => {
    const folder = path.join(installed(), 'dist/types/client/src');
    const here = readdirSync(folder).map((name) => `./${name.replace(/\.d\.ts$/, '.js')}`);
    for (const name of readdirSync(folder)) {
      const text = readFileSync(path.join(folder, name), 'utf8');
      const named = [...text.matchAll(/(?:from|import\()\s*['"]([^'"]+)/g)].map(([, target]) => target);
      expect(here, name).toEqual(expect.arrayContaining(named));
    }
  });
});
