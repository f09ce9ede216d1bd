import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { pulledCatalogue } from '../../../test/catalogue/pull-under-test.ts';

const source = pulledCatalogue();
const next = (): string => source.folders.next();
const manifest = () => path.join(source.novels(), 'manifest.json');

interface Generation {
  segments: { folder: string; files: Record<string, unknown> }[];
  files: Record<string, unknown>;
}

it.each<[string, (generation: Generation) => unknown]>([
  ['a folder that leads out', ({ segments: [one] }) => (one!.folder = '../../../outside')],
  ['an absolute folder', ({ segments: [one] }) => (one!.folder = '/tmp/outside')],
  ['a folder of another kind', ({ segments: [one] }) => (one!.folder = 'generation-000009')],
  [
    'a file that leads out',
    ({ files }) => (files['keywords-000001/../../outside'] = files['keywords-000001']),
  ],
  [
    'a file of a folder that leads out',
    ({ segments: [one] }) => (one!.files['../../../outside'] = one!.files['records']),
  ],
])('rejects a manifest with %s, and writes nothing', async (_, change) => {
  const { generation } = JSON.parse(fs.readFileSync(manifest(), 'utf8')) as { generation: Generation };
  change(generation);
  const sha256 = createHash('sha256').update(JSON.stringify(generation)).digest('hex');
  fs.writeFileSync(manifest(), JSON.stringify({ sha256, generation }));
  const dir = next();
  expect((await source.pull(dir))[0]).toMatch(
    /manifest\.json (?:is not a manifest|lists invalid file names)/,
  );
  const requested = source.server.requests.map(({ file }) => file);
  expect(requested.filter((file) => !file.endsWith('/manifest.json'))).toEqual([]);
});

it.each([
  ['is no manifest', (text: string) => text.slice(0, -2), /is not a manifest of mokuroku/],
  [
    'was changed',
    (text: string) => text.replace('"number":1', '"number":7'),
    /is not a manifest of mokuroku/,
  ],
  ['has no end', () => ' '.repeat(5_000_000), /is too long for a manifest/],
])('reports that the manifest %s', async (_, change, message) => {
  fs.writeFileSync(manifest(), change(fs.readFileSync(manifest(), 'utf8')));
  expect((await source.pull(next()))[0]).toMatch(message);
});
