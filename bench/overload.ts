/**
 * More cold requests than the upstream can serve. Measures the capacity, then sends five times as many for some
 * seconds, whether or not earlier ones are answered. Prints the admitted requests with their latencies, the rejected
 * ones, and the time until the service is back to normal.
 *
 *   npm run bench:overload [-- --seconds 10]
 */
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Agent, request } from 'undici';
import { createEmbeddedCatalogue } from '@mokuroku/narou/sample';
import { startNarouServer } from '../test/upstream/index.ts';
import { systemClock } from '@mokuroku/kit/process';
import { NODE, Programs, nodeVersion } from './programs.ts';

const { values: flags } = parseArgs({ options: { seconds: { type: 'string', default: '10' } } });
const seconds = Number(flags.seconds);

/** The upstream's latency: 8 connections then serve 160 requests per second. */
const UPSTREAM_LATENCY_MS = 50;

const percentile = (values: readonly number[], share: number): number => {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
};

const catalogue = createEmbeddedCatalogue({ clock: systemClock });
const upstream = await startNarouServer({
  catalogue,
  clock: systemClock,
  switches: { latencyMs: UPSTREAM_LATENCY_MS },
});
const programs = new Programs();
/** A client may have 500 connections, a network 1,000. */
const agents = [1, 2, 3, 4].map(
  (client) => new Agent({ connections: 450, localAddress: `127.0.${client}.1` }),
);
let serial = 0;

async function send(base: string): Promise<{ status: number; tookMs: number }> {
  const from = performance.now();
  const dispatcher = agents[++serial % agents.length];
  const response = await request(`${base}/v1/novels?lim=1&of=n&minlen=${serial}`, {
    ...(dispatcher && { dispatcher }),
  });
  await response.body.dump();
  return { status: response.statusCode, tookMs: performance.now() - from };
}

/** Sends requests at a constant rate, answered or not. */
async function arrive(base: string, perSecond: number, forSeconds: number) {
  const responses: Promise<{ status: number; tookMs: number }>[] = [];
  const from = performance.now();
  for (let elapsed = 0; elapsed < forSeconds * 1000; elapsed = performance.now() - from) {
    while (responses.length < (elapsed / 1000) * perSecond)
      responses.push(send(base).catch(() => ({ status: 0, tookMs: 0 })));
    await wait(5);
  }
  return Promise.all(responses);
}

function report(name: string, answers: readonly { status: number; tookMs: number }[]): void {
  const admitted = answers.filter(({ status }) => status === 200).map(({ tookMs }) => tookMs);
  const refused = answers.filter(({ status }) => status === 503).map(({ tookMs }) => tookMs);
  const rest = answers.length - admitted.length - refused.length;
  console.log(
    `${name.padEnd(22)} ${answers.length} sent, ${admitted.length} admitted (p50 ${percentile(admitted, 0.5).toFixed(0)} ms, p99 ${percentile(admitted, 0.99).toFixed(0)} ms), ` +
      `${refused.length} refused with 503 (p99 ${percentile(refused, 0.99).toFixed(0)} ms), ${rest} otherwise`,
  );
}

try {
  const { match } = await programs.startUntil(
    [NODE, 'packages/mokuroku/dist/cli.js', 'serve'],
    /catalogue\s+(http:\S+)/,
    {
      CATALOGUE_PORT: '0',
      REGISTRATION_PORT: '0',
      RATE_LIMIT: '0',
      LOG_LEVEL: 'error',
      CATALOGUE_SOURCE: 'narou',
      NAROU_BASE_URL: upstream.url,
    },
  );
  const base = match[1] ?? '';
  console.log(nodeVersion());
  const capacity = Math.floor(8 / (UPSTREAM_LATENCY_MS / 1000));
  report('half the capacity', await arrive(base, capacity / 2, 3));
  report('five times too many', await arrive(base, capacity * 5, seconds));
  const from = performance.now();
  let recovered = Number.NaN;
  while (performance.now() - from < 10_000) {
    const { status, tookMs } = await send(base);
    if (status === 200 && tookMs < UPSTREAM_LATENCY_MS * 4) {
      recovered = performance.now() - from;
      break;
    }
    await wait(50);
  }
  console.log(`well again after ${recovered.toFixed(0)} ms (target: under 5,000)`);
  report('half again', await arrive(base, capacity / 2, 3));
} finally {
  await Promise.all(agents.map((agent) => agent.destroy()));
  await programs.end();
  await upstream.close();
}
