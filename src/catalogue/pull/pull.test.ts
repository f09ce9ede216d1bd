import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { FIRST_NOVELS } from '../../../test/catalogue/changing-novels.ts';
import { pulledCatalogue } from '../../../test/catalogue/pull-under-test.ts';
import { startStaticServer } from '../../../test/catalogue/static-server.ts';
import type { StaticFault } from '../../../test/catalogue/static-server.ts';
import { silentLogger } from '../../process/logger.ts';
import { newestComplete } from '../index/engine/generations.ts';
import { newestGeneration } from '../index/engine/index-generations.ts';
import { openLocalIndex } from '../local/local-index.ts';
import { RANKINGS } from '../local/ranking-files.ts';
import { lockFolder, FolderInUse } from '../harvest/lock-folder.ts';

const source = pulledCatalogue();
const next = (): string => source.folders.next();
const requestedFiles = () => source.server.requests.filter(({ file }) => !file.endsWith('manifest.json'));
const ofRecords = (file: string): boolean => file.endsWith('/records');

/** A fault of the first so many answers with records. */
const failsFirst = (times: number, fault: StaticFault): void => {
  let left = times;
  source.server.fault = (file) => (ofRecords(file) && left-- > 0 ? fault : undefined);
};

describe('pull', () => {
  it('downloads complete novels and rankings, and nothing the second time', async () => {
    await source.rank('2013-05-01');
    const dir = next();
    expect(await source.pull(dir)).toEqual([]);
    expect(source.differences(dir)).toEqual([]);
    expect(newestComplete(path.join(dir, 'rankings'), RANKINGS)?.number).toBe(1);
    expect(source.pulled.map(({ part, fetched, files }) => [part, fetched === files])).toEqual([
      ['novels', true],
      ['rankings', true],
    ]);
    const requestCount = requestedFiles().length;
    expect(await source.pull(dir)).toEqual([]);
    expect(requestedFiles()).toHaveLength(requestCount);
    expect(fs.readdirSync(path.join(dir, 'novels'))).not.toContain('pull');
  });

  it('downloads only new files, and removes the old ones after the next generation', async () => {
    const dir = next();
    await source.pull(dir);
    await source.change();
    const before = requestedFiles().length;
    await source.pull(dir);
    const folders = new Set(
      requestedFiles()
        .slice(before)
        .map(({ file }) => file.split('/')[1]),
    );
    expect([...folders]).not.toContain('segment-000001-1');
    expect(source.differences(dir)).toEqual([]);
    const names = fs.readdirSync(source.novels(dir));
    await source.change();
    await source.pull(dir);
    expect(names).toContain('generation-000001.json');
    expect(fs.readdirSync(source.novels(dir)).sort()).toEqual(fs.readdirSync(source.novels()).sort());
  });

  it('can copy a copy', async () => {
    const [dir, second] = [next(), next()];
    await source.pull(dir);
    await source.server.close();
    const first = source.dir;
    source.dir = dir;
    source.server = await startStaticServer(dir);
    expect(await source.pull(second)).toEqual([]);
    source.dir = first;
    expect(source.differences(second)).toEqual([]);
  });

  it.each<[string, StaticFault, number]>([
    ['a connection that is cut', { cutAfter: 700 }, 2],
    ['an answer that ends early', { endAfter: 700 }, 2],
    ['a server that rests', { status: 503 }, 4],
    ['another file than the manifest says, once', 'wrong-bytes', 1],
    ['a longer file, once', 'longer', 1],
    ['a redirect', { status: 302, location: '../../moved' }, 1],
  ])('survives %s', async (_, fault, times) => {
    fs.copyFileSync(
      path.join(source.novels(), 'segment-000001-1', 'records'),
      path.join(source.dir, 'moved'),
    );
    const resolved =
      typeof fault === 'object' && 'location' in fault
        ? { ...fault, location: `${source.server.url}moved` }
        : fault;
    failsFirst(times, resolved);
    const dir = next();
    expect(await source.pull(dir)).toEqual([]);
    expect(source.differences(dir)).toEqual([]);
  });

  it('resumes after a cut connection, and requests no byte twice', async () => {
    failsFirst(2, { cutAfter: 700 });
    const dir = next();
    await source.pull(dir);
    const ranges = requestedFiles().filter(({ file }) => ofRecords(file));
    expect(ranges.map(({ range }) => range)).toEqual([undefined, 'bytes=700-', 'bytes=1400-']);
  });

  it.each<StaticFault>(['ignore-range', 'other-range'])(
    'starts over if a server supports no ranges: %s',
    async (fault) => {
      let isCut = false;
      source.server.fault = (file, range) => {
        if (!ofRecords(file)) return undefined;
        if (range !== undefined) return fault;
        const isFirst = !isCut;
        isCut = true;
        return isFirst ? { cutAfter: 700 } : undefined;
      };
      const dir = next();
      expect(await source.pull(dir)).toEqual([]);
      expect(source.differences(dir)).toEqual([]);
    },
  );

  it.each<[string, StaticFault, RegExp, number]>([
    [
      'wrong bytes',
      'wrong-bytes',
      /\/novels\/segment-000001-1\/records does not match the checksum of the manifest/,
      2,
    ],
    ['more bytes', 'longer', /records is longer than the \d+ bytes of the manifest/, 2],
    ['a web page', { status: 403 }, /records: the server responded 403/, 1],
    ['compressed files', 'gzip', /records: the server compressed it \(gzip\); serve files uncompressed/, 1],
    ['no end of failures', { status: 500 }, /records: the server responded 500/, 5],
    ['nothing of the file', { endAfter: 0 }, /records: 0 of \d+ bytes received/, 5],
    ['redirects without end', { status: 302, location: 'records' }, /records: redirected too often/, 6],
    [
      'no ranges, and every response is cut',
      { cutAfter: 700, ignoresRange: true },
      /records cannot be downloaded completely: the server does not resume it/,
      4,
    ],
    ['a file that does not exist', { status: 404 }, /records does not exist \(404\)/, 2],
  ])('ends with an error that names the file: %s', async (_, fault, message, requests) => {
    source.server.fault = (file) => (ofRecords(file) ? fault : undefined);
    const dir = next();
    const failures = await source.pull(dir);
    expect(failures).toHaveLength(1);
    expect(failures[0]).toMatch(message);
    expect(requestedFiles().filter(({ file }) => ofRecords(file))).toHaveLength(requests);
    expect(newestGeneration(source.novels(dir))).toBeNull();
    // Received files are not requested again.
    source.server.fault = () => undefined;
    const before = requestedFiles().length;
    expect(await source.pull(dir)).toEqual([]);
    const again = requestedFiles()
      .slice(before)
      .map(({ file }) => file);
    const had = requestedFiles()
      .slice(0, before)
      .filter(({ file, status }) => status === 200 && !ofRecords(file));
    expect(again.filter((file) => had.some((each) => each.file === file))).toEqual([]);
  });

  it('reads the manifest again if the source has removed the generation meanwhile', async () => {
    const [dir, first] = [next(), source.dir];
    source.dir = next();
    await source.build();
    await source.build(FIRST_NOVELS.slice(0, 40), 1);
    const rebuilt = source.novels();
    source.dir = first;
    source.server.afterwards = (file) => {
      if (!file.endsWith('/starts') || !fs.existsSync(rebuilt)) return;
      fs.rmSync(source.novels(), { recursive: true });
      fs.renameSync(rebuilt, source.novels());
    };
    expect(await source.pull(dir)).toEqual([]);
    expect(newestGeneration(source.novels(dir))?.number).toBe(2);
    expect(source.differences(dir)).toEqual([]);
  });

  it.each([
    ['a lower generation', 2],
    ['the same number', 0],
  ])('follows a source that was rebuilt: %s; open files are served until then', async (_, changes) => {
    for (let change = 0; change < changes; change++) await source.change();
    const dir = next();
    await source.pull(dir);
    const served = openLocalIndex(source.novels(dir), {
      now: () => 0,
      logger: silentLogger(),
      loadWorker: undefined,
    });
    await served.refresh();
    const before = served.facts().records;
    fs.rmSync(source.novels(), { recursive: true });
    await source.build(FIRST_NOVELS.slice(0, 30));
    expect(await source.pull(dir)).toEqual([]);
    expect(served.facts().records).toBe(before);
    await served.refresh();
    expect(served.facts().records).toBe(30);
    expect(served.facts().generation).toBe(1);
    expect(source.differences(dir)).toEqual([]);
    // Under another name: the generation that was in force until then stayed whole.
    expect(fs.readdirSync(source.novels(dir)).join()).toMatch(/segment-000001-1-[0-9a-f]{8}/);
    await source.change();
    expect(await source.pull(dir)).toEqual([]);
    expect(source.differences(dir)).toEqual([]);
    await served.refresh();
    expect(served.facts().generation).toBe(2);
    served.close();
    expect(await source.pull(dir)).toEqual([]);
  });

  it('downloads damaged files again, and nothing else', async () => {
    const dir = next();
    await source.pull(dir);
    const file = path.join(source.novels(dir), 'segment-000001-1', 'columns');
    fs.writeFileSync(file, 'X', { flag: 'r+' });
    const before = requestedFiles().length;
    expect(await source.pull(dir)).toEqual([]);
    expect(
      requestedFiles()
        .slice(before)
        .map((each) => each.file),
    ).toEqual(['novels/segment-000001-1/columns']);
    expect(source.differences(dir)).toEqual([]);
  });

  it('reports a missing catalogue, and one with a missing part', async () => {
    const dir = next();
    await source.pull(dir);
    fs.rmSync(source.novels(), { recursive: true });
    expect(await source.pull(next())).toEqual(['There is no catalogue at this address.']);
    expect((await source.pull(dir))[0]).toMatch(/manifest\.json was removed at the source, but exists here/);
    expect(newestGeneration(source.novels(dir))?.number).toBe(1);
  });

  it('sends no request for files if the disk has too little space, and reports both numbers', async () => {
    const [failure] = await source.pull(next(), { freeBytes: () => 1_000 });
    expect(failure).toMatch(/ needs [\d.]+ MB, but only 0\.0 MB are free\./);
    expect(requestedFiles()).toEqual([]);
  });

  it('needs space only for the bytes that an interrupted pull has not fetched', async () => {
    const dir = next();
    let [fetched, total] = [0, 0];
    const onProgress = (progress: { done: number; total: number }) => {
      [fetched, total] = [progress.done, progress.total];
    };
    let attempts = 0;
    source.server.fault = (file) =>
      !ofRecords(file) ? undefined : attempts++ === 0 ? { cutAfter: 700 } : { status: 500 };
    expect(await source.pull(dir, { onProgress })).toHaveLength(1);
    expect(fetched).toBeGreaterThan(0);
    source.server.fault = () => undefined;
    const [failure] = await source.pull(dir, { freeBytes: () => total - fetched - 1 });
    expect(failure).toMatch(/MB are free\./);
    expect(await source.pull(dir, { freeBytes: () => total - fetched })).toEqual([]);
    expect(source.differences(dir)).toEqual([]);
  });

  it('rejects a folder that a harvest is filling', async () => {
    const dir = next();
    fs.mkdirSync(path.join(dir, 'harvest'), { recursive: true });
    const lock = lockFolder(path.join(dir, 'harvest'), source.clock);
    await expect(source.pull(dir)).rejects.toThrow(FolderInUse);
    lock.release();
  });

  it('sends the credentials of the address only to its own server, and never prints them', async () => {
    const from = new URL(source.server.url);
    [from.username, from.password] = ['replica', 'geheim'];
    source.server.fault = (file) => (ofRecords(file) ? { status: 500 } : undefined);
    const [failure] = await source.pull(next(), { from });
    expect(failure).not.toContain('geheim');
    expect(source.server.authorizations).toEqual(new Set([`Basic ${btoa('replica:geheim')}`]));
  });
});
