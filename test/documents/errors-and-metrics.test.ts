import { readFileSync, readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { startCatalogue } from '../../packages/mokuroku/src/catalogue/main.ts';
import { ERROR_TABLE } from '@mokuroku/kit';
import { startRegistration } from '../../packages/mokuroku/src/registration/main.ts';

const read = (name: string) => readFileSync(new URL(`../../docs/${name}`, import.meta.url), 'utf8');

it.each(Object.entries(ERROR_TABLE))('documents explain the error %s with its status', (code, { status }) => {
  const text = read('api.md') + read('registration.md');
  const rows = text.split('\n').filter((line) => line.includes(`\`${code}\``));
  expect(rows.some((row) => row.includes(String(status)))).toBe(true);
});

it('documents explain every metric that the services expose', async () => {
  const settings = { LOG_LEVEL: 'silent', CATALOGUE_PORT: '0', REGISTRATION_PORT: '0' };
  const services = await Promise.all([startCatalogue(settings), startRegistration(settings)]);
  const text = (await Promise.all(services.map(({ metrics }) => metrics.metrics()))).join('\n');
  await Promise.all(services.map((service) => service.close()));
  const served = [...text.matchAll(/^# TYPE (mokuroku_\w+)/gm)].map(([, name = '']) => name);
  const explained = read('operations.md');
  expect(served.length).toBeGreaterThan(8);
  expect(served.filter((name) => !explained.includes(`\`${name}\``))).toEqual([]);
});

it('documents explain the metrics that need a setting: a store, a disk, a local catalogue, a quota', () => {
  const src = new URL('../../packages/', import.meta.url);
  const names = readdirSync(src, { recursive: true, encoding: 'utf8' })
    .filter((file) => /^\w[\w-]*\/src\/.*(?<!\.test)\.ts$/.test(file))
    .flatMap((file) => [
      ...readFileSync(new URL(file, src), 'utf8').matchAll(/\.add(?:Gauge|Counter)\(\s*'(\w+)'/g),
    ])
    .map(([, name = '']) => `mokuroku_${name}`);
  const explained = read('operations.md');
  expect(names).toContain('mokuroku_catalogue_rankings');
  expect(names.filter((name) => !explained.includes(`\`${name}\``))).toEqual([]);
});
