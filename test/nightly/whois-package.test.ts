import { cpSync, mkdirSync, readFileSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  INSTALL_MS,
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
import { startProgram } from '../system/running-service.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { startSampleRegistries } from '../../packages/mokuroku/src/registration/sample/start-sample-registries.ts';
import type { SampleRegistries } from '../../packages/mokuroku/src/registration/sample/start-sample-registries.ts';

// `mokuroku-whois` as npm would publish it, installed into an empty folder and used from there.

const INSTALLERS: Record<string, readonly string[]> = {
  npm: ['npm', 'install', '--no-audit', '--no-fund'],
  pnpm: ['npx', '--yes', 'pnpm@9', 'add'],
};
const scratch = temporaryFolder();
let tarball: string;
let registries: SampleRegistries;

beforeAll(async () => {
  tarball = packInto(scratch, path.join(root, 'packages/whois'));
  registries = await startSampleRegistries();
  return () => registries.close();
}, INSTALL_MS);

function installWith(name: string): string {
  const folder = path.join(scratch, name);
  const [command = '', ...args] = INSTALLERS[name] ?? [];
  mkdirSync(folder);
  writeFileSync(path.join(folder, 'package.json'), '{ "private": true, "name": "x", "version": "1.0.0" }');
  run(command, [...args, tarball], folder);
  return folder;
}

/** Files of a folder, each once: pnpm links the same folder from several places. */
const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((entry) =>
    entry.isFile() ? [path.join(entry.parentPath, entry.name)] : [],
  );

const USE = `
import { createLookUpClient, parseRdap, parseWhois } from 'mokuroku-whois';

const settings = JSON.parse(process.argv[2]);
const asked = [];
const client = createLookUpClient({ ...settings, log: (level, message) => asked.push(level) });
const { parsed, whoisServer } = await client.lookUpDomain('www.example.com');
const outcomes = [];
for await (const { name, error } of client.lookUpMany(['example.com', 'nobody-has-this.com'])) {
  outcomes.push([name, error?.code ?? null]);
}
const free = await client.isAvailable('nobody-has-this.com');
client.close();
console.log(JSON.stringify({
  text: parseWhois('Domain Name: NAME.EXAMPLE\\nRegistry Expiry Date: 2031-02-03', { domain: 'name.example' }).state,
  rdap: parseRdap('{"errorCode":404}', { domain: 'name.example', status: 404 }).state,
  whoisServer,
  expires: parsed.expirationDate !== null,
  outcomes: outcomes.sort(),
  free: free.available,
  logged: asked.length > 0,
}));
`;

function settingsText(): string {
  const { hostMap, allowedCidrs, rdapBootstrap } = registries.settings;
  const addresses = [...hostMap].map(([name, { host, port }]) => [name, `${host}:${String(port)}`]);
  return JSON.stringify({
    hostMap: Object.fromEntries(addresses) as object,
    allowedCidrs,
    rdapBootstrap: rdapBootstrap.json,
    perSecondPerRegistry: 0,
  });
}

describe.each(['npm', 'pnpm'])('installed with %s', (installer) => {
  let folder: string;
  beforeAll(() => {
    folder = installWith(installer);
  }, INSTALL_MS);

  it('it has three packages or fewer, below 5 MB', () => {
    const modules = path.join(folder, 'node_modules', installer === 'pnpm' ? '.pnpm' : '.');
    const packages = readdirSync(modules).filter((name) => !/^\.|^node_modules$|\.yaml$/.test(name));
    expect(packages.length).toBeGreaterThan(1);
    expect(packages.length).toBeLessThanOrEqual(3);
    const bytes = filesIn(modules).reduce((sum, file) => sum + statSync(file).size, 0);
    expect(bytes).toBeLessThan(5_000_000);
  });

  it.skipIf(!canInstallNode).each([20, 22, 24])(
    'it parses texts and looks names up alone on Node %i',
    async (major) => {
      const file = path.join(folder, 'use.mjs');
      writeFileSync(file, USE);
      // In another process, so that the loopback registries of this one can answer.
      const use = startProgram(installNode(major), [file, settingsText()], { cwd: folder });
      expect([await use.ended, use.printed()]).toEqual([0, expect.stringMatching(/^\{/)]);
      expect(JSON.parse(use.printed())).toEqual({
        text: 'registered',
        rdap: 'not_registered',
        whoisServer: 'whois.verisign-grs.com',
        expires: true,
        outcomes: [
          ['example.com', null],
          ['nobody-has-this.com', 'not_registered'],
        ],
        free: true,
        logged: true,
      });
    },
    INSTALL_MS,
  );

  it('its types compile in the strictest settings', () => {
    const consumer = `
import { createLookUpClient, isAvailable, LookUpError, lookUpDomain, parseWhois } from 'mokuroku-whois';
import type { Gate, LookUpClient } from 'mokuroku-whois';

export const state: string = parseWhois('Domain Name: NAME.EXAMPLE').state;
export const expires = async (): Promise<string | null> => (await lookUpDomain('example.com')).parsed.expirationDate;
export const free = async (): Promise<boolean | null> => (await isAvailable('example.com')).available;
export const client = (gate: Gate): LookUpClient => createLookUpClient({ gate });
// @ts-expect-error: there is no such setting
export const wrong = () => createLookUpClient({ nothing: 1 });
export const isOurs = (error: unknown): boolean => error instanceof LookUpError && error.code === 'not_registered';
`;
    compile(folder, { 'consumer.mts': consumer }, ON_NODE);
  });
});

/** A copy of the tracked files in which npm may write, with the installed packages. */
function checkout(): string {
  const folder = temporaryFolder();
  for (const file of run('git', ['ls-files'], root).trim().split('\n'))
    cpSync(path.join(root, file), path.join(folder, file));
  const modules = path.join(folder, 'node_modules');
  mkdirSync(modules);
  for (const name of readdirSync(path.join(root, 'node_modules'))) {
    const installed = path.join(root, 'node_modules', name);
    const isOurs = name.startsWith('@mokuroku') || name.startsWith('mokuroku');
    if (isOurs) cpSync(installed, path.join(modules, name), { recursive: true, verbatimSymlinks: true });
    else if (name !== '.cache') symlinkSync(installed, path.join(modules, name));
  }
  return folder;
}

it(
  'a plain npm pack in a checkout packs what its exports name, and restores its package.json',
  () => {
    const folder = checkout();
    const source = readFileSync(path.join(folder, 'packages/whois/package.json'), 'utf8');
    const packed = npm(['pack', '-w', 'mokuroku-whois'], folder).trim().split('\n').at(-1) ?? '';
    const files = run('tar', ['-tzf', packed], folder).split('\n');
    const manifest = JSON.parse(run('tar', ['-xzOf', packed, 'package/package.json'], folder)) as {
      exports: Record<string, string | Record<string, string>>;
    };
    const named = Object.values(manifest.exports).flatMap((target) =>
      typeof target === 'string' ? [target] : Object.values(target),
    );
    expect(named.length).toBeGreaterThan(4);
    expect(named.filter((target) => !files.includes(path.join('package', target)))).toEqual([]);
    expect(readFileSync(path.join(folder, 'packages/whois/package.json'), 'utf8')).toBe(source);
  },
  INSTALL_MS,
);

it('its types pass arethetypeswrong', () => {
  expect(checkTypes(tarball)).toContain('mokuroku-whois');
});

it('it has the version of the other packages, and needs tldts alone', () => {
  const manifestOf = (folder: string) =>
    JSON.parse(readFileSync(path.join(root, 'packages', folder, 'package.json'), 'utf8')) as {
      version: string;
      dependencies: Record<string, string>;
    };
  expect(Object.keys(manifestOf('whois').dependencies)).toEqual(['tldts']);
  expect(manifestOf('whois').version).toBe(manifestOf('mokuroku').version);
});
