import fs from 'node:fs';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../../test/temporary-folder.ts';
import { SMALL } from '../../test/index-under-test.ts';
import { chanceOf, randomNovel, randomQuery, seededRandom } from '../../../narou/test/random-questions.ts';
import { ServiceError } from '@mokuroku/kit';
import { silentLogger } from '@mokuroku/kit/process';
import type { CatalogueNovel } from '@mokuroku/narou/scan';
import type { CatalogueSource } from '@mokuroku/narou/source';
import { buildIndex, changeIndex } from '../engine/build-index.ts';
import { withFile, writeFully } from '../engine/files.ts';
import { SEGMENT_FILES } from '../engine/layout.ts';
import { openLocalSource } from './local-source.ts';
import { publishRankings } from './ranking-files.ts';

const NOON = Date.UTC(2026, 7, 31, 3);
const RUNS = Number(process.env['MOKUROKU_DAMAGE_RUNS'] ?? 6);

let dir: string;
let folder: string;
/** A new catalogue of these novels, and of some of them changed. */
async function publish(first: readonly CatalogueNovel[], put: readonly CatalogueNovel[] = []) {
  dir = temporaryFolder();
  folder = path.join(dir, 'novels');
  await buildIndex(folder, first, SMALL);
  if (put.length > 0) await changeIndex(folder, put, SMALL);
}

const chance = chanceOf(seededRandom(3));
const novels = Array.from({ length: 120 }, (_, index) => randomNovel(chance, index));
const queries = Array.from({ length: 12 }, () => ({ ...randomQuery(chance, novels), xid: undefined }));
const clock = { now: () => NOON, monotonic: () => NOON };
const open = () => openLocalSource({ dir, upstream: undefined, clock, logger: silentLogger() });

/** Writes into a file that may be open; its time stays the same, as if the disk fails. */
function overwrite(file: string, bytes: Buffer, at: number): void {
  withFile(file, 'r+', (opened) => {
    writeFully(opened, bytes, at);
  });
  fs.utimesSync(file, 0, 0);
}

/** What each question is answered; null where the answer is an error that a client can expect. */
async function answersOf(source: CatalogueSource): Promise<unknown[]> {
  const requests: (() => unknown)[] = [
    ...queries.map((query) => async () => {
      const { allCount, items } = await source.novels.novelapi.search(query);
      return { allCount, items };
    }),
    ...queries.map((query) => () => source.local?.countNovels('novelapi', query, ['genre', 'isbl'])),
    ...['の', '猫', '転生', '異'].map((text) => () => source.local?.suggest(text, 10)),
    ...[5, 90].map((index) => async () => {
      const [novel] = (await source.novels.novelapi.find([novels[index]!.ncode], undefined)).value;
      if (novel?.state === 'unknown') throw novel.reason;
      return novel;
    }),
  ];
  const answers: unknown[] = [];
  for (const send of requests) {
    try {
      answers.push(await send());
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      expect([501, 503]).toContain(error.status);
      answers.push(null);
    }
  }
  return answers;
}

const FILES = [
  ...SEGMENT_FILES.flatMap((name) => [`segment-000001-1/${name}`, `segment-000002-changes/${name}`]),
  'keywords-000002',
  'generation-000002.json',
];

describe('a catalogue with a flipped byte', () => {
  let right: unknown[];
  beforeAll(async () => {
    await publish(novels.slice(0, 100), novels.slice(80));
    const whole = open();
    right = await answersOf(whole);
    await whole.close();
    expect(right).not.toContain(null);
    fs.rmSync(path.join(folder, 'generation-000001.json'));
  });

  it.each(FILES)('in %s gives no wrong response, whether it was open before or not', async (name) => {
    const file = path.join(folder, name);
    const written = fs.readFileSync(file);
    const flip = fc.record({
      at: fc.nat(Math.max(0, written.length - 1)),
      mask: fc.integer({ min: 1, max: 255 }),
    });
    await fc.assert(
      fc.asyncProperty(flip, async ({ at, mask }) => {
        const before = open();
        const flipped = Buffer.of((written[at] ?? 0) ^ mask);
        overwrite(file, flipped, at);
        const after = open();
        for (const source of [before, after]) {
          const answers = await answersOf(source);
          for (const [index, answer] of answers.entries())
            if (answer !== null) expect(answer).toEqual(right[index]);
          await source.close();
        }
        overwrite(file, written, 0);
      }),
      { numRuns: written.length === 0 ? 0 : RUNS, seed: 1 },
    );
  });
});

it('a generation is replaced by the previous one when a request meets damage in it', async () => {
  await publish(novels.slice(0, 100), novels.slice(80));
  const records = path.join(folder, 'segment-000002-changes', 'records');
  overwrite(records, Buffer.from('{'), 0);
  const source = open();
  await source.refresh();
  const request = (ncode: string) =>
    source.novels.novelapi.search({ ncode: [ncode], order: 'new', st: 1, lim: 1 });
  overwrite(records, Buffer.from('X'), 0);
  await source.refresh();
  expect(source.facts()).toMatchObject({ generation: 2, novels: 120 });
  await expect(request(novels[80]!.ncode)).rejects.toMatchObject({
    code: 'catalogue_unreadable',
    retryAfterSeconds: 60,
  });
  expect(await request(novels[110]!.ncode)).toMatchObject({ allCount: 1 });
  await source.refresh();
  expect(source.facts()).toMatchObject({ generation: 1, novels: 100 });
  expect(await request(novels[80]!.ncode)).toMatchObject({ allCount: 1 });
  await source.close();
});

it('a generation is not replaced by a previous one that has the same damaged file', async () => {
  await publish(novels.slice(0, 100), novels.slice(80));
  const records = path.join(folder, 'segment-000001-1', 'records');
  overwrite(records, Buffer.from('{'), 0);
  const source = open();
  await source.refresh();
  overwrite(records, Buffer.from('X'), 0);
  const search = source.novels.novelapi.search({ ncode: [novels[0]!.ncode], order: 'new', st: 1, lim: 1 });
  await expect(search).rejects.toMatchObject({ code: 'catalogue_unreadable' });
  await expect(source.refresh()).rejects.toThrow('no complete generation is left');
  expect(source.facts()).toMatchObject({ generation: 2, novels: 120 });
  await source.close();
});

it('without a previous generation serves everything readable, and its state says whether anything is', async () => {
  await publish(novels);
  const records = path.join(folder, 'segment-000001-1', 'records');
  const written = fs.readFileSync(records);
  overwrite(records, written, 0);
  const source = open();
  overwrite(records, Buffer.from('X'), 0);
  await expect(source.refresh()).rejects.toThrow('no complete generation is left');
  expect(source.states().novels, 'without a request').toBe('damaged');
  fs.writeFileSync(records, written);
  await source.refresh();
  const sendRequest = async (st: number) => {
    const result = source.novels.novelapi.search({ order: 'old', st, lim: 1 });
    return (await result.catch((error: unknown) => (error as ServiceError).code)) as unknown;
  };
  const sendAll = async () => Promise.all(novels.map((_, at) => sendRequest(at + 1)));
  const right = await sendAll();
  expect(source.states().novels).toBe('served');
  overwrite(records, Buffer.from('X'), 0);
  const some = await sendAll();
  expect(some.filter((each, at) => !isDeepStrictEqual(each, right[at]))).toEqual(['catalogue_unreadable']);
  expect(source.states().novels).toBe('damaged');
  await expect(source.refresh()).rejects.toThrow('no complete generation is left');
  expect(source.states().novels).toBe('damaged');
  overwrite(records, Buffer.alloc(written.length), 0);
  expect(new Set(await sendAll())).toEqual(new Set(['catalogue_unreadable']));
  expect(source.states().novels).toBe('broken');
  fs.writeFileSync(records, written);
  await source.refresh();
  expect(source.states().novels).toBe('served');
  expect(await sendAll()).toEqual(right);
  await source.close();
});

it('a repaired generation is served, although a request meets the damage once more before the next look', async () => {
  await publish(novels);
  const records = path.join(folder, 'segment-000001-1', 'records');
  fs.copyFileSync(records, `${records}.whole`);
  const source = open();
  await source.refresh();
  overwrite(records, Buffer.from('X'), 0);
  const find = async () => (await source.novels.novelapi.find([novels[0]!.ncode], ['n'])).value[0]?.state;
  expect(await find()).toBe('unknown');
  await expect(source.refresh()).rejects.toThrow('no complete generation is left');
  // As from a backup: with the same time.
  fs.utimesSync(`${records}.whole`, 0, 0);
  fs.renameSync(`${records}.whole`, records);
  expect(await find()).toBe('unknown');
  await source.refresh();
  expect([await find(), source.states().novels]).toEqual(['found', 'served']);
  await source.close();
});

it('a damaged record leaves its own novel unknown in a list, and hides no other', async () => {
  await publish(novels.map((novel, at) => ({ ...novel, fetched_at: NOON / 1000 - at })));
  const source = open();
  overwrite(path.join(folder, 'segment-000001-1', 'records'), Buffer.from('X'), 0);
  const ncodes = novels.slice(0, 3).map(({ ncode }) => ncode);
  const { value, fetchedAt } = await source.novels.novelapi.find(ncodes, ['n']);
  expect(fetchedAt, 'of the oldest').toBe(NOON / 1000 - 2);
  expect(value).toMatchObject([
    { state: 'unknown', reason: { code: 'catalogue_unreadable' } },
    { state: 'found', record: { ncode: ncodes[1] } },
    { state: 'found', record: { ncode: ncodes[2] } },
  ]);
  await source.close();
});

it('damaged rankings that are already loaded are served from memory', async () => {
  dir = temporaryFolder();
  const rankings = path.join(dir, 'rankings');
  const rows = novels.slice(0, 50).map(({ ncode }, at) => ({ ncode, pt: 99 - at, rank: at + 1 }));
  await publishRankings(rankings, {
    put: [{ type: 'daily', date: '2026-08-30', fetchedAt: NOON / 1000, rows }],
  });
  const source = open();
  expect((await source.getRanking('daily', '2026-08-30')).value).toEqual(rows);
  for (const name of ['table', 'rows', 'histories']) {
    const file = path.join(rankings, 'rankings-000001', name);
    overwrite(file, Buffer.alloc(fs.statSync(file).size, 7), 0);
  }
  await source.refresh();
  expect((await source.getRanking('daily', '2026-08-30')).value).toEqual(rows);
  await source.close();
});
