import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { npm, run } from './installed-package.ts';
import { startServe } from '../system/running-service.ts';
import { temporaryFolder } from '../temporary-folder.ts';

// Runs other projects' tools on the /openapi.json of both services.

const TOOLS = [
  '@redocly/cli@2.77.0',
  '@stoplight/spectral-cli@6.16.3',
  'openapi-typescript@7.13.0',
  '@hey-api/openapi-ts@0.95.0',
  'typescript@5.9.3',
];
const INSTALL_MS = 300_000;
const DOCUMENTS = ['catalogue', 'registration'] as const;
const folder = temporaryFolder();

beforeAll(async () => {
  const services = await startServe({ RATE_LIMIT: '0', LOG_LEVEL: 'silent' });
  writeFileSync(path.join(folder, 'package.json'), '{ "private": true, "type": "module" }');
  npm(['install', '--ignore-scripts', ...TOOLS], folder);
  writeFileSync(path.join(folder, '.spectral.yaml'), 'extends: ["spectral:oas"]\n');
  for (const name of DOCUMENTS) {
    const document = await (await fetch(`${services[name]}/openapi.json`)).text();
    writeFileSync(path.join(folder, `${name}.json`), document);
  }
  await services.end('SIGINT');
}, INSTALL_MS);

/** Runs a tool of node_modules/.bin; throws with its output if it does not exit with 0. */
const tool = (name: string, ...args: string[]) => run(`node_modules/.bin/${name}`, args, folder);

describe.each(DOCUMENTS)('the OpenAPI document of the %s', (name) => {
  it('passes the default rules of Redocly without warnings', () => {
    const problems = JSON.parse(tool('redocly', 'lint', `${name}.json`, '--format', 'json')) as {
      totals: object;
    };
    expect(problems.totals).toMatchObject({ errors: 0, warnings: 0 });
  });

  it('passes the default rules of Spectral without hints', () => {
    expect(
      tool('spectral', 'lint', '--fail-severity', 'hint', '--format', 'json', `${name}.json`).trim(),
    ).toMatch(/^(\[\]|No results.*)*$/);
  });
});

it(
  'the documents generate clients that compile in strict mode, with two generators',
  () => {
    for (const name of DOCUMENTS) {
      tool('openapi-typescript', `${name}.json`, '-o', `types-${name}.ts`);
      tool('openapi-ts', '-i', `${name}.json`, '-o', `client-${name}`, '-c', '@hey-api/client-fetch');
    }
    const compilerOptions = {
      strict: true,
      noEmit: true,
      target: 'es2022',
      module: 'esnext',
      moduleResolution: 'bundler',
      lib: ['es2022', 'dom', 'dom.iterable'],
    };
    const include = DOCUMENTS.flatMap((name) => [`types-${name}.ts`, `client-${name}/**/*.ts`]);
    writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include }));
    tool('tsc', '-p', '.');
  },
  INSTALL_MS,
);
