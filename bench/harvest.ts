/**
 * A harvest of 100,000 invented novels over HTTP, from a server with the upstream's window and a day's budget, killed
 * and resumed three times; what came is held against what was there, record by record; then a service on the folder and one
 * that asks the server each time are asked the same 2,000 questions. Then the
 * requests and bytes of a day of `--follow` for the catalogue as large as the real one, from the answers measured.
 *
 *   npm run bench:harvest -- --novels 100000
 */
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { readIndex } from '../src/catalogue/index/engine/build-index.ts';
import { verifyIndex } from '../src/catalogue/index/engine/generations.ts';
import { createNovelScan } from '../src/catalogue/index/novel-scan.ts';
import { createUserScan } from '../src/catalogue/index/user-scan.ts';
import { startNarouServer } from '../src/catalogue/narou-server/server.ts';
import type { NarouServer } from '../src/catalogue/narou-server/server.ts';
import { codesOf } from '../src/catalogue/harvest/harvested-novel.ts';
import { systemClock } from '../src/process/clock.ts';
import { createEmbeddedCatalogue } from '../src/sample/novels/embedded-catalogue.ts';
import { canonicalQuery } from '../src/catalogue/novels/search-query.ts';
import { NODE, Programs } from './programs.ts';
import { makeQuestions } from './search-questions.ts';
import { BENCH_NOW, createTexts } from './search-texts.ts';

const { values: flags } = parseArgs({ options: { novels: { type: 'string', default: '100000' } } });
const count = Number(flags.novels);
const CLI = path.resolve('dist/cli.js');
const KILLS = [0.2, 0.5, 0.8];
const QUESTIONS = 2_000;
const now = () => BENCH_NOW;

const seconds = (from: number): string => `${((performance.now() - from) / 1_000).toFixed(1)} s`;
const whole = (value: number): string => Math.round(value).toLocaleString('en');

console.log(`inventing ${whole(count)} novels ...`);
const novelAt = createTexts();
const novels = Array.from({ length: count }, (_, place) => novelAt(place));
const scan = createNovelScan(novels, now);
const none = createNovelScan([], now);
const catalogue = {
  novelIndex: () => scan,
  adultNovelIndex: () => none,
  userIndex: () => createUserScan([]),
  ranking: () => null,
  rankingHistory: () => null,
};

/** The harvest as a process of its own; resolves with its exit code and the most memory it took (kB). */
async function runHarvest(url: string, dir: string, until: () => boolean) {
  const child = spawn(NODE, [CLI, 'harvest', '--dir', dir], {
    env: {
      PATH: process.env['PATH'] ?? '',
      NAROU_BASE_URL: url,
      NAROU_CONTACT: 'bench@example.org',
      HARVEST_PAUSE_MS: '0',
      UPSTREAM_DAILY_REQUESTS: '80000',
      UPSTREAM_DAILY_BYTES: '400000000',
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

/** Gives the number of requests that it took. */
async function harvestKilled(server: NarouServer, dir: string): Promise<number> {
  // A range of some 1,500 takes three or four pages and is counted once: about this many requests.
  const expected = (count / 1_500) * 4.5;
  const from = performance.now();
  for (const part of KILLS) {
    const run = await runHarvest(server.url, dir, () => server.requestCount() >= expected * part);
    console.log(
      `  killed (${String(run.code)}) behind request ${server.requestCount()}, at ${seconds(from)}`,
    );
  }
  const { code, memory } = await runHarvest(server.url, dir, () => false);
  const requests = server.requestCount();
  console.log(
    `  ended (${String(code)}) behind request ${requests}, at ${seconds(from)}, memory at most ${memory}`,
  );
  return requests;
}

/** What the upstream does not return for novels of all ages: it must be absent, not 0 or empty. */
const ABSENT = { buntai: undefined, nocgenre: undefined, xid: undefined };

/** Every record as it was there, but for the time it was fetched. */
function compareRecords(dir: string): string {
  const held = new Map([...readIndex(dir)].map((novel) => [novel.ncode, novel]));
  const wrong = novels.filter(
    (novel) =>
      JSON.stringify(sorted({ ...held.get(novel.ncode), fetched_at: 0 })) !==
      JSON.stringify(sorted({ ...novel, ...ABSENT, fetched_at: 0 })),
  );
  return `${whole(held.size)} of ${whole(count)} novels, ${wrong.length} of them not as they were`;
}

const sorted = (record: object) =>
  Object.entries(record)
    .filter(([, value]) => value !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));

/** The service with a source, ready to answer. */
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

/** Questions as parameters, within the upstream's window. */
function* questionTexts(): Iterable<string> {
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

/** The same questions to a service on the harvested folder, and to one that asks the upstream each time. */
async function compareAnswers(dir: string, url: string): Promise<string> {
  const programs = new Programs();
  try {
    const local = await startService(programs, { CATALOGUE_SOURCE: 'local', CATALOGUE_DIR: dir });
    const live = await startService(programs, { CATALOGUE_SOURCE: 'narou', NAROU_BASE_URL: url });
    const differing: string[] = [];
    let asked = 0;
    for (const question of questionTexts()) {
      if (asked++ === QUESTIONS) break;
      const [found, wanted] = await Promise.all(
        [local, live].map((base) => answerOf(`${base}/v1/novels?${question}`)),
      );
      if (found !== wanted) differing.push(question);
    }
    for (const question of differing.slice(0, 5)) console.log(`  not alike: ${question}`);
    return `${QUESTIONS - differing.length} of ${QUESTIONS} questions answered alike by both services`;
  } finally {
    await programs.end();
  }
}

/** Status, total and records of an answer as one text. */
async function answerOf(url: string): Promise<string> {
  const response = await fetch(url);
  const { data, meta } = (await response.json()) as { data?: unknown; meta?: { upstreamAllCount?: number } };
  return JSON.stringify([response.status, meta?.upstreamAllCount, data]);
}

/** Bytes over the wire of an answer, packed as it is asked for. */
async function bytesOf(server: NarouServer, query: string): Promise<number> {
  const response = await fetch(`${server.url}/${query}&out=json&gzip=5`, {
    headers: { 'user-agent': 'bench' },
  });
  return (await response.arrayBuffer()).byteLength;
}

/** Of one novel, in a page of 500. */
async function bytesPerNovel(server: NarouServer, extent: 'whole' | 'figures' | 'marks'): Promise<number> {
  const weekly = extent === 'marks' ? '' : '&opt=weekly';
  const of = codesOf(extent, 'novels').join('-');
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

/** As large as the real catalogue; how much of it changes in a day is a guess on the high side. */
const REAL_NOVELS = 1_100_000;
const CHANGED_A_DAY = 20_000;
const RANKINGS = 6_000;

/** `walkRequests`: what the walk through the novels of this bench took. */
async function printDay(server: NarouServer, walkRequests: number): Promise<void> {
  const [text, figures, marks, ranking] = [
    await bytesPerNovel(server, 'whole'),
    await bytesPerNovel(server, 'figures'),
    await bytesPerNovel(server, 'marks'),
    await rankingBytes(),
  ];
  console.log(
    `bytes a novel: ${text.toFixed(0)} whole, ${figures.toFixed(1)} figures, ${marks.toFixed(1)} marks; ${ranking} a ranking`,
  );
  const walk = (REAL_NOVELS * walkRequests) / count;
  // Two lists of two hours each time, 144 times a day; the first page of each tells its count.
  const listed = ((CHANGED_A_DAY * 2) / 24) * 2;
  const rows: [string, number, number][] = [
    ['the whole catalogue, once', walk, REAL_NOVELS * text],
    ['a day: new and changed, lists', 144 * 2 * Math.ceil(listed / 2 / 500), 144 * listed * marks],
    ['a day: new and changed, records', 144 * Math.ceil(CHANGED_A_DAY / 144 / 500), CHANGED_A_DAY * text],
    ['a day: figures of all', walk, REAL_NOVELS * figures],
    ['a day: a fourteenth anew', REAL_NOVELS / 14 / 500, (REAL_NOVELS / 14) * text],
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
  console.log(`  files that are not what was written: ${verifyIndex(folder).length}`);
  console.log(`  ${await compareAnswers(dir, server.url)}`);
  await printDay(server, requests);
} finally {
  await server.close();
  fs.rmSync(dir, { recursive: true });
}
