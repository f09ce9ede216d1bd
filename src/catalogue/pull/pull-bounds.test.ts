import { createHash } from 'node:crypto';
import fs from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { expect, it, vi } from 'vitest';
import { pulledCatalogue } from '../../../test/catalogue/pull-under-test.ts';
import { systemClock } from '../../process/clock.ts';
import { factsOfFile } from '../index/engine/files.ts';
import { requireGeneration } from '../index/engine/index-generations.ts';
import { download, withRetries } from './download.ts';
import { createFileCheck } from './plan.ts';
import { SourceFailure, openWebFolder } from './web-folder.ts';

const source = pulledCatalogue();
const next = (): string => source.folders.next();
const ofRecords = (file: string): boolean => file.endsWith('/records');

it('gives up on a source that names other missing files in every manifest', async () => {
  const manifest = path.join(source.novels(), 'manifest.json');
  const { generation } = JSON.parse(fs.readFileSync(manifest, 'utf8')) as { generation: { number: number } };
  source.server.fault = (file) => (ofRecords(file) ? { status: 404 } : undefined);
  source.server.afterwards = (file) => {
    if (!file.endsWith('novels/manifest.json')) return;
    generation.number += 1;
    const sha256 = createHash('sha256').update(JSON.stringify(generation)).digest('hex');
    fs.writeFileSync(manifest, JSON.stringify({ sha256, generation }));
  };
  expect((await source.pull(next()))[0]).toMatch(/records does not exist \(404\)/);
  const manifests = source.server.requests.filter(({ file }) => file === 'novels/manifest.json');
  expect(manifests).toHaveLength(10);
});

it('requests manifests past caches', async () => {
  const seen: [string | undefined, string | undefined][] = [];
  const server = http.createServer(({ url, headers }, response) => {
    seen.push([url, headers['cache-control']]);
    response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await source.pull(next(), { from: new URL(`http://127.0.0.1:${port}/`) });
  server.close();
  expect(seen).toEqual(['novels', 'adult', 'rankings'].map((part) => [`/${part}/manifest.json`, 'no-cache']));
});

it('verifies a file again when it has changed', () => {
  const file = path.join(source.dir, 'file');
  fs.writeFileSync(file, 'as written');
  const facts = factsOfFile(file);
  const isIntact = createFileCheck(source.dir);
  expect([isIntact('file', facts), isIntact('file', facts)]).toEqual([true, true]);
  fs.writeFileSync(file, 'as damaged');
  fs.utimesSync(file, 0, 0);
  expect(isIntact('file', facts)).toBe(false);
});

it('replaces the unfinished files of a killed pull', async () => {
  const dir = next();
  const unfinished = path.join(source.novels(dir), 'segment-000001-1', 'columns.part');
  fs.mkdirSync(path.dirname(unfinished), { recursive: true });
  fs.writeFileSync(unfinished, 'unfinished');
  expect(await source.pull(dir)).toEqual([]);
  expect(source.differences(dir)).toEqual([]);
  expect(fs.existsSync(unfinished)).toBe(false);
});

it('replaces a staged part that is longer than its file', async () => {
  const dir = next();
  const records = path.join(source.novels(), 'segment-000001-1', 'records');
  const { bytes, sha256 } = factsOfFile(records);
  fs.mkdirSync(path.join(source.novels(dir), 'pull'), { recursive: true });
  fs.writeFileSync(path.join(source.novels(dir), 'pull', `${sha256}.part`), Buffer.alloc(bytes + 1));
  expect(await source.pull(dir)).toEqual([]);
  expect(source.differences(dir)).toEqual([]);
});

it('removes staged files of another generation before it needs their space', async () => {
  const dir = next();
  const other = path.join(source.novels(dir), 'pull', '0'.repeat(64));
  fs.mkdirSync(path.dirname(other), { recursive: true });
  fs.writeFileSync(other, 'of another generation');
  const freeBytes = () => (fs.existsSync(other) ? 0 : Infinity);
  expect(await source.pull(dir, { freeBytes })).toEqual([]);
  expect(source.differences(dir)).toEqual([]);
});

it('has each file on disk before it is complete', async () => {
  const dir = next();
  const flushed: string[] = [];
  const flush = fs.fsyncSync;
  const spy = vi.spyOn(fs, 'fsyncSync').mockImplementation((file) => {
    flushed.push(path.basename(fs.readlinkSync(`/proc/self/fd/${file}`)));
    flush(file);
  });
  expect(await source.pull(dir)).toEqual([]);
  spy.mockRestore();
  const { files, segments } = requireGeneration(source.novels(dir));
  const all = [files, ...segments.map((segment) => segment.files)].flatMap((each) => Object.values(each));
  expect(flushed).toEqual(expect.arrayContaining(all.map(({ sha256 }) => `${sha256}.part`)));
});

it('waits between its retries, twice as long each time', async () => {
  const waits: number[] = [];
  const wait = (milliseconds: number) => Promise.resolve(waits.push(milliseconds));
  source.server.fault = (file) => (ofRecords(file) ? { status: 500 } : undefined);
  await source.pull(next(), { wait, random: () => 0 });
  await source.pull(next(), { wait, random: () => 0.5 });
  expect(waits).toEqual([500, 1_000, 2_000, 4_000, 1_000, 2_000, 4_000, 8_000]);
});

it('waits as long as the server demands, if that is longer', async () => {
  const waits: number[] = [];
  const demands = [7_000, 100];
  const attempt = () => {
    const retryAfterMs = demands.shift();
    if (retryAfterMs === undefined) return Promise.resolve('done');
    return Promise.reject(new SourceFailure('the server responded 503', { isTemporary: true, retryAfterMs }));
  };
  const wait = (milliseconds: number) => Promise.resolve(waits.push(milliseconds));
  const { signal } = new AbortController();
  expect(await withRetries({ wait, random: () => 0, signal }, attempt)).toBe('done');
  expect(waits).toEqual([7_000, 1_000]);
});

it.each([
  [65_536, 8, [500, 500, 500, 500, 500, 500, 500]],
  [65_535, 5, [500, 1_000, 2_000, 4_000]],
])(
  'downloads by parts of %i bytes take %i requests: less is no progress',
  async (piece, requests, pauses) => {
    const whole = Buffer.alloc(8 * 65_536, 'x');
    const sha256 = createHash('sha256').update(whole).digest('hex');
    let requestCount = 0;
    const server = http.createServer(({ headers: { range } }, response) => {
      requestCount += 1;
      const from = Number(/^bytes=(\d+)-$/.exec(range ?? '')?.[1] ?? 0);
      const to = from + piece;
      const headers = { 'content-range': `bytes ${from}-${to - 1}/${whole.length}` };
      response.writeHead(from > 0 ? 206 : 200, headers).end(whole.subarray(from, to));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const folder = openWebFolder(new URL(`http://127.0.0.1:${port}/`), systemClock);
    const { signal } = new AbortController();
    const waits: number[] = [];
    const wait = (milliseconds: number) => Promise.resolve(void waits.push(milliseconds));
    const parts = { source: folder, signal, wait, random: () => 0, onBytes: () => 0 };
    const downloaded = download(
      'file',
      { bytes: whole.length, sha256 },
      path.join(source.dir, 'file'),
      parts,
    );
    const came = await downloaded.then(
      () => true,
      () => false,
    );
    await folder.close();
    server.close();
    expect([came, requestCount, waits]).toEqual([requests === 8, requests, pauses]);
  },
);
