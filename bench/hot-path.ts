/**
 * A cache hit beside the best possible: raw node:http writing the same bytes, and nginx proxy_cache and Varnish in
 * front of the same service. All in turn, in one run, each server alone on one core; medians.
 *
 *   npm run bench:hot-path [-- --seconds 3 --rounds 5]      Debian packages: wrk nginx-light varnish
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { request } from 'undici';
import {
  NODE,
  Programs,
  freePort,
  isInstalled,
  median,
  nodeVersion,
  onServerCore,
  processorSeconds,
  wrk,
} from './programs.ts';

const { values: flags } = parseArgs({
  options: {
    seconds: { type: 'string', default: '3' },
    rounds: { type: 'string', default: '5' },
    connections: { type: 'string', default: '64' },
  },
});
const seconds = Number(flags.seconds);
const rounds = Number(flags.rounds);
const connections = Number(flags.connections);

interface Contender {
  name: string;
  url: string;
  headers?: Record<string, string>;
  /** The server by whose rate this one's is divided. */
  against: string;
  rates: number[];
  /**
   * Its process, if it is a single one: other work on the machine changes its rate, but not its processor time per
   * request.
   */
  pid?: number | undefined;
  /** Processor time per request, in microseconds. */
  costs: number[];
}

interface Raw {
  url: string;
  pid: number | undefined;
}

async function fetchText(url: string, headers: Record<string, string> = {}) {
  // A new connection: while wrk runs, this process cannot notice that an idle one was closed.
  const response = await request(url, { headers, reset: true });
  return { headers: response.headers, bytes: Buffer.from(await response.body.arrayBuffer()) };
}

/** Waits until the service sends this encoding: the first request triggers compression in the background. */
async function warm(url: string, encoding: string): Promise<void> {
  for (let i = 0; i < 500; i++) {
    const { headers } = await fetchText(url, { 'accept-encoding': encoding });
    if (headers['content-encoding'] === encoding) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error(`${url} never came as ${encoding}`);
}

async function startRaw(
  programs: Programs,
  folder: string,
  name: string,
  bytes: Buffer,
  encoding = '',
): Promise<Raw> {
  const file = join(folder, name);
  writeFileSync(file, bytes);
  const { match, child } = await programs.startUntil(
    [...onServerCore, NODE, join(import.meta.dirname, 'raw-server.mjs'), file, encoding],
    /http:\/\/127\.0\.0\.1:\d+/,
  );
  return { url: match[0], pid: child.pid };
}

async function startNginx(programs: Programs, folder: string, upstream: string): Promise<string> {
  const port = await freePort();
  const root = join(folder, 'nginx');
  mkdirSync(join(root, 'cache'), { recursive: true });
  writeFileSync(
    join(root, 'nginx.conf'),
    `daemon off; ${process.getuid?.() === 0 ? 'user root;' : ''} worker_processes 1; pid ${root}/pid; error_log stderr crit;
events { worker_connections 1024; }
http {
  access_log off; client_body_temp_path ${root}/body; proxy_temp_path ${root}/proxy;
  fastcgi_temp_path ${root}/f; uwsgi_temp_path ${root}/u; scgi_temp_path ${root}/s;
  keepalive_requests 100000000;
  proxy_cache_path ${root}/cache keys_zone=api:10m;
  server {
    listen 127.0.0.1:${port};
    location / { proxy_pass ${upstream}; proxy_cache api; proxy_cache_valid 200 10m; }
  }
}\n`,
  );
  programs.start([...onServerCore, 'nginx', '-p', root, '-c', join(root, 'nginx.conf')]);
  return `http://127.0.0.1:${port}`;
}

async function startVarnish(programs: Programs, folder: string, upstream: string): Promise<string> {
  const port = await freePort();
  const backend = new URL(upstream).host;
  programs.start([
    ...onServerCore,
    ...[
      'varnishd',
      '-j',
      'none',
      '-F',
      '-n',
      join(folder, 'varnish'),
      '-a',
      `127.0.0.1:${port}`,
      '-b',
      backend,
    ],
    // Without this, Varnish caches gzip only and unpacks it for every client that requests plain text.
    ...['-s', 'malloc,128m', '-p', 'http_gzip_support=off'],
  ]);
  return `http://127.0.0.1:${port}`;
}

async function whenUp(base: string, path: string): Promise<void> {
  for (let i = 0; i < 100; i++) {
    try {
      if ((await request(base + path, { reset: true })).statusCode === 200) return;
    } catch {
      // Not listening yet.
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`${base} did not start`);
}

async function contendersFor(
  programs: Programs,
  folder: string,
  service: Raw,
  proxies: Record<string, string>,
  path: string,
): Promise<{ bytes: number; contenders: Contender[] }> {
  await fetchText(service.url + path);
  const { bytes, headers } = await fetchText(service.url + path);
  await warm(service.url + path, 'gzip');
  await warm(service.url + path, 'br');
  const br = brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } });
  const stem = String(bytes.length);
  const rawPlain = await startRaw(programs, folder, `${stem}.json`, bytes);
  const rawGzip = await startRaw(programs, folder, `${stem}.gz`, gzipSync(bytes), 'gzip');
  const rawBr = await startRaw(programs, folder, `${stem}.br`, br, 'br');
  const contenders: Contender[] = [];
  const raws: [string, Raw][] = [
    ['plain', rawPlain],
    ['gzip', rawGzip],
    ['br', rawBr],
  ];
  const ours = { url: service.url + path, pid: service.pid };
  for (const [form, raw] of raws) {
    const against = `raw node:http, ${form}`;
    const wanted = form === 'plain' ? {} : { 'Accept-Encoding': form };
    contenders.push({ name: against, ...raw, against, rates: [], costs: [] });
    contenders.push({ name: `mokuroku, ${form}`, ...ours, headers: wanted, against, rates: [], costs: [] });
  }
  contenders.push({
    name: 'mokuroku, 304',
    ...ours,
    headers: { 'If-None-Match': String(headers['etag']) },
    against: 'raw node:http, plain',
    rates: [],
    costs: [],
  });
  for (const [name, base] of Object.entries(proxies)) {
    await whenUp(base, path);
    await warm(base + path, 'gzip');
    const url = base + path;
    const headers = { 'Accept-Encoding': 'gzip' };
    contenders.push({ name: `${name}, plain`, url, against: 'raw node:http, plain', rates: [], costs: [] });
    contenders.push({
      name: `${name}, gzip`,
      url,
      headers,
      against: 'raw node:http, gzip',
      rates: [],
      costs: [],
    });
  }
  return { bytes: bytes.length, contenders };
}

function report(bytes: number, contenders: readonly Contender[]): void {
  console.log(`\n${bytes} bytes, ${connections} connections, median of ${rounds} rounds of ${seconds} s`);
  const byName = new Map(contenders.map((contender) => [contender.name, contender]));
  for (const { name, against, rates, costs } of contenders) {
    const other = byName.get(against);
    const rate = median(rates);
    const ratio = (rate / median(other?.rates ?? [])).toFixed(2);
    // Inverted, so that more is better here too.
    const byTime = (median(other?.costs ?? []) / median(costs)).toFixed(2);
    const spread = `${Math.round(Math.min(...rates))}-${Math.round(Math.max(...rates))}`;
    const cost =
      costs.length > 0 ? `${median(costs).toFixed(1).padStart(8)} us each, ${byTime} by processor time` : '';
    console.log(
      `${name.padEnd(24)} ${String(Math.round(rate)).padStart(8)} req/s (${spread}), ${ratio} of ${against} ${cost}`,
    );
  }
}

function measure(contender: Contender): void {
  const { url, headers, pid } = contender;
  const before = pid === undefined ? 0 : processorSeconds(pid);
  const { perSecond, requests } = wrk(url, { seconds, connections, ...(headers && { headers }) });
  contender.rates.push(perSecond);
  if (pid !== undefined) contender.costs.push(((processorSeconds(pid) - before) / requests) * 1e6);
}

const programs = new Programs();
const folder = mkdtempSync(join(tmpdir(), 'mokuroku-bench-'));
try {
  if (!isInstalled('wrk')) throw new Error('this bench needs wrk (Debian package wrk)');
  const port = String(await freePort());
  const url = `http://127.0.0.1:${port}`;
  // As in production: with an access log, and with a rate limit that this client cannot reach.
  const { pid } = programs.startDiscardingOutput(
    [...onServerCore, NODE, 'packages/mokuroku/dist/cli.js', 'serve'],
    {
      CATALOGUE_PORT: port,
      REGISTRATION_PORT: '0',
      RATE_LIMIT: '1000000000',
      LOG_LEVEL: 'info',
    },
  );
  await whenUp(url, '/livez');
  console.log(`${nodeVersion()}, limiter and access log on`);
  const proxies: Record<string, string> = {};
  if (isInstalled('nginx')) proxies['nginx proxy_cache'] = await startNginx(programs, folder, url);
  else console.log('nginx is not installed: left out');
  if (isInstalled('varnishd')) proxies['varnish'] = await startVarnish(programs, folder, url);
  else console.log('varnish is not installed: left out');
  for (const path of ['/v1/novels?lim=14', '/v1/novels?lim=350']) {
    const { bytes, contenders } = await contendersFor(programs, folder, { url, pid }, proxies, path);
    for (let round = 0; round < rounds; round++) {
      for (const contender of contenders) {
        measure(contender);
      }
    }
    report(bytes, contenders);
  }
} finally {
  await programs.end();
  rmSync(folder, { recursive: true, force: true });
}
