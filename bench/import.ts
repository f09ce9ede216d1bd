/**
 * Processor time of an import of the look-up's library, in turn with two peers: `npm run bench:import [-- --rounds 21]`.
 * Exits with 1 if ours takes 60 ms or more.
 */
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { parseArgs } from 'node:util';

const root = path.dirname(import.meta.dirname);
const MAX_MS = 60;

/** What is imported, from which folder. */
const CONTENDERS = {
  'mokuroku-whois': ['./index.mjs', path.join(root, 'node_modules/.cache/mokuroku/import')],
  rdapper: ['rdapper', import.meta.dirname],
  whoiser: ['whoiser', import.meta.dirname],
} as const;

/** User and system time in milliseconds, in a process of its own. */
function measure([specifier, cwd]: readonly [string, string]): number {
  const script = `
    const before = process.cpuUsage();
    await import(${JSON.stringify(specifier)});
    const { user, system } = process.cpuUsage(before);
    console.log((user + system) / 1000);
  `;
  return Number(execFileSync(process.execPath, ['--input-type=module', '-e', script], { cwd }));
}

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '21' } } });
const names = Object.keys(CONTENDERS) as (keyof typeof CONTENDERS)[];
const times = new Map(names.map((name) => [name, [] as number[]]));
for (let round = 0; round < Number(values.rounds); round++) {
  for (const name of names) times.get(name)?.push(measure(CONTENDERS[name]));
}
const medianOf = (all: readonly number[]) => all.toSorted((a, b) => a - b)[all.length >> 1] ?? Number.NaN;
for (const [name, all] of times) {
  console.log(`${name.padEnd(16)} ${medianOf(all).toFixed(1)} ms (best ${Math.min(...all).toFixed(1)})`);
}
if (!(medianOf(times.get('mokuroku-whois') ?? []) < MAX_MS)) process.exitCode = 1;
