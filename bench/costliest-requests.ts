/**
 * The maximum cost of a request, by kind. Each kind has random requests and requests designed to be expensive, all
 * valid and none cached. Prints the ten most expensive and the median.
 *
 * Cost is the processor time of the process: parsing, searching, serializing and compressing. Each request counts
 * with the minimum of several turns, because one turn may include the first read of a page of the index, or garbage
 * collection for earlier requests.
 *
 *   npm run bench:costliest-requests [-- --records 100000 --requests 300 --turns 4 --kind suggest]
 *
 * The catalogue is built in --dir and reused by the next run.
 */
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { request } from 'undici';
import { ResponseCache } from '../packages/kit/src/cache/response-cache.ts';
import { createCatalogueApp } from '../packages/mokuroku/src/catalogue/app.ts';
import { openLocalSource } from '../packages/local-catalogue/src/local/local-source.ts';
import { NOVELAPI_ORDERS } from '@mokuroku/narou';
import { canonicalQuery } from '@mokuroku/narou/queries';
import { systemClock, createLogger } from '@mokuroku/kit/process';
import { Admission } from '../packages/kit/src/limits/admission.ts';
import { chanceOf, seededRandom } from '../packages/narou/test/random-questions.ts';
import { buildLocalCatalogue } from './local-folder.ts';
import { median } from './programs.ts';
import { makeQuestions } from './search-questions.ts';
import { createTexts } from './search-texts.ts';

const { values: flags } = parseArgs({
  options: {
    records: { type: 'string', default: '100000' },
    requests: { type: 'string', default: '300' },
    kind: { type: 'string', default: '' },
    turns: { type: 'string', default: '4' },
    dir: { type: 'string' },
  },
});
const records = Number(flags.records);
const dir = flags.dir ?? path.join(os.tmpdir(), `mokuroku-bench-local-${records}`);

const { below, pick } = chanceOf(seededRandom(5));
const novelAt = createTexts();
const orders = Object.keys(NOVELAPI_ORDERS);

/** Distinct letters of the catalogue's own texts, most frequent first. */
const LETTERS = (() => {
  const counts = new Map<string, number>();
  for (let index = 0; index < 300; index++) {
    for (const letter of (novelAt(index).story ?? '').replaceAll(/[\s\p{Surrogate}]/gu, '')) {
      counts.set(letter, (counts.get(letter) ?? 0) + 1);
    }
  }
  return [...counts].sort(([, a], [, b]) => b - a).map(([letter]) => letter);
})();

const wordsOf = (count: number, from: number, letters: number) =>
  Array.from({ length: count }, (_, index) =>
    LETTERS.slice(from + index * letters, from + (index + 1) * letters).join(''),
  ).join(' ');

/** The most expensive words: `count` words of one or two letters each, frequent or rare. No letter occurs twice. */
function* expensiveWords(count: number): Iterable<{ word?: string; notword?: string }> {
  for (const from of [0, 10, 30, 100, 300, 600]) {
    for (const letters of [1, 2]) {
      yield { word: wordsOf(count, from, letters) };
      yield { notword: wordsOf(count, from, letters) };
      yield { word: LETTERS[from] ?? 'の', notword: wordsOf(count, from + 1, letters) };
    }
  }
  // One word as long as a URL can be.
  yield { word: LETTERS.slice(0, 800).join('') };
  yield { notword: LETTERS.slice(0, 800).join('') };
}

/** A page of a search without words, the cheapest search. */
const plainPage = (lim: number) =>
  `/v1/novels?order=${pick(orders)}&st=${1 + below(records - lim)}&lim=${lim}`;

function* searches(lim: number): Iterable<string> {
  for (const { word, notword } of expensiveWords(30)) {
    for (const texts of ['', '&title=1', '&ex=1']) {
      const words = new URLSearchParams({ ...(word && { word }), ...(notword && { notword }) });
      yield `/v1/novels?${words.toString()}${texts}&lim=${lim}`;
    }
  }
  for (const { query } of makeQuestions(novelAt, records, 9)) {
    // The service rejects open-ended times, and reading times together with lengths.
    const accepted = { ...query, lastup: undefined, firstup: undefined, time: undefined };
    yield `/v1/novels?${canonicalQuery({ ...accepted, lim })}`;
  }
}

function* suggestions(): Iterable<string> {
  for (const { word, notword } of expensiveWords(10))
    yield `/v1/suggest?q=${encodeURIComponent(word ?? notword ?? '')}&lim=50`;
  for (const { query } of makeQuestions(novelAt, records, 11)) {
    if (query.word) yield `/v1/suggest?q=${encodeURIComponent(query.word)}`;
  }
}

function* withEach(paths: Iterable<string>, more: string): Iterable<string> {
  for (const one of paths) yield one + more;
}

function* plainPages(lim: number, more = ''): Iterable<string> {
  for (;;) yield plainPage(lim) + more;
}

const KINDS: Record<string, Iterable<string>> = {
  'search, 20 novels': searches(20),
  'search with facets': withEach(searches(20), '&facets=type,genre,biggenre'),
  suggest: suggestions(),
  'page of 500 novels': plainPages(500),
  '500 novels as CSV': plainPages(500, '&format=csv'),
  '500 novels as Atom': plainPages(500, '&format=atom'),
};

await buildLocalCatalogue(dir, records);
const { logger, ...log } = createLogger('catalogue', 'silent');
const source = openLocalSource({ dir, upstream: undefined, clock: systemClock, logger });
const { listen, close } = createCatalogueApp({
  source,
  clock: systemClock,
  log: { logger, ...log },
  // Caches nothing, so that every turn costs the same.
  cache: new ResponseCache({ clock: systemClock, maxBytes: 1 }),
  admission: new Admission({ maxBytes: 64_000_000, maxClientBytes: 64_000_000 }),
  limiter: undefined,
  trustedProxies: [],
  requestIdStem: 'bench',
  isSample: () => false,
});

const base = await listen('127.0.0.1', 0);

/** Processor time in milliseconds, including under half a millisecond of the client in this process. */
async function costOf(url: string): Promise<number> {
  const before = process.cpuUsage();
  const { statusCode, body } = await request(base + url, { headers: { 'accept-encoding': 'gzip' } });
  const bytes = Buffer.from(await body.arrayBuffer());
  const { user, system } = process.cpuUsage(before);
  if (statusCode !== 200) throw new Error(`${statusCode} ${url}: ${bytes.toString().slice(0, 300)}`);
  return (user + system) / 1000;
}

console.log(`${records} novels, Node ${process.version}, load ${os.loadavg()[0]?.toFixed(1) ?? ''}`);
for (const [kind, paths] of Object.entries(KINDS)) {
  if (!kind.startsWith(flags.kind)) continue;
  const costs: { url: string; ms: number }[] = [];
  for (const url of paths) {
    if (costs.push({ url, ms: Infinity }) === Number(flags.requests)) break;
  }
  for (let turn = 0; turn < Number(flags.turns); turn++) {
    for (const cost of costs) cost.ms = Math.min(cost.ms, await costOf(cost.url));
  }
  const middle = median(costs.map(({ ms }) => ms));
  console.log(`\n${kind}: median ${middle.toFixed(2)} ms`);
  for (const { url, ms } of costs.sort((a, b) => b.ms - a.ms).slice(0, 10)) {
    console.log(
      `${ms.toFixed(2).padStart(8)} ms ${(ms / middle).toFixed(1).padStart(5)} x  ${decodeURIComponent(url).slice(0, 90)}`,
    );
  }
}
await close();
await source.close();
