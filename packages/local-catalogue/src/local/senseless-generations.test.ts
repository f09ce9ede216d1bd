import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { temporaryFolder } from '../../../../test/temporary-folder.ts';
import { skippedIn } from '../../test/damaged-files.ts';
import { localSources, publishTitle } from '../../test/local-sources.ts';
import { factsOfFile } from '../engine/files.ts';
import type { IndexGeneration } from '../engine/index-generations.ts';
import type { LocalSource } from './local-source.ts';
import { TABLE_WORDS, keyOfRtype, publishRankings } from './ranking-files.ts';
import type { RankingGeneration } from './ranking-files.ts';

const NOON = Date.parse('2026-11-21T12:00:00+09:00');
const HUGE = 4e9;
const open = localSources(NOON);

let dir: string;
beforeEach(async () => {
  dir = temporaryFolder();
  await publishTitle(dir, '最初の題', NOON);
});

/** What the source answers: two searches and the changes; a ranking. */
async function answersOf(source: LocalSource) {
  const search = async (word?: string) => {
    const page = await source.novels.novelapi.search({ order: 'new', st: 1, lim: 3, ...(word && { word }) });
    return page.items.map(({ title }) => title);
  };
  return {
    novels: [await search(), await search('題'), source.changes?.({ lim: 9 }).total],
    ranking: (await source.getRanking('daily', '2026-11-20')).value,
  };
}

type Writable<Value> = { -readonly [Name in keyof Value]: Value[Name] };

/** A change of the second generation of a part. */
type Spoil =
  | { part: 'novels'; change: (generation: Writable<IndexGeneration>) => unknown }
  | { part: 'rankings'; change: (generation: RankingGeneration) => unknown };

/** Rewrites the manifest, with the right sum. */
function rewrite({ part, change }: Spoil): void {
  const file = path.join(dir, part, 'generation-000002.json');
  const { generation } = JSON.parse(fs.readFileSync(file, 'utf8')) as { generation: never };
  change(generation);
  const sha256 = createHash('sha256').update(JSON.stringify(generation)).digest('hex');
  fs.writeFileSync(file, JSON.stringify({ sha256, generation }));
}

const novels = (change: (generation: Writable<IndexGeneration>) => unknown): Spoil => ({
  part: 'novels',
  change,
});
const segment = (facts: object): Spoil => novels(({ segments }) => Object.assign(segments[0]!, facts));

/** Sets a number of a file of rankings, whose sum is right. */
const rankings = (name: 'table' | 'rows' | 'histories', at: number, value = HUGE): Spoil => ({
  part: 'rankings',
  change: ({ files }) => {
    const file = path.join(dir, 'rankings', 'rankings-000002', name);
    const numbers = new Uint32Array(new Uint8Array(fs.readFileSync(file)).buffer);
    numbers[at] = value;
    fs.writeFileSync(file, numbers);
    Object.assign(files, { [name]: factsOfFile(file) });
  },
});

/** Puts a folder in the place of a file, of the size that the manifest states. */
const folderInPlaceOf = (name: 'columns' | 'records'): Spoil =>
  novels(({ segments }) => {
    const place = path.join(dir, 'novels', 'segment-000002-1', name);
    fs.rmSync(place);
    fs.mkdirSync(place);
    Object.assign(segments[0]!.files[name]!, { bytes: fs.statSync(place).size });
  });

/** Replaces all records by zeros, whose sum is right. */
const zeros = novels(({ segments }) => {
  const file = path.join(dir, 'novels', 'segment-000002-1', 'records');
  fs.writeFileSync(file, Buffer.alloc(fs.statSync(file).size));
  Object.assign(segments[0]!.files, { records: factsOfFile(file) });
});

/** Leaves the checksum of the first record alone. */
const oneSum = novels(({ segments }) => {
  const file = path.join(dir, 'novels', 'segment-000002-1', 'sums');
  fs.truncateSync(file, 4);
  Object.assign(segments[0]!.files, { sums: factsOfFile(file) });
});

/** Takes the cursor from a change; the sum of the file is right. */
const withoutCursor = novels(({ files }) => {
  const name = 'changes-000002';
  const file = path.join(dir, 'novels', name);
  fs.writeFileSync(file, fs.readFileSync(file, 'utf8').replace('"cursor":"', '"cursor":"x'));
  Object.assign(files, { [name]: factsOfFile(file) });
});

it.each<[string, Spoil]>([
  ['zeros as records', zeros],
  ['one checksum of all data', oneSum],
  ['4e9 records', segment({ records: HUGE })],
  ['4e9 positions', segment({ positions: HUGE })],
  ['a sample for each 4e9 positions', segment({ spacing: HUGE })],
  ['a sample for each 0 positions', segment({ spacing: 0 })],
  ['an oversized record of id 4e9', segment({ oversized: [HUGE] })],
  ['a segment in folder 4e9', segment({ folder: HUGE })],
  [
    'one segment named 3,001 times',
    novels((each) => (each.segments = Array.from({ length: 3_001 }, () => each.segments[0]!))),
  ],
  ['4e9 instead of segments', novels((each) => Object.assign(each, { segments: HUGE }))],
  ['the number 4e9', novels((each) => (each.number = HUGE))],
  ['keywords in file 4e9', novels((each) => Object.assign(each, { keywords: HUGE }))],
  ['keywords in a folder', novels((each) => (each.keywords = 'segment-000002-1'))],
  ['changes in 4e9 files', novels((each) => Object.assign(each.changes!, { files: HUGE }))],
  ['dropped changes up to 4e9', novels((each) => Object.assign(each.changes!, { dropped: [HUGE, HUGE] }))],
  ['dropped changes up to nothing', novels((each) => Object.assign(each.changes!, { dropped: HUGE }))],
  ['a change without a cursor', withoutCursor],
  ['a folder in place of columns', folderInPlaceOf('columns')],
  ['a folder in place of records', folderInPlaceOf('records')],
  ['a ranking of no date', rankings('table', 0)],
  ['two rankings of one day', rankings('table', TABLE_WORDS, keyOfRtype('20261119-d'))],
  ['a ranking that begins at row 4e9', rankings('table', 2)],
  ['a ranking of 4e9 rows', rankings('table', 3)],
  ['a ranking of one row more than there are', rankings('table', TABLE_WORDS + 3, 2)],
  ['a ranked novel without an Ncode', rankings('rows', 0)],
  ['a history with row 4e9', rankings('histories', 1)],
])('a generation with right sums and %s replaces none, while serving and at the start', async (_, spoil) => {
  const { source: running, log } = open(dir);
  await running.refresh();
  const before = await answersOf(running);
  await publishTitle(dir, '別の題', NOON);
  rewrite(spoil);
  const looks = async (source: LocalSource) => {
    for (let times = 0; times < 3; times++) await source.refresh().catch(() => undefined);
  };
  await looks(running);
  const { source: started, log: startLog } = open(dir);
  await looks(started);
  for (const source of [running, started]) {
    // Of the other part the second generation is served.
    const { novels, ranking } = await answersOf(source);
    const isOfRankings = spoil.part === 'rankings';
    expect(isOfRankings ? ranking : novels).toEqual(isOfRankings ? before.ranking : before.novels);
    expect(source.facts().generation).toBe(isOfRankings ? 2 : 1);
  }
  // Each source logs it once at most: a folder in place of a file is unreadable.
  for (const lines of [log, startLog]) expect(skippedIn(lines).length).toBeLessThanOrEqual(1);
  if (spoil.part === 'novels') return;
  // The writer builds upon the generation that is served, and the next one is served again.
  const added = { type: 'daily', date: '2026-11-21', fetchedAt: NOON / 1000, rows: before.ranking! } as const;
  await publishRankings(path.join(dir, 'rankings'), { put: [added] });
  await running.refresh();
  for (const date of ['2026-11-20', added.date])
    expect((await running.getRanking('daily', date)).value).toEqual(before.ranking);
});
