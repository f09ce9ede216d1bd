/**
 * A harvest of 100,000 invented novels over HTTP, from a server with the upstream's window and a daily budget. It is
 * killed and resumed three times; then every record is compared with its original.
 *
 * Then 2,000 searches are sent to a service on the folder and to a service that queries the server each time.
 *
 * Last come the requests and bytes per day of `--follow` for a catalogue as large as the real one, extrapolated from
 * measured responses.
 *
 *   npm run bench:harvest -- --novels 100000
 */
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { readIndex } from '../packages/local-catalogue/src/engine/build-index.ts';
import { verifyIndex } from '../packages/local-catalogue/test/index-under-test.ts';
import { createNovelScan } from '../packages/narou/src/scan/novel-scan.ts';
import { startNarouServer } from '../test/upstream/index.ts';
import type { NarouServer } from '../test/upstream/server.ts';
import { fieldSetCodes } from '../packages/local-catalogue/src/harvest/harvested-novel.ts';
import { systemClock } from '@mokuroku/kit/process';
import { createEmbeddedCatalogue } from '@mokuroku/narou/sample';
import { canonicalQuery } from '@mokuroku/narou/queries';
import { NODE, Programs } from './programs.ts';
import { makeQuestions } from './search-questions.ts';
import { BENCH_NOW, createTexts } from './search-texts.ts';

const { values: flags } = parseArgs({ options: { novels: { type: 'string', default: '100000' } } });
const count = Number(flags.novels);
const CLI = path.resolve('packages/mokuroku/dist/cli.js');
const KILLS = [0.2, 0.5, 0.8];
const QUESTIONS = 2_000;
const now = () => BENCH_NOW;

const seconds = (from: number): string => `${((performance.now() - from) / 1_000).toFixed(1)} s`;
const whole = (value: number): string => Math.round(value).toLocaleString('en');

console.log(`inventing ${whole(count)} novels ...`);
const novelAt = createTexts();
const novels = Array.from({ length: count }, (_, index) => novelAt(index));
const scan = createNovelScan(novels, now);
const none = createNovelScan([], now);
const catalogue = {
  novelIndex: () => scan,
  adultNovelIndex: () => none,
  users: () => [],
  ranking: () => null,
  rankingHistory: () => null,
};

/** The harvest as its own process; resolves with its exit code and its peak memory (kB). */
async function runHarvest(url: string, dir: string, until: () => boolean) {
  const child = spawn(NODE, [CLI, 'harvest', '--dir', dir], {
    env: {
      PATH: process.env['PATH'] ?? '',
      NAROU_BASE_URL: url,
      NAROU_CONTACT: 'bench@example.org',
      HARVEST_PAUSE_MS: '0',
      // A hundred times the real quota, which is refilled too slowly for this bench.
      UPSTREAM_DAILY_REQUESTS: '8000000',
      UPSTREAM_DAILY_BYTES: '40000000000',
    },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  let memory = '?';
  const watching = setInterval(() => {
    memory = memoryOf(child.pid) ?? memory;
    if (until()) child.kill('SIGKILL');
  }, 5);
  const code = await new Promise<number | null>((resolve) => child.once('exit', resolve));
  clearInterval(watching);
  return { code, memory };
}

function memoryOf(pid: number | undefined): string | undefined {
  try {
    return /VmHWM:\s+(.*)/.exec(fs.readFileSync(`/proc/${pid ?? 0}/status`, 'utf8'))?.[1];
  } catch {
    return undefined;
  }
}

/** Returns the number of requests sent. */
async function harvestKilled(server: NarouServer, dir: string): Promise<number> {
  // A range of some 1,500 novels takes three or four pages and one count.
  const expected = (count / 1_500) * 4.5;
  const from = performance.now();
  for (const part of KILLS) {
    const run = await runHarvest(server.url, dir, () => server.requestCount() >= expected * part);
    console.log(`  killed (${String(run.code)}) after request ${server.requestCount()}, at ${seconds(from)}`);
  }
  const { code, memory } = await runHarvest(server.url, dir, () => false);
  const requests = server.requestCount();
  console.log(
    `  ended (${String(code)}) after request ${requests}, at ${seconds(from)}, peak memory ${memory}`,
  );
  return requests;
}

/** The upstream does not return these for novels of all ages: they must be absent, not 0 or empty. */
const ABSENT = { buntai: undefined, nocgenre: undefined, xid: undefined };

/** Compares every record with its original, except for its fetch time. */
function compareRecords(dir: string): string {
  const harvested = new Map([...readIndex(dir)].map((novel) => [novel.ncode, novel]));
  const wrong = novels.filter(
    (novel) =>
      JSON.stringify(sorted({ ...harvested.get(novel.ncode), fetched_at: 0 })) !==
      JSON.stringify(sorted({ ...novel, ...ABSENT, fetched_at: 0 })),
  );
  return `${whole(harvested.size)} of ${whole(count)} novels, ${wrong.length} of them changed`;
}

const sorted = (record: object) =>
  Object.entries(record)
    .filter(([, value]) => value !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));

/** The URL of a started service with a source. */
async function startService(programs: Programs, source: Record<string, string>): Promise<string> {
  const { match } = await programs.startUntil([NODE, CLI, 'serve'], /catalogue\s+(http:\S+)/, {
    CATALOGUE_PORT: '0',
    REGISTRATION_PORT: '0',
    RATE_LIMIT: '0',
    LOG_LEVEL: 'warn',
    ...source,
  });
  return match[1] ?? '';
}

/** Searches as query strings, within the upstream's window. */
function* queryStrings(): Iterable<string> {
  for (const { query } of makeQuestions(novelAt, count, 7)) {
    const closed = (when: unknown) =>
      typeof when === 'object' ? { min: 0, max: BENCH_NOW / 1_000, ...(when as object) } : undefined;
    if (query.st > 2_000) continue;
    yield canonicalQuery({
      ...query,
      lastup: closed(query.lastup),
      firstup: closed(query.firstup),
    });
  }
}

/** Sends the same searches to a service on the harvested folder and to one that queries the upstream each time. */
async function compareAnswers(dir: string, url: string): Promise<string> {
  const programs = new Programs();
  try {
    const local = await startService(programs, { CATALOGUE_SOURCE: 'local', CATALOGUE_DIR: dir });
    const live = await startService(programs, { CATALOGUE_SOURCE: 'narou', NAROU_BASE_URL: url });
    const differing: string[] = [];
    let searches = 0;
    for (const question of queryStrings()) {
      if (searches++ === QUESTIONS) break;
      const [result, wanted] = await Promise.all(
        [local, live].map((base) => answerOf(`${base}/v1/novels?${question}`)),
      );
      if (result !== wanted) differing.push(question);
    }
    for (const question of differing.slice(0, 5)) console.log(`  different: ${question}`);
    return `${QUESTIONS - differing.length} of ${QUESTIONS} searches with the same result from both services`;
  } finally {
    await programs.end();
  }
}

/** Status, total and records of a response as one text. */
async function answerOf(url: string): Promise<string> {
  const response = await fetch(url);
  const { data, meta } = (await response.json()) as { data?: unknown; meta?: { upstreamAllCount?: number } };
  return JSON.stringify([response.status, meta?.upstreamAllCount, data]);
}

/** Bytes over the wire of a gzip response. */
async function bytesOf(server: NarouServer, query: string): Promise<number> {
  const response = await fetch(`${server.url}/${query}&out=json&gzip=5`, {
    headers: { 'user-agent': 'bench' },
  });
  return (await response.arrayBuffer()).byteLength;
}

/** Bytes per novel in a page of 500. */
async function bytesPerNovel(
  server: NarouServer,
  extent: 'whole' | 'figures' | 'timestamps',
): Promise<number> {
  const weekly = extent === 'timestamps' ? '' : '&opt=weekly';
  const of = fieldSetCodes(extent, 'novels').join('-');
  const pages = [1, 501, 1001].map((st) =>
    bytesOf(server, `novelapi/api/?order=old&lim=500&st=${st}&of=${of}${weekly}`),
  );
  return (await Promise.all(pages)).reduce((sum, bytes) => sum + bytes, 0) / 1_500;
}

async function rankingBytes(): Promise<number> {
  const server = await startNarouServer({
    catalogue: createEmbeddedCatalogue({ clock: systemClock }),
    clock: systemClock,
  });
  const bytes = await bytesOf(server, 'rank/rankget/?rtype=20240401-d');
  await server.close();
  return bytes;
}

/** As large as the real catalogue; the number of changes per day is a high guess. */
const REAL_NOVELS = 1_100_000;
const CHANGED_A_DAY = 20_000;
const RANKINGS = 6_000;

/** `walkRequests`: requests of the walk through this bench's novels. */
async function printDay(server: NarouServer, walkRequests: number): Promise<void> {
  const [text, figures, stamps, ranking] = [
    await bytesPerNovel(server, 'whole'),
    await bytesPerNovel(server, 'figures'),
    await bytesPerNovel(server, 'timestamps'),
    await rankingBytes(),
  ];
  console.log(
    `bytes a novel: ${text.toFixed(0)} whole, ${figures.toFixed(1)} figures, ${stamps.toFixed(1)} stamps; ${ranking} a ranking`,
  );
  const walk = (REAL_NOVELS * walkRequests) / count;
  // Two lists of two hours each, 144 times a day; the first page of each contains its count.
  const listed = ((CHANGED_A_DAY * 2) / 24) * 2;
  const rows: [string, number, number][] = [
    ['the whole catalogue, once', walk, REAL_NOVELS * text],
    ['a day: new and changed, lists', 144 * 2 * Math.ceil(listed / 2 / 500), 144 * listed * stamps],
    ['a day: new and changed, records', 144 * Math.ceil(CHANGED_A_DAY / 144 / 500), CHANGED_A_DAY * text],
    ['a day: figures of all', walk, REAL_NOVELS * figures],
    ['a day: a fourteenth again', REAL_NOVELS / 14 / 500, (REAL_NOVELS / 14) * text],
    ['a day: rankings', RANKINGS / 14 + 10, (RANKINGS / 14) * ranking],
  ];
  for (const [name, requests, bytes] of rows) {
    console.log(
      `  ${name.padEnd(34)} ${whole(requests).padStart(8)} requests ${(bytes / 1e6).toFixed(1).padStart(8)} MB`,
    );
  }
  const day = rows.slice(1);
  const [requests, bytes] = [1, 2].map((column) => day.reduce((sum, row) => sum + Number(row[column]), 0));
  console.log(
    `  ${'a day in all'.padEnd(34)} ${whole(requests ?? 0).padStart(8)} requests ${((bytes ?? 0) / 1e6).toFixed(1).padStart(8)} MB`,
  );
}

const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'mokuroku-bench-harvest-'));
const server = await startNarouServer({ catalogue, clock: systemClock });
try {
  console.log('harvesting, killed three times:');
  const requests = await harvestKilled(server, dir);
  const folder = path.join(dir, 'novels');
  console.log(`  ${compareRecords(folder)}`);
  console.log(`  damaged files: ${verifyIndex(folder).length}`);
  console.log(`  ${await compareAnswers(dir, server.url)}`);
  await printDay(server, requests);
} finally {
  await server.close();
  fs.rmSync(dir, { recursive: true });
}
