/**
 * The index over invented novels (bench/search-texts.ts), in its own process, without a cache.
 *
 *   npm run bench:search -- --records 1000000 --dir DIR [--questions 10000] [--equal 1000] [--keep]
 *     [--peers groonga,sqlite [--peer-minutes 60]]
 *
 * The data of peers stay in --dir for the next run. So does the index with --keep, unchanged: the cost of changes is
 * then not measured.
 *
 * Every duration is given as wall time and as processor time. Compare processor time on a busy machine.
 */
import { fork } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { buildIndex, changeIndex } from '../packages/local-catalogue/src/engine/build-index.ts';
import {
  requireGeneration,
  loadGeneration,
} from '../packages/local-catalogue/src/engine/index-generations.ts';
import type { OpenIndex } from '../packages/local-catalogue/src/engine/open-index.ts';
import { openIndex, verifyIndex } from '../packages/local-catalogue/test/index-under-test.ts';
import { fieldSelector } from '@mokuroku/narou/scan';
import { FACETS } from '@mokuroku/narou/queries';
import { makeQuestions, type BenchQuestion } from './search-questions.ts';
import { compareWithScan } from './search-scan.ts';
import { BENCH_NOW, createTexts } from './search-texts.ts';

const { values: flags } = parseArgs({
  options: {
    records: { type: 'string', default: '100000' },
    questions: { type: 'string', default: '10000' },
    equal: { type: 'string', default: '1000' },
    dir: { type: 'string', default: path.join(os.tmpdir(), 'mokuroku-bench-search') },
    peers: { type: 'string', default: '' },
    'peer-minutes': { type: 'string', default: '60' },
    keep: { type: 'boolean', default: false },
    build: { type: 'boolean', default: false },
    priority: { type: 'string', default: '19' },
  },
});
const records = Number(flags.records);
const dir = path.join(flags.dir, String(records));
const now = (): number => BENCH_NOW;
const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;
const megabytes = (bytes: number): string => `${Math.round(bytes / 1e6)} MB`;

const WHOLE = fieldSelector({});

interface Times {
  readonly wall: number[];
  readonly cpu: number[];
}

const percentile = (values: readonly number[], share: number): string => {
  const sorted = [...values].sort((a, b) => a - b);
  return (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN).toFixed(3);
};

function report(name: string, { wall, cpu }: Times): void {
  const line = (values: readonly number[]): string =>
    `p50 ${percentile(values, 0.5)}  p90 ${percentile(values, 0.9)}  p99 ${percentile(values, 0.99)}  max ${percentile(values, 1)}`;
  console.log(
    `${name.padEnd(28)} ${String(wall.length).padStart(6)}  wall ms ${line(wall)}   cpu ms ${line(cpu)}`,
  );
}

/** Milliseconds of each item, wall time and processor time. */
function time<Item>(items: readonly Item[], search: (item: Item) => unknown): Times {
  const times: Times = { wall: [], cpu: [] };
  for (const item of items) {
    const cpu = process.cpuUsage();
    const from = performance.now();
    search(item);
    times.wall.push(performance.now() - from);
    const { user, system } = process.cpuUsage(cpu);
    times.cpu.push((user + system) / 1000);
  }
  return times;
}

const generate = function* (): Iterable<ReturnType<ReturnType<typeof createTexts>>> {
  const novelAt = createTexts();
  for (let index = 0; index < records; index++) yield novelAt(index);
};

/** Builds in its own process, by default at the lowest priority, as beside a service. */
async function build(): Promise<void> {
  os.setPriority(Number(flags.priority));
  const from = performance.now();
  let drawn = 0;
  const timed = function* (): ReturnType<typeof generate> {
    const source = generate()[Symbol.iterator]();
    for (;;) {
      const before = performance.now();
      const next = source.next();
      drawn += performance.now() - before;
      if (next.done === true) return;
      yield next.value;
    }
  };
  await buildIndex(dir, timed());
  const { user, system } = process.cpuUsage();
  const took = performance.now() - from;
  const memory = process.resourceUsage().maxRSS * 1024;
  console.log(
    `built in ${seconds(took - drawn)} (and ${seconds(drawn)} to invent the texts), processor ${seconds((user + system) / 1000)}, peak memory ${megabytes(memory)}`,
  );
}

const runBuild = (): Promise<number | null> =>
  new Promise((resolve) => {
    const child = fork(fileURLToPath(import.meta.url), [...process.argv.slice(2), '--build']);
    child.once('exit', resolve);
  });

function folderBytes(folder: string): number {
  let bytes = 0;
  for (const entry of fs.readdirSync(folder, { withFileTypes: true, recursive: true })) {
    if (entry.isFile()) bytes += fs.statSync(path.join(entry.parentPath, entry.name)).size;
  }
  return bytes;
}

/** Late pages must exist, so their position is only known after a first count. */
function drawQuestions(
  index: OpenIndex,
  novelAt: ReturnType<typeof createTexts>,
  count: number,
  seed: number,
) {
  const drawn: BenchQuestion[] = [];
  for (const { query, kinds, deep } of makeQuestions(novelAt, records, seed)) {
    if (drawn.length === count) break;
    const total = deep === 0 ? 0 : index.search({ ...query, lim: 0 }, WHOLE).total;
    drawn.push({ query: { ...query, st: 1 + Math.floor(deep * total) }, kinds });
  }
  return drawn;
}

function reportKinds(questions: readonly BenchQuestion[], times: Times): void {
  for (const kind of [...new Set(questions.flatMap(({ kinds }) => kinds))].sort()) {
    const of = (values: readonly number[]) =>
      values.filter((_, index) => questions[index]?.kinds.includes(kind));
    report(`  ${kind}`, { wall: of(times.wall), cpu: of(times.cpu) });
  }
}

/** Pages of another size, pages of few fields, and one-letter words, which half of all novels contain. */
function reportPages(index: OpenIndex, questions: readonly BenchQuestion[]): void {
  const four = fieldSelector({ of: ['t', 'n', 'w', 'gp'] });
  const reportSearch = (name: string, lim: number, select = WHOLE): void => {
    report(
      name,
      time(questions, ({ query }) => index.search({ ...query, lim }, select)),
    );
  };
  reportSearch('20 records, four fields', 20, four);
  reportSearch('500 records', 500);
  reportSearch('500 records, four fields', 500, four);
  const letters = questions.flatMap(({ query }) => query.word?.replaceAll(/\s/gu, '').slice(0, 1) ?? []);
  const ofLetter = (lim: number) => (word: string) =>
    index.search({ word, order: 'hyoka', st: 1, lim }, WHOLE);
  report('one letter', time(letters, ofLetter(20)));
  report('one letter, 500 records', time(letters, ofLetter(500)));
}

async function change(index: OpenIndex, novelAt: ReturnType<typeof createTexts>): Promise<void> {
  const step = Math.max(1, Math.floor(records / 900));
  const old = Array.from({ length: 900 }, (_, number) => novelAt(number * step));
  const put = [
    ...old.map((novel) => ({
      ...novel,
      weekly_point: (novel.weekly_point ?? 0) + 7,
      story: `${novel.story}改`,
    })),
    ...Array.from({ length: 100 }, (_, number) => novelAt(records + number)),
  ];
  const from = performance.now();
  const cpu = process.cpuUsage();
  const folders = new Set(requireGeneration(dir).segments.map(({ folder }) => folder));
  await changeIndex(dir, put);
  index.swapGeneration(loadGeneration(dir, requireGeneration(dir), folders));
  const { user, system } = process.cpuUsage(cpu);
  console.log(
    `1,000 changed records found after ${seconds(performance.now() - from)} (processor ${seconds((user + system) / 1000)})`,
  );
}

async function main(): Promise<void> {
  console.log(
    `${records} novels, Node ${process.version}, ${os.cpus().length} cores, load ${os.loadavg()[0]?.toFixed(1) ?? ''}`,
  );
  if (!fs.existsSync(dir)) await runBuild();
  console.log(`on disk ${megabytes(folderBytes(dir))}`);
  const novelAt = createTexts();
  const before = process.memoryUsage().rss;
  const from = performance.now();
  const cpu = process.cpuUsage();
  const index = openIndex(dir, now);
  const { user, system } = process.cpuUsage(cpu);
  console.log(
    `open after ${seconds(performance.now() - from)} (processor ${seconds((user + system) / 1000)})`,
  );
  const count = Number(flags.questions);
  const questions = drawQuestions(index, novelAt, count, 7);
  // As at the start of a service: reads all files once, so that they are in the system's cache.
  if (verifyIndex(dir).length > 0) throw new Error('the index is broken');
  time(drawQuestions(index, novelAt, 2000, 8), ({ query }) => index.search(query, WHOLE));
  const first = time(questions, ({ query }) => index.search(query, WHOLE));
  report('for the first time', first);
  reportKinds(questions, first);
  report(
    'again',
    time(questions, ({ query }) => index.search(query, WHOLE)),
  );
  reportPages(index, questions.slice(0, 2000));
  report(
    'facets',
    time(questions.slice(0, 2000), ({ query }) => index.facets(query, FACETS)),
  );
  const typed = questions.slice(0, 2000).map(({ query }) => (query.word ?? '').split(' ')[0] ?? '');
  report(
    'suggest',
    time(typed, (text) => index.suggest(text, 10)),
  );
  const memory = process.memoryUsage().rss;
  console.log(`memory ${megabytes(memory)}, ${megabytes(memory - before)} of it for the index`);
  const equal = questions.slice(0, Number(flags.equal));
  if (equal.length > 0)
    compareWithScan(
      generate(),
      equal.map(({ query }) => query),
      index,
      now(),
    );
  if (flags.peers !== '') {
    const { comparePeers } = await import('./search-peers.ts');
    const names = flags.peers.split(',');
    const minutes = Number(flags['peer-minutes']);
    // Beside the index's folder, which is for the same number of novels.
    comparePeers({ names, folder: `${dir}-peers`, novels: generate, questions, index, minutes });
  }
  if (!flags.keep) {
    await change(index, novelAt);
    report(
      'with 1,000 changes',
      time(questions, ({ query }) => index.search(query, WHOLE)),
    );
  }
  index.close();
  if (!flags.keep) fs.rmSync(dir, { recursive: true });
}

await (flags.build ? build() : main());
