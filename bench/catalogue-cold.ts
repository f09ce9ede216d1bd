/**
 * The time that a cache miss adds to the upstream's own. The same upstream request is sent directly by undici and
 * through the service, in turn. The upstream sends prepared bytes, so that almost only the service is measured.
 *
 * The upstream shares the service's core; the client has the other. Both requests then wake the same core: on a
 * machine with two cores that alone makes a fifth of a millisecond.
 *
 *   npm run bench:catalogue-cold [-- --rounds 2000]
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Pool } from 'undici';
import { startNarouServer } from '../test/upstream/index.ts';
import { createEmbeddedCatalogue } from '@mokuroku/narou/sample';
import { systemClock } from '@mokuroku/kit/process';
import { NODE, Programs, median, moveToCore, nodeVersion, onServerCore } from './programs.ts';

const { values: flags } = parseArgs({ options: { rounds: { type: 'string', default: '2000' } } });
const rounds = Number(flags.rounds);
/** Measure a running service, not a starting one: V8 compiles the last of its code after some 3,000 requests. */
const WARM_UP = 3_000;
const LIMS = ['20', '500'];
/** Share of large responses, which take ten times as long. */
const SHARE_OF_LARGE = 0.25;

async function timed(pool: Pool, path: string): Promise<{ ms: number; bytes: number }> {
  const started = performance.now();
  const { statusCode, body } = await pool.request({
    path,
    method: 'GET',
    headers: { 'user-agent': 'bench' },
  });
  const bytes = (await body.arrayBuffer()).byteLength;
  if (statusCode !== 200) throw new Error(`${path} answered ${statusCode}`);
  return { ms: performance.now() - started, bytes };
}

/** Upstream responses as files: gzip files of `lim` records with all fields. */
async function recordBodies(folder: string): Promise<string[]> {
  const catalogue = createEmbeddedCatalogue({ clock: systemClock });
  const upstream = await startNarouServer({ catalogue, clock: systemClock });
  const pool = new Pool(upstream.url);
  const pairs: string[] = [];
  for (const lim of LIMS) {
    const path = `/novelapi/api/?out=json&gzip=5&lim=${lim}&order=hyoka`;
    const { body } = await pool.request({ path, method: 'GET', headers: { 'user-agent': 'bench' } });
    const file = join(folder, `${lim}.json.gz`);
    writeFileSync(file, Buffer.from(await body.arrayBuffer()));
    pairs.push(lim, file);
  }
  await pool.destroy();
  await upstream.close();
  return pairs;
}

function percentile(values: readonly number[], share: number): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length * share)] ?? Number.NaN;
}

const programs = new Programs();
const folder = mkdtempSync(join(tmpdir(), 'mokuroku-bench-'));
try {
  const pairs = await recordBodies(folder);
  const { match: upstream } = await programs.startUntil(
    [...onServerCore, NODE, join(import.meta.dirname, 'fixed-upstream.mjs'), ...pairs],
    /http:\/\/127\.0\.0\.1:\d+/,
  );
  const { match: service } = await programs.startUntil(
    [...onServerCore, NODE, 'packages/mokuroku/dist/cli.js', 'serve', '--live'],
    /catalogue\S*\s+(http:\/\/127\.0\.0\.1:\d+)/i,
    { CATALOGUE_PORT: '0', REGISTRATION_PORT: '0', RATE_LIMIT: '0', NAROU_BASE_URL: upstream[0] },
  );
  const bare = new Pool(upstream[0], { connections: 1 });
  const through = new Pool(service[1] ?? '', { connections: 1 });
  moveToCore(process.pid, 1);
  console.log(`${nodeVersion()}: a cache miss beside the bare upstream request, in turn, milliseconds`);
  for (const lim of LIMS) {
    const share = lim === '500' ? SHARE_OF_LARGE : 1;
    const times = Math.ceil(rounds * share);
    const stats = { bare: [] as number[], through: [] as number[] };
    let sent = 0;
    let received = 0;
    for (let i = -WARM_UP * share; i < times; i++) {
      const one = await timed(bare, `/novelapi/api/?out=json&gzip=5&lim=${lim}&order=hyoka&word=w${i}`);
      const other = await timed(through, `/v1/novels?lim=${lim}&order=hyoka&word=w${i}`);
      if (i < 0) continue;
      stats.bare.push(one.ms);
      stats.through.push(other.ms);
      sent = one.bytes;
      received = other.bytes;
    }
    const added = median(stats.through) - median(stats.bare);
    console.log(
      `${lim.padStart(3)} novels, ${times} times: bare ${median(stats.bare).toFixed(2)}, through the service ${median(stats.through).toFixed(2)}, ` +
        `added ${added.toFixed(2)} (90th percentiles ${percentile(stats.bare, 0.9).toFixed(2)} and ${percentile(stats.through, 0.9).toFixed(2)}; ` +
        `${sent} bytes packed, ${received} bytes out)`,
    );
  }
  await bare.destroy();
  await through.destroy();
} finally {
  await programs.end();
  rmSync(folder, { recursive: true, force: true });
}
