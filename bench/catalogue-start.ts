/**
 * Time from process start to the first response, and memory at rest: `node packages/mokuroku/dist/cli.js serve` on the sample, both
 * services.
 *
 *   npm run bench:catalogue-start [-- --rounds 7]
 */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { request } from 'undici';
import { NODE, Programs, median, nodeVersion } from './programs.ts';

const { values: flags } = parseArgs({ options: { rounds: { type: 'string', default: '7' } } });
const REST_MS = 3_000;

function residentMegabytes(pid: number): number {
  const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kilobytes) / 1024;
}

async function measureOne(): Promise<{ ms: number; megabytes: number }> {
  const programs = new Programs();
  try {
    const started = performance.now();
    const { child, match } = await programs.startUntil(
      [NODE, '--max-semi-space-size=4', 'packages/mokuroku/dist/cli.js', 'serve'],
      /catalogue\S*\s+(http:\/\/127\.0\.0\.1:\d+)/i,
      { CATALOGUE_PORT: '0', REGISTRATION_PORT: '0', LOG_LEVEL: 'warn' },
    );
    const { statusCode, body } = await request(`${match[1] ?? ''}/v1/novels`);
    await body.dump();
    if (statusCode !== 200) throw new Error(`the first answer was ${statusCode}`);
    const ms = performance.now() - started;
    await new Promise((resolve) => setTimeout(resolve, REST_MS));
    return { ms, megabytes: residentMegabytes(child.pid ?? 0) };
  } finally {
    await programs.end();
  }
}

const stats = [];
for (let round = 0; round < Number(flags.rounds); round++) stats.push(await measureOne());
const times = stats.map(({ ms }) => ms);
const memory = stats.map(({ megabytes }) => megabytes);
console.log(
  `${nodeVersion()}: start to first answer: median ${median(times).toFixed(0)} ms (${Math.min(...times).toFixed(0)}-${Math.max(...times).toFixed(0)})`,
);
console.log(
  `memory at rest, both services: median ${median(memory).toFixed(0)} MB (most ${Math.max(...memory).toFixed(0)})`,
);
