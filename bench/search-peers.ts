/**
 * The same questions to others: Groonga (the `groonga` program, bigrams of everything) and SQLite FTS5 (the `sqlite3`
 * program; bigrams written as words, a word of one letter as the beginning of one). Both are timed by themselves, within
 * their process and with all their data just loaded, so that neither pays for a pipe. Of the questions those are taken
 * that both can be asked: all texts, no filters, the first page.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import type { CatalogueNovel } from '../src/catalogue/index/catalogue-novel.ts';
import type { OpenIndex } from '../src/catalogue/index/engine/open-index.ts';
import type { NovelQuery } from '../src/catalogue/novels/novel-query.ts';
import type { BenchQuestion } from './search-questions.ts';

const ASKED = 200;

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

const words = (text = ''): string[] => text.split(' ').filter((word) => word !== '');
const textsOf = ({ title, writer, keyword, story }: CatalogueNovel): string[] => [
  title,
  writer,
  keyword,
  story,
];

interface Peer {
  /** Median milliseconds, and the totals it found. */
  readonly times: readonly number[];
  readonly totals: readonly number[];
}

/** A letter pair as a word of Latin letters, of the same length for all. */
const code = (unit: number): string => unit.toString(36).padStart(4, '0');
const bigrams = (text: string): string =>
  Array.from({ length: text.length }, (_, at) =>
    /\s/u.test(text[at] ?? ' ') ? '' : `${code(text.charCodeAt(at))}${code(text.charCodeAt(at + 1) || 0)}`,
  ).join(' ');

function phraseOf(word: string): string {
  if (word.length === 1) return `${code(word.charCodeAt(0))}*`;
  return `"${bigrams(word).split(' ').slice(0, -1).join(' ')}"`;
}

function askSqlite(folder: string, novels: Iterable<CatalogueNovel>, queries: readonly NovelQuery[]): Peer {
  const file = path.join(folder, 'peers.sqlite');
  const load = path.join(folder, 'peers.tsv');
  const rows = fs.openSync(load, 'w');
  let id = 0;
  for (const novel of novels) {
    fs.writeSync(rows, `${++id}\t${novel.global_point}\t${textsOf(novel).map(bigrams).join(' zz ')}\n`);
  }
  fs.closeSync(rows);
  const setUp = [
    'pragma journal_mode=off; pragma synchronous=off; create table raw(id integer primary key, points int, body text);',
    `.mode tabs\n.import ${load} raw`,
    "create virtual table texts using fts5(body, content='', detail=full);",
    'insert into texts(rowid, body) select id, body from raw;',
    "insert into texts(texts) values('optimize');",
    'create table novels(id integer primary key, points int); insert into novels select id, points from raw; drop table raw;',
  ];
  execFileSync('sqlite3', [file], { input: setUp.join('\n'), stdio: ['pipe', 'ignore', 'inherit'] });
  const statements = queries.map(({ word, notword }) => {
    const wanted = words(word).map(phraseOf).join(' AND ');
    const match = words(notword).reduce((all, each) => `(${all}) NOT ${phraseOf(each)}`, wanted);
    const from = `from texts join novels on novels.id = texts.rowid where texts match '${match}'`;
    return `select count(*) ${from}; select rowid ${from} order by points desc limit 20;`;
  });
  const asked = [
    'pragma cache_size=-2000000;',
    '.output /dev/null',
    ...statements,
    '.output stdout',
    '.timer on',
  ];
  const { stdout } = spawnSync('sqlite3', [file], {
    input: [...asked, ...statements].join('\n'),
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  const times = [...stdout.matchAll(/Run Time: real [\d.]+ user ([\d.]+) sys ([\d.]+)/g)].map(
    ([, user, system]) => (Number(user) + Number(system)) * 1000,
  );
  const totals = stdout
    .split('\n')
    .filter(
      (line, place, all) =>
        /^\d+$/.test(line) &&
        (place === 0 || /Run Time/.test(all[place - 1] ?? '')) &&
        /Run Time/.test(all[place + 1] ?? ''),
    );
  return {
    times: queries.map((_, place) => (times[place * 2] ?? 0) + (times[place * 2 + 1] ?? 0)),
    totals: totals.map(Number),
  };
}

function askGroonga(folder: string, novels: Iterable<CatalogueNovel>, queries: readonly NovelQuery[]): Peer {
  const file = path.join(folder, 'peers.groonga');
  const columns = ['title', 'writer', 'keyword', 'story'];
  const load = path.join(folder, 'peers.grn');
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
  execFileSync('groonga', ['--file', load, '-n', file], { stdio: ['ignore', 'ignore', 'inherit'] });
  const quoted = (word: string): string => JSON.stringify(word).replaceAll("'", "\\'");
  const statements = queries.map(({ word, notword }) => {
    const has = (each: string): string => `Terms.texts @ ${quoted(each)}`;
    const wanted = words(word).map(has).join(' && ');
    const filter = words(notword).reduce((all, each) => `${all} &! ${has(each)}`, wanted);
    return `select Novels --cache no --limit 20 --sort_keys -points --output_columns _id --filter '${filter}'`;
  });
  const { stdout } = spawnSync('groonga', [file], {
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

/** Prints the medians of the three, and how often the totals are the same. */
export function comparePeers(
  folder: string,
  novels: () => Iterable<CatalogueNovel>,
  questions: readonly BenchQuestion[],
  index: OpenIndex,
): void {
  const queries = questions
    .filter(
      ({ kinds, query }) => kinds.includes('all texts') && !kinds.includes('with filters') && query.st === 1,
    )
    .map(({ query }): NovelQuery => ({
      word: query.word,
      notword: query.notword,
      order: 'hyoka',
      st: 1,
      lim: 20,
    }))
    .filter(({ word = '', notword = '' }) => !/["'\\]/.test(word + notword))
    .slice(0, ASKED);
  const own = queries.map((query) => {
    const from = process.cpuUsage();
    const { total } = index.searchJson(query);
    const { user, system } = process.cpuUsage(from);
    return { total, took: (user + system) / 1000 };
  });
  const ours = median(own.map(({ took }) => took));
  console.log(`${queries.length} questions to all: median of ours ${ours.toFixed(3)} ms (processor)`);
  for (const [name, ask] of [
    ['SQLite FTS5', askSqlite],
    ['Groonga', askGroonga],
  ] as const) {
    const { times, totals } = ask(folder, novels(), queries);
    const same = totals.filter((total, place) => total === own[place]?.total).length;
    const theirs = median(times);
    console.log(
      `${name}: median ${theirs.toFixed(2)} ms, ${Math.round(theirs / ours)} times ours; ${same} totals the same`,
    );
  }
}
