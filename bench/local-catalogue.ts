/**
 * Responses of 20 novels per second from a local catalogue by one process, each requested for the first time. Beside
 * it the upper bound: node:http sending one such response repeatedly. Processor time is printed too, since it does
 * not depend on the load of the machine.
 *
 *   npm run bench:local-catalogue [-- --records 100000 --answers 20000]
 *
 * The catalogue is built in --dir and reused by the next run.
 */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { Pool } from 'undici';
import { NOVELAPI_ORDERS } from '@mokuroku/narou';
import { canonicalQuery } from '@mokuroku/narou/queries';
import { chanceOf, seededRandom } from '../packages/narou/test/random-questions.ts';
import { buildLocalCatalogue } from './local-folder.ts';
import { NODE, Programs, moveToCore, nodeVersion, onServerCore, processorSeconds } from './programs.ts';
import { makeQuestions } from './search-questions.ts';
import { BENCH_NOW, createTexts } from './search-texts.ts';

const { values: flags } = parseArgs({
  options: {
    records: { type: 'string', default: '100000' },
    answers: { type: 'string', default: '20000' },
    connections: { type: 'string', default: '16' },
    dir: { type: 'string' },
  },
});
const records = Number(flags.records);
const answers = Number(flags.answers);
const dir = flags.dir ?? path.join(os.tmpdir(), `mokuroku-bench-local-${records}`);

/** Pages of a search without words, the cheapest search, so that writing the response dominates. */
function* plainPages(): Iterable<string> {
  const { below, pick } = chanceOf(seededRandom(3));
  const orders = Object.keys(NOVELAPI_ORDERS);
  for (;;) yield `order=${pick(orders)}&st=${1 + below(records - 20)}`;
}

/** Searches like those of the index's bench, with at most 20 novels. */
function* mixedQuestions(): Iterable<string> {
  for (const { query } of makeQuestions(createTexts(), records, 7)) {
    // The service rejects open-ended times, and reading times together with lengths, as the upstream does.
    const { lastup, firstup, time, ...rest } = query;
    const until = (when: typeof lastup) =>
      typeof when === 'object' ? { ...when, max: BENCH_NOW / 1000 } : when;
    yield canonicalQuery({
      ...rest,
      ...(!rest.length && { time }),
      lastup: until(lastup),
      firstup: until(firstup),
    });
  }
}

/** Requests each path once, several at a time. */
async function requestAll(base: string, paths: Iterator<string>, count: number): Promise<number> {
  const pool = new Pool(base, { connections: Number(flags.connections) });
  let left = count;
  let bytes = 0;
  const worker = async (): Promise<void> => {
    while (left-- > 0) {
      const { value: at } = paths.next() as { value: string };
      const { statusCode, body } = await pool.request({ path: at, method: 'GET' });
      bytes += (await body.arrayBuffer()).byteLength;
      if (statusCode !== 200) throw new Error(`${at}: status ${statusCode}`);
    }
  };
  await Promise.all(Array.from({ length: Number(flags.connections) }, worker));
  await pool.destroy();
  return bytes;
}

interface Rate {
  perSecond: number;
  perProcessorSecond: number;
  bytes: number;
}

async function measure(base: string, pid: number, paths: Iterator<string>): Promise<Rate> {
  await requestAll(base, paths, Math.ceil(answers / 4)); // Measure a running service, not a starting one.
  const cpu = processorSeconds(pid);
  const from = performance.now();
  const bytes = await requestAll(base, paths, answers);
  const seconds = (performance.now() - from) / 1000;
  const perProcessorSecond = answers / (processorSeconds(pid) - cpu);
  return { perSecond: answers / seconds, perProcessorSecond, bytes: bytes / answers };
}

function* under(prefix: string, queries: Iterable<string>): Generator<string, never> {
  for (const query of queries) yield prefix + query;
  throw new Error('no more questions');
}

function report(name: string, rate: Rate, bare?: Rate): void {
  const share = bare ? `, ${(rate.perProcessorSecond / bare.perProcessorSecond).toFixed(2)} of bare` : '';
  console.log(
    `${name}: ${rate.perProcessorSecond.toFixed(0)} a second of processor${share}; ${rate.perSecond.toFixed(0)} a second of time (${rate.bytes.toFixed(0)} bytes)`,
  );
}

const programs = new Programs();
try {
  await buildLocalCatalogue(dir, records);
  const load = os.loadavg()[0]?.toFixed(1) ?? '';
  console.log(`${records} novels, ${nodeVersion()}, load ${load}: answers of 20 novels, each requested once`);
  const service = await programs.startUntil(
    [
      ...onServerCore,
      NODE,
      '--max-semi-space-size=4',
      'packages/mokuroku/dist/cli.js',
      'serve',
      '--catalogue',
      dir,
    ],
    /catalogue\S*\s+(http:\/\/127\.0\.0\.1:\d+)/i,
    { CATALOGUE_PORT: '0', REGISTRATION_PORT: '0', RATE_LIMIT: '0' },
  );
  const base = service.match[1] ?? '';
  const file = path.join(dir, 'answer.json');
  const one = await fetch(`${base}/v1/novels?order=hyoka`);
  fs.writeFileSync(file, Buffer.from(await one.arrayBuffer()));
  const raw = await programs.startUntil(
    [...onServerCore, NODE, path.join(import.meta.dirname, 'raw-server.mjs'), file],
    /http:\/\/127\.0\.0\.1:\d+/,
  );
  moveToCore(process.pid, 1);
  const again = function* (): Iterable<string> {
    for (;;) yield '';
  };
  const bare = await measure(raw.match[0], raw.child.pid ?? 0, under('/', again()));
  report('bare node:http      ', bare);
  const pid = service.child.pid ?? 0;
  report('pages without words ', await measure(base, pid, under('/v1/novels?', plainPages())), bare);
  report(
    'some fields (t-n-w-g)',
    await measure(base, pid, under('/v1/novels?of=t-n-w-g&', plainPages())),
    bare,
  );
  report('questions as mixed  ', await measure(base, pid, under('/v1/novels?', mixedQuestions())), bare);
} finally {
  await programs.end();
}
