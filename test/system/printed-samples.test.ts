import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { beforeAll, describe, expect, it } from 'vitest';
import { printedSamples, readReferences } from '../documents/printed-samples.ts';
import type { Reference } from '../../packages/mokuroku/src/explorer/reference/openapi.ts';
import { SAMPLES } from '../../packages/mokuroku/src/explorer/reference/samples.ts';
import { startServe } from './running-service.ts';
import type { RunningCommand } from './running-service.ts';
import { blocksOf } from '../run-examples.ts';

// Runs the samples of /docs and of the pages as a reader would: with curl, python3, tsc, node and bash. (mokuroku's
// own commands: test/documents/.)

const root = path.resolve(import.meta.dirname, '../..');
const TSC = path.join(root, 'node_modules/typescript-7/bin/tsc');
const RUN_MS = 300_000;

// Needs the dist/ folders of the packages. Below the root, so that packages of the tests are found in its node_modules.
mkdirSync(path.join(root, '.cache'), { recursive: true });
const folder = mkdtempSync(path.join(root, '.cache/samples-'));
mkdirSync(path.join(folder, 'node_modules'));
for (const [name, target] of [
  ['mokuroku', 'mokuroku'],
  ['mokuroku-client', 'client'],
  ['mokuroku-whois', 'whois'],
] as const)
  symlinkSync(path.join(root, 'packages', target), path.join(folder, 'node_modules', name));

function write(name: string, content: string): string {
  const file = path.join(folder, name);
  writeFileSync(file, content);
  return file;
}

interface Ended {
  code: number | null;
  out: string;
  err: string;
}

async function run(command: string, args: readonly string[]): Promise<Ended> {
  const child = spawn(command, args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = once(child, 'close') as Promise<[number | null]>;
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { code, out, err };
}

let services: RunningCommand;
let references: Awaited<ReturnType<typeof readReferences>>;

beforeAll(async () => {
  services = await startServe({ RATE_LIMIT: '0', LOG_LEVEL: 'silent' });
  references = await readReferences([services.catalogue, services.registration]);
  return async () => {
    rmSync(folder, { recursive: true });
    await services.end('SIGINT');
  };
}, RUN_MS);

const codesOf = (page: string, language: string) =>
  blocksOf(path.join(root, page), language).map(({ code }) => code);
/** A response without rows makes a bad example. */
const EMPTY = /^\s*(\[\]|\{\})?\s*$|["']data["']: ?(\[\]|\{\})/;

/** Compiles under the strictest settings; returns the output of tsc. */
async function compile(files: readonly string[]): Promise<string> {
  const compilerOptions = {
    strict: true,
    skipLibCheck: false,
    noEmit: true,
    target: 'es2023',
    module: 'nodenext',
    types: ['node'],
    typeRoots: [path.join(root, 'node_modules/@types')],
  };
  const config = write('tsconfig.json', JSON.stringify({ compilerOptions, files }));
  return (await run(process.execPath, [TSC, '-p', config])).out;
}

/** Between the samples that one process runs. */
const MARK = '---- next sample ----';

/** Programs that run samples one after another, each in a scope of its own. */
const runners = {
  curl: (codes: readonly string[]) => {
    const commands = codes.map((code) => `echo '${MARK}'\n${code.replace('curl ', 'curl -sSf ')}\n`);
    return run('bash', ['-ec', commands.join('')]);
  },
  // Debian's Python, which has python3-requests installed.
  Python: (codes: readonly string[]) => {
    const file = write('samples.json', JSON.stringify(codes));
    const loop = `for code in json.load(open('${file}')): print('${MARK}'); exec(code, {})`;
    return run('/usr/bin/python3', ['-c', `import json\n${loop}`]);
  },
  TypeScript: (codes: readonly string[]) => {
    const loop = codes.map((code, i) => {
      const file = write(`sample${i}.mjs`, code);
      return `console.log('${MARK}');\nawait import('${file}');\n`;
    });
    return run(process.execPath, [write('samples.mjs', loop.join(''))]);
  },
};

describe('every sample of /docs', () => {
  it.each(['curl', 'Python', 'TypeScript'] as const)(
    'in %s returns data',
    async (language) => {
      const samples = printedSamples(references, language);
      expect(samples.length).toBeGreaterThan(20);
      const { code, out, err } = await runners[language](samples.map((sample) => sample.code));
      expect([code, err]).toEqual([0, '']);
      const outputs = out.split(`${MARK}\n`).slice(1);
      expect(outputs).toHaveLength(samples.length);
      const empty = samples.filter((_, i) => EMPTY.test(outputs[i] ?? ''));
      expect(empty.map(({ call }) => call.name)).toEqual([]);
    },
    RUN_MS,
  );
});

/** Names that a block takes from other blocks of its page, or from the reader. */
const GIVEN = {
  client: 'createCatalogueClient({ baseUrl })',
  registration: 'createRegistrationClient({ baseUrl: domains })',
  search: '{ lim: 2 }',
  ncodes: "['N8403VF', 'N0003TA']",
  names: "['example.com', 'free-name.com']",
};

/** A block as its own module: undeclared names are declared before it. */
function moduleOf(block: string): string {
  const local = block
    .replaceAll('https://novels.example.org', services.catalogue)
    .replaceAll('http://127.0.0.1:3000', services.catalogue)
    .replaceAll('https://domains.example.org', services.registration)
    .replaceAll("from: '2025-01-01', to: '2025-12-31'", "from: '2025-12-01', to: '2025-12-31'");
  const given = Object.entries(GIVEN)
    .filter(([name]) => new RegExp(`(?<!/)\\b${name}\\b`).test(block) && !block.includes(`const ${name} =`))
    .map(([name, value]) => `const ${name} = ${value};\n`);
  const code = `const baseUrl = '${services.catalogue}', domains = '${services.registration}';\n${given.join('')}${local}`;
  const names = ['createCatalogueClient', 'createRegistrationClient', 'MokurokuError'];
  const used = names.filter((name) => code.includes(name));
  const imported =
    block.includes('import ') || used.length === 0
      ? ''
      : `import { ${used.join(', ')} } from 'mokuroku-client';\n`;
  return `${imported}${code}\nexport { baseUrl, domains };\n`;
}

/** Parameters of the other forms, which the client does not read. */
const OF_FORMS = ['format', 'bom', 'lang', 'feed'];

/** Programs that call the client with a parameter of an endpoint, one for each of its values. */
function programsWithParameters(base: string, { endpoints }: Reference): string[] {
  return endpoints.flatMap((endpoint) =>
    endpoint.parameters.flatMap(({ name, location, values, example }) => {
      // Those without effect have no example.
      if (location === 'path' || example === '' || OF_FORMS.includes(name)) return [];
      return [...values, example].flatMap((value) => {
        const { path = {}, query: given = {} } = endpoint.calls[0] ?? {};
        // A span has no date.
        const { date: _date, ...others } = given as Readonly<Record<string, string>>;
        const span = { from: { ...others }, to: { ...others, from: value } };
        const query = { ...(name in span ? span[name as keyof typeof span] : given), [name]: value };
        const code = SAMPLES.TypeScript(base, endpoint, { path, query });
        return code.includes('mokuroku-client') ? code : [];
      });
    }),
  );
}

it(
  'the types of the client have every parameter of its endpoints, with every value',
  async () => {
    const blocks = [...references].flatMap(([base, reference]) =>
      programsWithParameters(base, reference).map((code) => `{${code.slice(code.indexOf('\n'))}\n}\n`),
    );
    expect(blocks.length).toBeGreaterThan(500);
    const names = 'createCatalogueClient, createRegistrationClient';
    const all = `import { ${names} } from 'mokuroku-client';\n${blocks.join('')}`;
    expect(await compile([write('parameters.mts', all)])).toBe('');
  },
  RUN_MS,
);

const PAGES = ['README.md', 'docs/client.md'];

describe('the code blocks of the pages', () => {
  it(
    'in TypeScript run, and compile in strict mode with the samples of /docs',
    async () => {
      const modules = PAGES.flatMap((page) => codesOf(page, 'ts')).map((block) => moduleOf(block));
      expect(modules.length).toBeGreaterThan(6);
      const samples = printedSamples(references, 'TypeScript').map(({ code }) => `${code}\nexport {};\n`);
      const files = [...modules, ...samples].map((code, i) => write(`module${i}.mts`, code));
      expect(await compile(files)).toBe('');
      // The library would query the real registries.
      for (const code of modules.filter((each) => !each.includes('mokuroku-whois'))) {
        const { code: exitCode, err } = await run(process.execPath, [write('block.mjs', code)]);
        expect([exitCode, err], code).toEqual([0, '']);
      }
    },
    RUN_MS,
  );

  it(
    'of docs/api.md in the shell fetch a year of rankings, and the histories of a list',
    async () => {
      const [year = '', histories = '', ...others] = codesOf('docs/api.md', 'sh');
      expect(others).toEqual([]);
      const { data } = (await (await fetch(`${services.catalogue}/v1/rankings/daily`)).json()) as {
        data: { ncode: string }[];
      };
      write(
        'codes.txt',
        data
          .slice(0, 120)
          .map(({ ncode }) => `${ncode}\n`)
          .join(''),
      );
      // Only other replicas need the waits.
      const shell = (block: string) =>
        run('bash', [
          '-c',
          `sleep() { :; }\n${block.replaceAll('http://127.0.0.1:3000', services.catalogue)}`,
        ]);
      expect((await shell(year)).err).toBe('');
      for (const [month, days] of [
        ['01', 31],
        ['02', 28],
        ['12', 31],
      ] as const) {
        const csv = readFileSync(path.join(folder, `daily-2025-${month}.csv`), 'utf8');
        expect(new Set([...csv.matchAll(/2025-\d\d-\d\d/g)].map(([date]) => date)).size).toBe(days);
      }
      // Exits with 1: no retry is due.
      expect(await shell(histories)).toEqual({ code: 1, out: '', err: '' });
      const lines = readFileSync(path.join(folder, 'histories.ndjson'), 'utf8').trim().split('\n');
      expect(lines.length).toBe(120);
    },
    RUN_MS,
  );
});
