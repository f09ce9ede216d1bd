import { readFileSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { spawn } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { canInstallNode, installNode, packInto, run } from './installed-package.ts';
import { startSampleRegistries } from '../../packages/whois/src/sample/start-sample-registries.ts';
import type { SampleRegistries } from '../../packages/whois/src/sample/start-sample-registries.ts';

// `mokuroku-whois` as npm would publish it, installed into an empty folder and used from there.

const root = path.resolve(import.meta.dirname, '../..');
const INSTALL_MS = 300_000;
const INSTALLERS: Record<string, readonly string[]> = {
  npm: ['npm', 'install', '--no-audit', '--no-fund'],
  pnpm: ['npx', '--yes', 'pnpm@9', 'add'],
};
let scratch: string;
let tarball: string;
let registries: SampleRegistries;

beforeAll(async () => {
  scratch = mkdtempSync(path.join(tmpdir(), 'mokuroku-whois-'));
  tarball = packInto(scratch, path.join(root, 'packages/whois'));
  registries = await startSampleRegistries();
}, INSTALL_MS);
afterAll(async () => {
  await registries.close();
  rmSync(scratch, { recursive: true, force: true });
});

function installWith(name: string): string {
  const folder = path.join(scratch, name);
  const [command = '', ...args] = INSTALLERS[name] ?? [];
  run('mkdir', ['-p', folder], scratch);
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

/** Runs in another process, so that the loopback registries of this one can answer. */
function runAside(node: string, args: readonly string[], cwd: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(node, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
    let [out, err] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
    child.once('error', reject);
    child.once('close', (code) => {
      if (code === 0) resolve(out);
      else reject(new Error(err));
    });
  });
}

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
      expect(JSON.parse(await runAside(installNode(major), [file, settingsText()], folder))).toEqual({
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
    writeFileSync(path.join(folder, 'consumer.mts'), consumer);
    const compilerOptions = {
      strict: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      skipLibCheck: false,
      noEmit: true,
      target: 'es2022',
      lib: ['es2022'],
      module: 'nodenext',
      types: ['node'],
      typeRoots: [path.join(root, 'node_modules/@types')],
    };
    const config = path.join(folder, 'tsconfig.json');
    writeFileSync(config, JSON.stringify({ compilerOptions, files: ['consumer.mts'] }));
    run(process.execPath, [path.join(root, 'node_modules/typescript/bin/tsc'), '-p', config], folder);
  });
});

it('its types pass arethetypeswrong', () => {
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
  expect(run('npx', args, scratch)).toContain('mokuroku-whois');
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
