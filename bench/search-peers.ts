/**
 * The same searches in Groonga (the `groonga` program, bigrams of everything) and SQLite FTS5 (the `sqlite3` program;
 * bigrams as words, one-letter words as prefixes). Both measure their own time within their process, with their data
 * just loaded, so that neither pays for a pipe. Only searches that both support are used: all texts, no filters,
 * first page.
 *
 * The loaded data stay in a folder and are reused by the next run.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import type { CatalogueNovel } from '@mokuroku/narou/scan';
import { TEXTS } from '../packages/local-catalogue/src/engine/layout.ts';
import type { OpenIndex } from '../packages/local-catalogue/src/engine/open-index.ts';
import { fieldSelector } from '@mokuroku/narou/scan';
import type { NovelQuery } from '@mokuroku/narou/queries';
import type { BenchQuestion } from './search-questions.ts';

const SEARCHES = 200;

/** Medians hide slow searches: most words are rare, and any engine finds a rare word at once. */
const FIGURES: Readonly<Record<string, (sorted: readonly number[]) => number>> = {
  median: (sorted) => sorted[Math.floor(sorted.length / 2)] ?? Number.NaN,
  mean: (sorted) => sorted.reduce((sum, each) => sum + each, 0) / sorted.length,
  p90: (sorted) => sorted[Math.floor(sorted.length * 0.9)] ?? Number.NaN,
  p99: (sorted) => sorted[Math.floor(sorted.length * 0.99)] ?? Number.NaN,
  max: (sorted) => sorted.at(-1) ?? Number.NaN,
};

/** Statistics of some durations, with their ratios to those of others. */
function describeTimes(times: readonly number[], others?: readonly number[]): string {
  const sorted = [...times].sort((a, b) => a - b);
  const sortedOthers = [...(others ?? [])].sort((a, b) => a - b);
  return Object.entries(FIGURES)
    .map(([name, of]) => {
      const ratio = others ? ` (${(of(sorted) / of(sortedOthers)).toFixed(1)} times ours)` : '';
      return `${name} ${of(sorted).toFixed(3)} ms${ratio}`;
    })
    .join(', ');
}

const words = (text = ''): string[] => text.split(' ').filter((word) => word !== '');
const textsOf = (novel: CatalogueNovel): string[] => TEXTS.map((name) => novel[name] ?? '');

interface Answers {
  /** Milliseconds per search. */
  readonly times: readonly number[];
  readonly totals: readonly number[];
}

/** A pair of letters as a Latin word of fixed length. */
const code = (unit: number): string => unit.toString(36).padStart(4, '0');
const bigrams = (text: string): string =>
  Array.from({ length: text.length }, (_, at) =>
    /\s/u.test(text[at] ?? ' ') ? '' : `${code(text.charCodeAt(at))}${code(text.charCodeAt(at + 1) || 0)}`,
  ).join(' ');

function phraseOf(word: string): string {
  if (word.length === 1) return `${code(word.charCodeAt(0))}*`;
  return `"${bigrams(word).split(' ').slice(0, -1).join(' ')}"`;
}

/**
 * Loads both tables in one transaction each, without a journal. FTS5 collects 256 MB of new words before it writes
 * them.
 */
function loadSqlite(folder: string, novels: Iterable<CatalogueNovel>, timeout: number): void {
  const [points, texts] = [path.join(folder, 'points.tsv'), path.join(folder, 'texts.tsv')];
  const [pointRows, textRows] = [fs.openSync(points, 'w'), fs.openSync(texts, 'w')];
  let id = 0;
  for (const novel of novels) {
    fs.writeSync(pointRows, `${++id}\t${novel.global_point}\n`);
    // The rowid is the order of insertion.
    fs.writeSync(textRows, `${textsOf(novel).map(bigrams).join(' zz ')}\n`);
  }
  fs.closeSync(pointRows);
  fs.closeSync(textRows);
  const setUp = [
    'pragma journal_mode=off; pragma synchronous=off; pragma locking_mode=exclusive; pragma cache_size=-500000;',
    'create table novels(id integer primary key, points int);',
    "create virtual table texts using fts5(body, content='', detail=full);",
    "insert into texts(texts, rank) values('hashsize', 268435456);",
    `.mode tabs\n.import ${points} novels\n.import ${texts} texts`,
    "insert into texts(texts) values('optimize');",
  ];
  const input = setUp.join('\n');
  execFileSync('sqlite3', [path.join(folder, 'db')], {
    input,
    timeout,
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  fs.rmSync(texts);
}

function querySqlite(folder: string, queries: readonly NovelQuery[], timeout: number): Answers {
  const statements = queries.map(({ word, notword }) => {
    const wanted = words(word).map(phraseOf).join(' AND ');
    const match = words(notword).reduce((all, each) => `(${all}) NOT ${phraseOf(each)}`, wanted);
    const from = `from texts join novels on novels.id = texts.rowid where texts match '${match}'`;
    return `select count(*) ${from}; select texts.rowid ${from} order by points desc limit 20;`;
  });
  const lines = [
    'pragma cache_size=-2000000;',
    '.output /dev/null',
    ...statements,
    '.output stdout',
    '.timer on',
  ];
  const { stdout, stderr } = spawnSync('sqlite3', [path.join(folder, 'db')], {
    timeout,
    input: [...lines, ...statements].join('\n'),
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  if (stderr !== '') throw new Error(`sqlite3: ${stderr.slice(0, 500)}`);
  // Each statement prints the total, the ids of the page, and the time of both.
  const answers = [
    ...stdout.matchAll(/^(\d+)\n(?:\d+\n)*Run Time: real [\d.]+ user ([\d.]+) sys ([\d.]+)$/gm),
  ];
  return {
    times: answers.map(([, , user, system]) => (Number(user) + Number(system)) * 1000),
    totals: answers.map(([, total]) => Number(total)),
  };
}

function loadGroonga(folder: string, novels: Iterable<CatalogueNovel>, timeout: number): void {
  const columns = ['title', 'writer', 'keyword', 'story'];
  const load = path.join(folder, 'load.grn');
  const rows = fs.openSync(load, 'w');
  fs.writeSync(
    rows,
    [
      'table_create Novels TABLE_NO_KEY',
      'column_create Novels points COLUMN_SCALAR Int32',
      ...columns.map((name) => `column_create Novels ${name} COLUMN_SCALAR Text`),
      'table_create Terms TABLE_PAT_KEY ShortText --default_tokenizer TokenBigramSplitSymbolAlphaDigit',
      'load --table Novels\n[\n',
    ].join('\n'),
  );
  let isFirst = true;
  for (const { title, writer, keyword, story, global_point: points } of novels) {
    fs.writeSync(rows, `${isFirst ? '' : ',\n'}${JSON.stringify({ points, title, writer, keyword, story })}`);
    isFirst = false;
  }
  fs.writeSync(
    rows,
    `\n]\ncolumn_create Terms texts COLUMN_INDEX|WITH_POSITION|WITH_SECTION Novels ${columns.join(',')}\n`,
  );
  fs.closeSync(rows);
  const args = ['--file', load, '-n', path.join(folder, 'db')];
  execFileSync('groonga', args, { timeout, stdio: ['ignore', 'ignore', 'inherit'] });
  fs.rmSync(load);
}

function queryGroonga(folder: string, queries: readonly NovelQuery[], timeout: number): Answers {
  const quoted = (word: string): string => JSON.stringify(word).replaceAll("'", "\\'");
  const statements = queries.map(({ word, notword }) => {
    const has = (each: string): string => `Terms.texts @ ${quoted(each)}`;
    const wanted = words(word).map(has).join(' && ');
    const filter = words(notword).reduce((all, each) => `${all} &! ${has(each)}`, wanted);
    return `select Novels --cache no --limit 20 --sort_keys -points --output_columns _id --filter '${filter}'`;
  });
  const { stdout } = spawnSync('groonga', [path.join(folder, 'db')], {
    timeout,
    input: [...statements, ...statements].join('\n'),
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  const answers = stdout
    .split('\n')
    .filter((line) => line.startsWith('[['))
    .slice(queries.length)
    .map((line) => JSON.parse(line) as [[number, number, number], [[[number]]]?]);
  return {
    times: answers.map(([[, , elapsed]]) => elapsed * 1000),
    totals: answers.map(([, body]) => body?.[0][0][0] ?? -1),
  };
}

interface Peer {
  readonly name: string;
  readonly load: (folder: string, novels: Iterable<CatalogueNovel>, timeout: number) => void;
  readonly query: (folder: string, queries: readonly NovelQuery[], timeout: number) => Answers;
}

export const PEERS: Readonly<Record<string, Peer>> = {
  groonga: { name: 'Groonga', load: loadGroonga, query: queryGroonga },
  sqlite: { name: 'SQLite FTS5', load: loadSqlite, query: querySqlite },
};

/** Loads a peer unless the file `loaded` exists. */
function prepare(
  { name, load }: Peer,
  folder: string,
  novels: Iterable<CatalogueNovel>,
  timeout: number,
): void {
  const mark = path.join(folder, 'loaded');
  if (fs.existsSync(mark)) return;
  fs.rmSync(folder, { recursive: true, force: true });
  fs.mkdirSync(folder, { recursive: true });
  const from = performance.now();
  load(folder, novels, timeout);
  const took = `loaded in ${((performance.now() - from) / 60_000).toFixed(1)} minutes`;
  fs.writeFileSync(mark, took);
  console.log(`${name}: ${took}, including writing its texts`);
}

interface CommonSearch {
  readonly query: NovelQuery;
  readonly kinds: readonly string[];
}

/** Searches that all peers support. */
const commonSearches = (questions: readonly BenchQuestion[]): CommonSearch[] =>
  questions
    .filter(
      ({ kinds, query }) => kinds.includes('all texts') && !kinds.includes('with filters') && query.st === 1,
    )
    .map(({ kinds, query: { word, notword } }): CommonSearch => {
      return { kinds, query: { word, notword, order: 'hyoka', st: 1, lim: 20 } };
    })
    .filter(({ query: { word = '', notword = '' } }) => !/["'\\]/.test(word + notword))
    .slice(0, SEARCHES);

export interface PeersOptions {
  /** Keys of PEERS. */
  readonly names: readonly string[];
  /** Contains a folder per peer. */
  readonly folder: string;
  readonly novels: () => Iterable<CatalogueNovel>;
  readonly questions: readonly BenchQuestion[];
  readonly index: OpenIndex;
  /** Time limit of a peer, for loading and for searching. */
  readonly minutes: number;
}

const WHOLE = fieldSelector({});

/** Prints the durations of all peers, and the number of equal totals. */
export function comparePeers({ names, folder, novels, questions, index, minutes }: PeersOptions): void {
  const searches = commonSearches(questions);
  const queries = searches.map(({ query }) => query);
  const own = queries.map((query) => {
    const from = process.cpuUsage();
    const { total } = index.search(query, WHOLE);
    const { user, system } = process.cpuUsage(from);
    return { total, took: (user + system) / 1000 };
  });
  const ours = own.map(({ took }) => took);
  console.log(`${queries.length} common searches, by processor time: ours ${describeTimes(ours)}`);
  for (const key of names) {
    const peer = PEERS[key];
    if (peer === undefined) throw new Error(`no peer is called ${key}: ${Object.keys(PEERS).join(', ')}`);
    const target = path.join(folder, `peer-${key}`);
    try {
      prepare(peer, target, novels(), minutes * 60_000);
    } catch (error) {
      console.log(`${peer.name}: not loaded within ${minutes} minutes: ${String(error)}`);
      continue;
    }
    const { times, totals } = peer.query(target, queries, minutes * 60_000);
    const answered = times.slice(0, totals.length);
    const same = totals.filter((total, at) => total === own[at]?.total).length;
    const durations = describeTimes(answered, ours.slice(0, totals.length));
    console.log(`${peer.name}: ${durations}; ${totals.length} answered, ${same} totals the same`);
    for (const kind of [...new Set(searches.flatMap(({ kinds }) => kinds))].sort()) {
      const places = [...answered.keys()].filter((number) => searches[number]?.kinds.includes(kind));
      const [theirs, ofOurs] = [answered, ours].map((times) => places.map((number) => times[number] ?? 0));
      console.log(`  ${kind} (${places.length}): ${describeTimes(theirs ?? [], ofOurs)}`);
    }
  }
}
