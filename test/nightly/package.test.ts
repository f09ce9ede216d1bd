import { copyFileSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import {
  BUNDLED,
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
import { serve } from '../system/running-service.ts';
import { temporaryFolder } from '../temporary-folder.ts';

// The package as npm would publish it, installed into an empty project and used from there.

const project = temporaryFolder();
const cliIn = (folder: string) => path.join(folder, 'node_modules/mokuroku/dist/cli.js');
const cli = cliIn(project);
let tarball: string;

beforeAll(() => {
  tarball = packInto(project, path.join(root, 'packages/mokuroku'));
  writeFileSync(path.join(project, 'package.json'), '{ "private": true, "type": "module" }');
  npm(['install', tarball], project);
}, INSTALL_MS);

describe.each([20, 22, 24])('on Node %i', (major) => {
  it.skipIf(!canInstallNode)(
    'the bin alone serves both services, responds, and shuts down gracefully',
    async () => {
      const node = installNode(major);
      expect(run(node, ['--version'], project)).toMatch(new RegExp(`^v${major}\\.`));
      expect(run(node, [cli, '--version'], project)).toMatch(/^\d+\.\d+\.\d+\n$/);
      const { catalogue, registration, end } = await serve({ LOG_LEVEL: 'error' }, [], [node, cli]);
      const novels = run(node, [cli, 'novels', '--lim', '1', '--json', '--base-url', catalogue], project);
      expect(JSON.parse(novels)).toMatchObject({ meta: { source: 'novelapi' } });
      // Requests a cache hit, which bypasses Node's own API; that API differs between versions.
      const cachedAnswer = await fetch(`${catalogue}/v1/novels?lim=1`);
      const again = await fetch(`${catalogue}/v1/novels?lim=1`);
      expect([await cachedAnswer.json(), await again.json()]).toMatchObject(
        Array(2).fill({ meta: { cached: true } }),
      );
      const names = ({ headers }: Response) =>
        [...headers.keys()].filter((name) => name !== 'content-encoding');
      expect(names(again)).toEqual(names(cachedAnswer));
      const notModified = await fetch(`${catalogue}/v1/novels?lim=1`, {
        headers: { 'If-None-Match': cachedAnswer.headers.get('etag') ?? '' },
      });
      expect(notModified.status).toBe(304);
      const domain = await fetch(`${registration}/example.com`);
      expect(await domain.json()).toMatchObject({ state: 'registered' });
      const page = await fetch(`${catalogue}/`, { headers: { Accept: 'text/html' } });
      expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
      expect((await end('SIGTERM')).code).toBe(0);
    },
    INSTALL_MS,
  );
});

describe('no dependency rejects a supported Node', () => {
  it.each([
    ['npm', ['npm', 'install', '--engine-strict', '--no-audit', '--no-fund']],
    ['Yarn 1', ['npx', '--yes', 'yarn@1', 'add', '--non-interactive']],
    ['pnpm', ['npx', '--yes', 'pnpm@9', 'add', '--config.engine-strict=true']],
  ])(
    'installs with %s, in 60 packages or fewer, and serves',
    async (name, [command = '', ...args]) => {
      // A new folder each time: Yarn 1 caches a tarball by its path.
      const consumer = temporaryFolder();
      const own = path.join(consumer, 'mokuroku.tgz');
      copyFileSync(tarball, own);
      writeFileSync(
        path.join(consumer, 'package.json'),
        '{ "private": true, "name": "x", "version": "1.0.0" }',
      );
      run(command, [...args, name === 'Yarn 1' ? `file:${own}` : own], consumer);
      const folder = path.join(consumer, 'node_modules', name === 'pnpm' ? '.pnpm' : '.');
      const installed = readdirSync(folder).filter((each) => !each.startsWith('.'));
      expect(installed.length).toBeGreaterThan(1);
      expect(installed.length).toBeLessThanOrEqual(60);
      const { catalogue, end } = await serve({ LOG_LEVEL: 'error' }, [], [process.execPath, cliIn(consumer)]);
      expect((await fetch(`${catalogue}/v1/novels?lim=1`)).status).toBe(200);
      expect((await end('SIGTERM')).code).toBe(0);
    },
    INSTALL_MS,
  );
});

it('installs offline from the npm cache', () => {
  const consumer = temporaryFolder();
  writeFileSync(path.join(consumer, 'package.json'), '{ "private": true }');
  npm(['install', '--offline', tarball], consumer);
  expect(run(process.execPath, [cliIn(consumer), '--version'], consumer)).toMatch(/^\d+\.\d+\.\d+\n$/);
});

it('has no file twice', () => {
  const folder = path.join(project, 'node_modules/mokuroku');
  const names = new Map<string, string>();
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    // Two packages that do not know each other declare the same clock; two pages have the texts of the same errors.
    if (!entry.isFile() || entry.name === 'clock.d.ts' || entry.name.startsWith('errors-')) continue;
    const file = path.join(entry.parentPath, entry.name);
    const content = readFileSync(file, 'base64');
    expect([file, names.get(content)]).toEqual([file, undefined]);
    names.set(content, file);
  }
});

it('its SBOM lists every installed and bundled package', () => {
  const { metadata, components } = JSON.parse(run(process.execPath, ['scripts/sbom.mjs'], root)) as {
    metadata: { component: { name: string } };
    components: { name: string; version: string; purl: string }[];
  };
  expect(metadata.component.name).toBe('mokuroku');
  // None of the repository's own packages, and no tool of the build.
  expect(
    components.filter(({ purl }) => /mokuroku|\/(?:esbuild|vite|vitest|typescript)@/.test(purl)),
  ).toEqual([]);
  const listed = components.map(({ name, version }) => `${name} ${version}`);
  const carried = readFileSync(
    path.join(root, 'packages/mokuroku/dist/THIRD-PARTY-LICENSES.txt'),
    'utf8',
  ).match(/^[@a-z]\S* \d+\.\d+\.\S+$/gm);
  expect(carried?.length).toBeGreaterThan(20);
  expect(carried?.filter((each) => !listed.includes(each))).toEqual([]);
  const { dependencies } = JSON.parse(
    readFileSync(path.join(project, 'node_modules/mokuroku/package.json'), 'utf8'),
  ) as { dependencies: Record<string, string> };
  expect(components.map(({ name }) => name)).toEqual(expect.arrayContaining(Object.keys(dependencies)));
});

it('of the packages for development, those that it bundles are updated one by one', () => {
  const manifests = ['.', ...readdirSync(path.join(root, 'packages')).map((name) => `packages/${name}`)].map(
    (folder) =>
      JSON.parse(readFileSync(path.join(root, folder, 'package.json'), 'utf8')) as {
        dependencies?: Record<string, string>;
        devDependencies?: Record<string, string>;
      },
  );
  const [installed, developed] = (['dependencies', 'devDependencies'] as const).map((kind) =>
    manifests.flatMap((manifest) => Object.keys(manifest[kind] ?? {})),
  );
  const carried = readFileSync(path.join(root, 'packages/mokuroku/dist/THIRD-PARTY-LICENSES.txt'), 'utf8');
  const bundled = developed?.filter((name) => !installed?.includes(name) && carried.includes(`\n${name} `));
  expect(bundled).toContain('preact');
  const { updates } = parse(readFileSync(path.join(root, '.github/dependabot.yml'), 'utf8')) as {
    updates: { directory: string; groups?: { development: { 'exclude-patterns': string[] } } }[];
  };
  expect(updates[0]?.groups?.development['exclude-patterns']).toEqual(bundled);
});

const CONSUMER = `
import { createCatalogueClient, createRegistrationClient, MokurokuError } from 'mokuroku/client';
import { lookUpDomain, parseWhois } from 'mokuroku/registration';

const client = createCatalogueClient({ baseUrl: 'http://127.0.0.1:3000' });
export async function titles(): Promise<string[]> {
  const { data } = await client.novels({ of: ['t', 'w'], order: 'hyoka' });
  // @ts-expect-error: only title and writer were asked for
  data[0]?.ncode;
  return data.map((novel) => novel.title);
}
// @ts-expect-error: there is no such order
export const wrong = () => client.novels({ order: 'best' });
export const expires = async (): Promise<string | null> =>
  (await createRegistrationClient().lookUp('example.com')).data.parsed.expirationDate;
export const whole = async (): Promise<string> => (await lookUpDomain('example.com')).whoisServer;
export const state: string = parseWhois('Domain Name: EXAMPLE.COM').state;
export const isOurs = (error: unknown): boolean => error instanceof MokurokuError && error.code === 'not_found';
`;

const BROWSER_CONSUMER = `
import { createCatalogueClient } from 'mokuroku/client';
export const client = createCatalogueClient({ baseUrl: location.origin });
`;

describe('the types', () => {
  it.each([
    ['on Node', CONSUMER, ON_NODE],
    ['of a bundler', CONSUMER, BUNDLED],
    ['of the client alone, without Node types', BROWSER_CONSUMER, IN_BROWSER],
  ])('compile for a consumer %s', (_name, source, settings) => {
    compile(project, { 'consumer.ts': source }, settings);
  });

  it('pass arethetypeswrong', () => {
    expect(checkTypes(tarball)).toContain('mokuroku/registration');
  });
});

it('the client runs without Node: it imports no other module', () => {
  const code = run(
    'npx',
    [
      '--yes',
      'esbuild@0.28',
      'node_modules/mokuroku/dist/client.js',
      '--bundle',
      '--format=esm',
      '--minify',
      '--platform=browser',
    ],
    project,
  );
  expect(code).not.toMatch(/\bimport\b|\brequire\(|node:/);
  expect(code.length).toBeLessThan(15_500);
});
