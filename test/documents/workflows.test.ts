import { readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { ROOT, read } from './documents.ts';

const texts = readdirSync(path.join(ROOT, '.github/workflows')).map(
  (name) => [name, read(`.github/workflows/${name}`)] as const,
);

interface Step {
  uses?: string;
  run?: string;
  env?: Record<string, string>;
  with?: Record<string, unknown>;
}
interface Job {
  environment?: string;
  permissions?: Record<string, string>;
  steps: Step[];
}
interface Workflow {
  permissions: Record<string, string>;
  jobs: Record<string, Job>;
}

const jobs = texts.flatMap(([name, text]) => {
  const { permissions, jobs: own } = parse(text) as Workflow;
  return Object.entries(own).map(([job, each]) => ({ name: `${name}: ${job}`, permissions, ...each }));
});
const rightsOf = (job: Job): string[] =>
  Object.entries(job.permissions ?? {})
    .filter(([, right]) => right === 'write')
    .map(([name]) => name);

it('every action is named by the digest of a release', () => {
  const uses = texts.flatMap(([, text]) => text.match(/^.*uses: .*$/gm) ?? []);
  expect(uses.length).toBeGreaterThan(10);
  expect(uses.filter((line) => !/uses: [\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(line))).toEqual([]);
});

it('a static analysis of each change reports to the security tab', () => {
  const analysis = jobs.find(({ name }) => name === 'security.yml: analyze');
  expect(analysis && rightsOf(analysis)).toEqual(['security-events']);
  expect(analysis?.steps.map(({ uses = '' }) => uses.split('@')[0])).toContain(
    'github/codeql-action/analyze',
  );
});

describe.each(jobs)('$name', (job) => {
  const commands = job.steps.map(({ run = '' }) => run).join('\n');
  const hasToken = rightsOf(job).length > 0 || JSON.stringify(job.steps).includes('github.token');

  it('leaves no token on the disk', () => {
    for (const step of job.steps) {
      if (step.uses?.startsWith('actions/checkout@')) expect(step.with?.['persist-credentials']).toBe(false);
    }
  });

  it('installs packages without their scripts, and none where it has a token', () => {
    const installs = commands.match(/npm (?:ci|install).*/g) ?? [];
    expect(installs.filter((line) => !line.includes('--ignore-scripts'))).toEqual([]);
    if (hasToken) expect(commands).not.toMatch(/npm (?:ci|install|run|test|pack)|npx|node /);
  });

  it('may publish only from the protected environment', () => {
    const publishes = rightsOf(job).some((right) => !['issues', 'security-events'].includes(right));
    expect(job.environment).toBe(publishes ? 'release' : undefined);
  });
});
