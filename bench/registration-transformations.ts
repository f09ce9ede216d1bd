/**
 * The share of WHOIS answers whose parse result survives a change of form that keeps the meaning.
 *
 * `npm run check:transformations [-- FOLDER]`, or REGISTRATION_CORPUS: FOLDER contains `<name>/corpus.jsonl` files
 * (one JSON object per line: `id`, `raw_base64`, `charset`, `domain`). Without FOLDER the project's own fixtures are
 * used. `SHOW=<change>` lists the answers with another result. `less` is state `broken` with empty fields; `other`
 * (another value) and `no` (a free name) are faults.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseWhoisText } from '../packages/whois/src/whois/parsers/parse-whois-text.ts';
import { outcomeOf, TRANSFORMATIONS, type Outcome } from '../packages/whois/test/whois-transformations.ts';

interface Sample {
  id: string;
  text: string;
  domain: string | null;
}

const folder = process.argv[2] ?? process.env['REGISTRATION_CORPUS'];
const samples = folder === undefined ? fixtures() : corpus(folder);

function fixtures(): Sample[] {
  const root = new URL('../packages/whois/fixtures/whois/', import.meta.url);
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.txt'))
    .map((path) => {
      const { domain } = JSON.parse(
        readFileSync(new URL(path.replace(/txt$/, 'json'), root), 'utf8'),
      ) as Sample;
      return { id: path, domain, text: readFileSync(new URL(path, root), 'utf8') };
    });
}

function corpus(root: string): Sample[] {
  return readdirSync(root).flatMap((name) =>
    readFileSync(join(root, name, 'corpus.jsonl'), 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => {
        const row = JSON.parse(line) as Record<'id' | 'raw_base64' | 'charset' | 'domain', string | null>;
        const bytes = Buffer.from(row.raw_base64 ?? '', 'base64');
        const text = new TextDecoder(row.charset ?? 'utf-8').decode(bytes);
        return { id: row.id ?? '', text, domain: row.domain };
      }),
  );
}

const read = samples.map((sample) => {
  const reading = parseWhoisText(sample.text, sample);
  return { ...sample, reading, domain: sample.domain ?? reading.parsed.domainName };
});
const records = read.filter(({ domain, reading }) => {
  return domain !== null && reading.state === 'registered' && reading.parsed.domainName === domain;
});
console.log(`${read.length} answers, ${records.length} of them records of the name asked for`);
console.log(`${' '.repeat(25)}same   less  other     no`);
for (const [name, change] of Object.entries(TRANSFORMATIONS)) {
  const counts: Record<Outcome, number> = { same: 0, less: 0, other: 0, no: 0 };
  const changed = name.startsWith('another') ? records : read;
  for (const [at, { id, text, domain }] of changed.entries()) {
    const behind = records[(at * 7 + 3) % records.length];
    const other = behind === undefined || behind.domain === domain ? '' : behind.text;
    const before = parseWhoisText(text, { domain });
    const after = parseWhoisText(change({ text, domain, other }), { domain });
    const outcome = outcomeOf(before, after, domain ?? '');
    counts[outcome]++;
    if (process.env['SHOW'] === name && outcome !== 'same') {
      console.log(outcome, id, JSON.stringify(before), '->', JSON.stringify(after));
    }
  }
  const numbers = Object.values(counts).map((count) => String(count).padStart(6));
  console.log(`${name.padEnd(22)} ${numbers.join(' ')}`);
}
