/**
 * Processor time per text, beside three other parsers, on the same texts, in turn, in one run: of records, of denials and
 * of other answers.
 *
 * `npm run bench:registration-parse [-- FOLDER]`: FOLDER contains `<name>/corpus.jsonl` files (one JSON object per
 * line: `raw_base64`, `charset`, `domain`, `expected`). Accuracy is then printed too. Without FOLDER the project's
 * own fixtures are used: each special case once, most of them short.
 */
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildSync } from 'esbuild';
import { fixtureOf, fixturePaths, textOf } from '../packages/whois/test/whois-fixtures.ts';
import type { parseWhoisText } from '../packages/whois/src/whois/parsers/parse-whois-text.ts';
import { accuracy, contradictions } from './registration-accuracy.ts';
import type { Fields } from './registration-labels.ts';

interface Sample {
  text: string;
  domain: string;
  tld: string;
  /** As the collection calls it: `registered`, `available` or another. */
  status: string;
  expected: Partial<Fields>;
}

type Read = Partial<Record<keyof Fields, unknown>>;

interface Parser {
  name: string;
  parse: (sample: Sample) => unknown;
  read: (sample: Sample) => Read;
}

function parser<Result>(
  name: string,
  parse: (sample: Sample) => Result,
  fields: (result: Result) => Read,
): Parser {
  return { name, parse, read: (sample) => fields(parse(sample)) };
}

const ROUNDS = 8;
const WARM_UP = 2;
const TURN_US = 500_000;

const require = createRequire(import.meta.url);
const folder = process.argv[2] ?? process.env['REGISTRATION_CORPUS'];

function fixtures(): Sample[] {
  return fixturePaths().map((path) => {
    const { domain, expected } = fixtureOf(path);
    const status = expected.state === 'not_registered' ? 'available' : expected.state;
    return sample(textOf(path), { domain, status, expected: {} });
  });
}

function corpus(root: string): Sample[] {
  return readdirSync(root).flatMap((name) =>
    readFileSync(join(root, name, 'corpus.jsonl'), 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => {
        const row = JSON.parse(line) as Labelled & Record<'raw_base64' | 'charset', string | null>;
        const bytes = Buffer.from(row.raw_base64 ?? '', 'base64');
        return sample(new TextDecoder(row.charset ?? 'utf-8').decode(bytes), row);
      }),
  );
}

interface Labelled {
  domain: string | null;
  tld?: string | null;
  status: string;
  expected: Partial<Fields>;
}

function sample(text: string, { domain, tld, status, expected }: Labelled): Sample {
  const name = domain ?? 'example.com';
  return { text, domain: name, tld: tld ?? name.slice(name.lastIndexOf('.') + 1), status, expected };
}

/** Our parser as shipped: bundled. */
async function ours(): Promise<Parser> {
  const outfile = join(mkdtempSync(join(tmpdir(), 'mokuroku-bench-')), 'parser.mjs');
  const entry = new URL('../packages/whois/src/whois/parsers/parse-whois-text.ts', import.meta.url).pathname;
  buildSync({ entryPoints: [entry], bundle: true, platform: 'node', format: 'esm', outfile });
  const module = (await import(pathToFileURL(outfile).href)) as { parseWhoisText: typeof parseWhoisText };
  return parser(
    'mokuroku',
    ({ text }) => module.parseWhoisText(text),
    ({ parsed }) => ({ ...parsed }),
  );
}

function whoiser(): Parser {
  const { parseDomainWhois } = require('whoiser/src/parsers.js') as {
    parseDomainWhois: (domain: string, text: string) => Record<string, unknown>;
  };
  return parser(
    'whoiser 1.18.0',
    ({ domain, text }) => parseDomainWhois(domain, text),
    (result) => ({
      domainName: result['Domain Name'],
      registrar: result['Registrar'],
      creationDate: result['Created Date'],
      expirationDate: result['Expiry Date'],
      updatedDate: result['Updated Date'],
      nameServers: result['Name Server'],
      status: result['Domain Status'],
    }),
  );
}

function whoisJson(): Parser {
  const parseRawData = require('whois-json/parse-raw-data.js') as (text: string) => Record<string, string>;
  return parser(
    'whois-json 2.1.0',
    ({ text }) => parseRawData(text),
    (result) => ({
      domainName: result['domainName'] ?? result['domain'],
      registrar: result['registrar'] ?? result['sponsoringRegistrar'] ?? result['registrarName'],
      creationDate: result['creationDate'] ?? result['created'] ?? result['createdOn'],
      expirationDate: result['registryExpiryDate'] ?? result['expirationDate'] ?? result['expires'],
      updatedDate: result['updatedDate'] ?? result['lastUpdatedOn'] ?? result['changed'],
      nameServers: (result['nameServer'] ?? result['nserver'])?.split(' '),
      status: (result['domainStatus'] ?? result['status'])
        ?.split(' ')
        .filter((word) => !word.includes('http')),
    }),
  );
}

interface RdapperRecord {
  registrar?: { name?: string };
  creationDate?: string;
  expirationDate?: string;
  updatedDate?: string;
  nameservers?: { host: string }[];
  statuses?: { status: string }[];
}

/** rdapper exports only its look-up, so a copy of its module gets one more export. */
async function rdapper(): Promise<Parser> {
  const source = require.resolve('rdapper');
  const copy = source.replace(/[^/\\]+$/, 'measured.mjs');
  writeFileSync(copy, `${readFileSync(source, 'utf8')}\nexport { normalizeWhois };\n`);
  const { normalizeWhois } = (await import(pathToFileURL(copy).href)) as {
    normalizeWhois: (domain: string, tld: string, text: string, server: string) => RdapperRecord;
  };
  return parser(
    'rdapper 0.16.4',
    ({ domain, tld, text }) => normalizeWhois(domain, tld, text, 'whois.example'),
    (result) => ({
      // The name in its result is the queried one.
      domainName: null,
      registrar: result.registrar?.name,
      creationDate: result.creationDate,
      expirationDate: result.expirationDate,
      updatedDate: result.updatedDate,
      nameServers: result.nameservers?.map(({ host }) => host),
      status: result.statuses?.map(({ status }) => status),
    }),
  );
}

/** Microseconds of processor time per text, in one turn. */
function turn(parser: Parser, samples: Sample[]): number {
  const before = process.cpuUsage();
  let texts = 0;
  for (;;) {
    for (const item of samples) parser.parse(item);
    texts += samples.length;
    const { user, system } = process.cpuUsage(before);
    if (user + system >= TURN_US) return (user + system) / texts;
  }
}

const median = (numbers: number[]): number => numbers.sort((a, b) => a - b)[numbers.length >> 1] ?? 0;

function measure(title: string, samples: Sample[], parsers: Parser[]): void {
  const times = new Map(parsers.map((one) => [one, [] as number[]]));
  for (let round = 0; round < ROUNDS + WARM_UP; round++) {
    for (const one of parsers) {
      const time = turn(one, samples);
      if (round >= WARM_UP) times.get(one)?.push(time);
    }
  }
  const medians = parsers.map((one) => median(times.get(one) ?? []));
  const [own = 0] = medians;
  const characters = samples.reduce((sum, { text }) => sum + text.length, 0) / samples.length;
  console.log(`${title}: ${samples.length} texts of ${Math.round(characters)} characters on average`);
  for (const [index, { name }] of parsers.entries()) {
    const time = medians[index] ?? 0;
    const ratio = (time / own).toFixed(2);
    console.log(
      `  ${name.padEnd(18)} ${time.toFixed(1).padStart(7)} us of processor time a text, ${ratio} of ours`,
    );
  }
}

const parsers = [await ours(), whoiser(), whoisJson(), await rdapper()];
const samples = folder === undefined ? fixtures() : corpus(folder);
const withStatus = (wanted: string) => samples.filter(({ status }) => status === wanted);
measure('records', withStatus('registered'), parsers);
measure('denials', withStatus('available'), parsers);
measure('other answers', samples.filter(({ status }) => status !== 'registered' && status !== 'available'), parsers); // prettier-ignore
if (folder !== undefined) {
  for (const [index, { name, read }] of parsers.entries()) {
    const rows = samples.map((item) => ({ ...item, got: read(item) }));
    console.log(`  ${name}\n${accuracy(rows)}`);
    if (index === 0) console.log(`  labels that contradict their texts\n${contradictions(rows)}`);
  }
}
