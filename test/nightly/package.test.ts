import { spawn } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { canInstallNode, installNode, npm, packInto, run } from './installed-package.ts';

// The package as npm would publish it, installed into an empty project and used from there.

const root = path.resolve(import.meta.dirname, '../..');
const INSTALL_MS = 300_000;
let project: string;
let tarball: string;

beforeAll(() => {
  project = mkdtempSync(path.join(tmpdir(), 'mokuroku-package-'));
  tarball = packInto(project, path.join(root, 'packages/mokuroku'));
  writeFileSync(path.join(project, 'package.json'), '{ "private": true, "type": "module" }');
  npm(['install', tarball, 'typescript@6.0', '@types/node@20'], project);
}, INSTALL_MS);
afterAll(() => {
  rmSync(project, { recursive: true, force: true });
});

const cli = () => path.join(project, 'node_modules/mokuroku/dist/cli.js');

/** Serves until `use` is done with the printed addresses; resolves to the exit code. */
async function whileServing(
  node: string,
  use: (addresses: string[]) => Promise<void>,
  bin = cli(),
): Promise<number | null> {
  const service = spawn(node, [bin, 'serve'], {
    cwd: project,
    env: { PATH: process.env['PATH'], CATALOGUE_PORT: '0', REGISTRATION_PORT: '0', LOG_LEVEL: 'error' },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const ended = new Promise<number | null>((resolve) => service.once('exit', resolve));
  let printed = '';
  const addresses = await new Promise<string[]>((resolve, reject) => {
    service.stdout.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
      const result = printed.match(/^\S+ +http:\S+/gm) ?? [];
      if (result.length === 2) resolve(result.map((line) => line.replace(/^\S+ +/, '')));
    });
    void ended.then((code) => {
      reject(new Error(`ended with ${String(code)}: ${printed}`));
    });
  });
  try {
    await use(addresses);
  } finally {
    service.kill('SIGTERM');
  }
  return ended;
}

describe.each([20, 22, 24])('on Node %i', (major) => {
  it.skipIf(!canInstallNode)(
    'the bin alone serves both services, responds, and shuts down gracefully',
    async () => {
      const node = installNode(major);
      expect(run(node, ['--version'], project)).toMatch(new RegExp(`^v${major}\\.`));
      expect(run(node, [cli(), '--version'], project)).toMatch(/^\d+\.\d+\.\d+\n$/);
      const code = await whileServing(node, async ([catalogue = '', registration = '']) => {
        const novels = run(node, [cli(), 'novels', '--lim', '1', '--json', '--base-url', catalogue], project);
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
      });
      expect(code).toBe(0);
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
      const consumer = mkdtempSync(path.join(tmpdir(), 'mokuroku-consumer-'));
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
      const bin = path.join(consumer, 'node_modules/mokuroku/dist/cli.js');
      const code = await whileServing(
        process.execPath,
        async ([catalogue = '']) => {
          expect((await fetch(`${catalogue}/v1/novels?lim=1`)).status).toBe(200);
        },
        bin,
      );
      expect(code).toBe(0);
      rmSync(consumer, { recursive: true, force: true });
    },
    INSTALL_MS,
  );
});

it('installs offline from the npm cache', () => {
  const consumer = mkdtempSync(path.join(tmpdir(), 'mokuroku-consumer-'));
  writeFileSync(path.join(consumer, 'package.json'), '{ "private": true }');
  npm(['install', '--offline', tarball], consumer);
  const bin = path.join(consumer, 'node_modules/mokuroku/dist/cli.js');
  expect(run(process.execPath, [bin, '--version'], consumer)).toMatch(/^\d+\.\d+\.\d+\n$/);
  rmSync(consumer, { recursive: true, force: true });
});

it('has no file twice', () => {
  const folder = path.join(project, 'node_modules/mokuroku');
  const names = new Map<string, string>();
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    // Two packages that do not know each other declare the same clock.
    if (!entry.isFile() || entry.name === 'clock.d.ts') continue;
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
import { createEmbeddedCatalogue, startNarouServer, systemClock } from 'mokuroku/narou-server';

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
export const start = () =>
  startNarouServer({ clock: systemClock, catalogue: createEmbeddedCatalogue({ clock: systemClock }) });
export const isOurs = (error: unknown): boolean => error instanceof MokurokuError && error.code === 'not_found';
`;

/** Compiles one file of a consumer with its own settings. */
function compile(source: string, settings: Record<string, unknown>): void {
  const folder = mkdtempSync(path.join(project, 'consumer-'));
  const compilerOptions = { strict: true, noEmit: true, target: 'es2022', ...settings };
  writeFileSync(
    path.join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions, files: ['consumer.ts'] }),
  );
  writeFileSync(path.join(folder, 'consumer.ts'), source);
  run('npx', ['tsc', '-p', folder], project);
}

const BUNDLER = { module: 'esnext', moduleResolution: 'bundler' };
const BROWSER_CONSUMER = `
import { createCatalogueClient } from 'mokuroku/client';
export const client = createCatalogueClient({ baseUrl: location.origin });
`;

describe('the types', () => {
  it.each([
    ['node', { module: 'nodenext' }],
    ['a bundler', BUNDLER],
  ])('resolve and compile for a consumer with %s resolution', (_name, settings) => {
    compile(CONSUMER, { ...settings, types: ['node'], skipLibCheck: false });
  });

  it('of the client compile alone, without Node types', () => {
    compile(BROWSER_CONSUMER, { ...BUNDLER, lib: ['es2022', 'dom', 'dom.iterable'], types: [] });
  });

  it('pass arethetypeswrong', () => {
    // Exits with its own status on a failure.
    const args = [
      '--yes',
      '@arethetypeswrong/cli@0.18.5',
      tarball,
      '--profile',
      'esm-only',
      '--format',
      'table',
    ];
    expect(run('npx', args, project)).toContain('mokuroku/narou-server');
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
  expect(code.length).toBeLessThan(12_000);
});
