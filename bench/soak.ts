/**
 * Ten minutes of mixed traffic to both services: cached, cold, compressed, conditional, invalid and aborted requests.
 * Prints the memory over time and its growth per minute in the second half.
 *
 *   npm run bench:soak [-- --minutes 10]
 */
import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Agent, request } from 'undici';
import { NODE, Programs, nodeVersion } from './programs.ts';

const { values: flags } = parseArgs({ options: { minutes: { type: 'string', default: '10' } } });
const minutes = Number(flags.minutes);
const CLIENTS = 8;

function residentMegabytes(pid: number): number {
  const match = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return Number(match?.[1] ?? 0) / 1024;
}

/** Growth per minute by linear regression over (minute, MiB). */
function slope(points: readonly (readonly [number, number])[]): number {
  const n = points.length;
  const meanX = points.reduce((sum, [x]) => sum + x, 0) / n;
  const meanY = points.reduce((sum, [, y]) => sum + y, 0) / n;
  const over = points.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0);
  return over / points.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0);
}

const programs = new Programs();
const agent = new Agent({ connections: CLIENTS });
try {
  const { child, match } = await programs.startUntil(
    [NODE, 'packages/mokuroku/dist/cli.js', 'serve'],
    /catalogue\s+(http:\S+)[^]*registration\s+(http:\S+)/,
    { CATALOGUE_PORT: '0', REGISTRATION_PORT: '0', RATE_LIMIT: '0', LOG_LEVEL: 'error' },
  );
  const [, catalogue = '', registration = ''] = match;
  console.log(nodeVersion());
  const kinds: ((i: number) => [string, Record<string, string>])[] = [
    () => [`${catalogue}/v1/novels?lim=20`, {}],
    () => [`${catalogue}/v1/rankings/daily/hydrated?of=t-w`, { 'accept-encoding': 'br' }],
    (i) => [`${catalogue}/v1/novels?lim=20&st=${(i % 1_900) + 1}`, { 'accept-encoding': 'gzip' }],
    (i) => [`${catalogue}/v1/novels?lim=5&minlen=${i}`, {}],
    () => [`${catalogue}/v1/meta/genres`, { 'if-none-match': '*' }],
    (i) => [`${catalogue}/v1/novels?lim=${i}x`, {}],
    () => [`${registration}/example.com`, {}],
    (i) => [`${registration}/free-${i % 50}.com`, {}],
  ];
  let answered = 0;
  let failed = 0;
  const until = Date.now() + minutes * 60_000;
  const client = async (seed: number) => {
    for (let i = seed; Date.now() < until; i += CLIENTS) {
      const [url, headers] = kinds[i % kinds.length]?.(i) ?? ['', {}];
      try {
        const signal = i % 97 === 0 ? AbortSignal.timeout(1) : null;
        const response = await request(url, { headers, dispatcher: agent, signal });
        await response.body.dump();
        answered++;
      } catch {
        failed++;
      }
      await wait(2);
    }
  };
  const clients = Promise.all(Array.from({ length: CLIENTS }, (_, seed) => client(seed)));
  const points: [number, number][] = [];
  const from = Date.now();
  while (Date.now() < until) {
    await wait(Math.min(15_000, Math.max(1, until - Date.now())));
    const minute = (Date.now() - from) / 60_000;
    const megabytes = residentMegabytes(child.pid ?? 0);
    points.push([minute, megabytes]);
    console.log(
      `${minute.toFixed(2).padStart(6)} min  ${megabytes.toFixed(1).padStart(7)} MiB  ${answered} answered, ${failed} broken off`,
    );
  }
  await clients;
  const half = points.filter(([minute]) => minute >= minutes / 2);
  console.log(`growth over the second half: ${slope(half).toFixed(2)} MiB a minute (target: under 1)`);
} finally {
  await agent.close();
  await programs.end();
}
