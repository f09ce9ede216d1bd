import http from 'node:http';
import type { IncomingHttpHeaders, Server } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { createCatalogueApp } from '../../src/catalogue/app.ts';
import { startNarouServer } from '../../../../test/upstream/index.ts';
import type { NarouServer } from '../../../../test/upstream/server.ts';
import type { NarouServerSwitches } from '../../../../test/upstream/switches.ts';
import type { CatalogueSource, SourceProblem } from '@mokuroku/narou/source';
import type { RankingType } from '@mokuroku/narou';
import { createEmbeddedCatalogue, createSampleSource } from '@mokuroku/narou/sample';
import type { EmbeddedCatalogue } from '../../../narou/src/sample/embedded-catalogue.ts';
import { createNarouSource } from '../../../narou/src/live/narou-source.ts';
import type { TestLimits } from '../../../narou/test/narou-test-source.ts';
import type { Clock } from '@mokuroku/kit/process';
import { createLogger } from '@mokuroku/kit/process';
import { Admission } from '../../../kit/src/limits/admission.ts';
import { createLimiter } from '../../../kit/src/limits/rate-limiter.ts';
import { ResponseCache } from '../../../kit/src/cache/response-cache.ts';
import { stopRequestTimeouts } from '../../../../test/http/serve-http.ts';
import { testTransport } from '../../../narou/test/narou-test-source.ts';
import { publishedAnswers } from '../../../kit/test/catalogue/published-answers.ts';
import type { PublishedAnswers } from '../../../kit/test/catalogue/published-answers.ts';

export interface TestAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  /** The parsed body; undefined without one. */
  body: TestBody;
}

/** Loosely typed on purpose: the response has been validated already. */
export interface TestBody {
  // oxlint-disable-next-line typescript/no-explicit-any
  data: any;
  meta: {
    cached: boolean;
    tookMs: number;
    source: string;
    upstreamAllCount: number;
    date: string;
    stale?: true;
    asOf?: string;
    until?: string;
    missing?: string[];
    absent?: string[];
    unreadable?: number;
    facets?: Record<string, Record<string, number>>;
    ignored?: string[];
    unknown?: string[];
  };
  error: { code: string; message: string; details: { parameter: string; [name: string]: unknown }[] };
}

export interface SendOptions {
  method?: string;
  headers?: Record<string, string>;
  /** False: long responses are not validated, to save time. */
  isChecked?: boolean;
}

export interface TestCatalogue {
  base: string;
  server: Server;
  upstream: NarouServer;
  /** The upstream of the service. */
  source: CatalogueSource;
  /** The upstream's own data, for reference searches. */
  catalogue: EmbeddedCatalogue;
  problems: SourceProblem[];
  /** Lines of the log. */
  lines: string[];
  cacheEntries: () => number;
  setTime: (now: number) => void;
  advance: (seconds: number) => void;
  /** Sends any request; every JSON response is validated against its schema. */
  get: (path: string, options?: SendOptions) => Promise<TestAnswer>;
  close: () => Promise<void>;
}

export interface TestCatalogueOptions {
  /** In place of the shared one, which `setTime` and `advance` move. */
  clock?: Clock;
  switches?: Partial<NarouServerSwitches>;
  limits?: TestLimits;
  /** 0: no limit. */
  rateLimit?: number;
  maxStart?: null;
  /** 1: nothing fits, so every request goes upstream. */
  cacheBytes?: number;
  connectionTimeoutMs?: number;
  admission?: Admission;
  /** Whether the source is the sample: it holds the upstream's catalogue itself. */
  isSample?: boolean;
  /** Replaces the source of the upstream, which it gets. */
  sourceOver?: (upstream: CatalogueSource, clock: Clock) => CatalogueSource;
}

/** Saturday, noon in Japan: every ranking of the day is published. */
export const TEST_NOW = Date.UTC(2026, 10, 21, 3, 0, 0);

function unpacked(body: Buffer, encoding: string | undefined): Buffer {
  if (body.length === 0) return body;
  if (encoding === 'br') return brotliDecompressSync(body);
  return encoding === 'gzip' ? gunzipSync(body) : body;
}

function request(
  base: string,
  path: string,
  { method = 'GET', headers = {} }: { method?: string; headers?: Record<string, string> },
): Promise<{ status: number; headers: IncomingHttpHeaders; text: string }> {
  const { hostname, port } = new URL(base);
  return new Promise((resolve, reject) => {
    // node:http sends the path unchanged, even if it is no valid URL.
    const sent = http.request({ hostname, port, path, method, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text: unpacked(Buffer.concat(chunks), response.headers['content-encoding']).toString(),
        });
      });
      response.on('error', reject);
    });
    sent.on('error', reject);
    sent.end();
  });
}

/** Unpublished paths: documents and health checks. */
const OUTSIDE = /^\/(?:openapi\.json|docs|livez|readyz)/;

/** Built once: it takes a tenth of a second, and its clock stands still. */
let world: { catalogue: EmbeddedCatalogue; clock: Clock & { at: number } } | undefined;

/** The data of every service of this thread, at TEST_NOW. */
export function sharedWorld() {
  if (world === undefined) {
    const clock = { at: TEST_NOW, now: () => clock.at, monotonic: () => performance.now() };
    world = { clock, catalogue: withRankingsOnce(createEmbeddedCatalogue({ clock }), clock) };
  }
  world.clock.at = TEST_NOW;
  return world;
}

/** Invents each ranking and each history of a day once: together they take most of the time of these tests. */
function withRankingsOnce(catalogue: EmbeddedCatalogue, clock: Clock): EmbeddedCatalogue {
  const once = <Key extends unknown[], Value>(invent: (...key: Key) => Value) => {
    const invented = new Map<string, Value>();
    return (...key: Key): Value => {
      const name = [clock.now(), ...key].join();
      if (!invented.has(name)) invented.set(name, invent(...key));
      return invented.get(name) as Value;
    };
  };
  return {
    ...catalogue,
    ranking: once((type: RankingType, day: number) => catalogue.ranking(type, day)),
    rankingHistory: once((ncode: string) => catalogue.rankingHistory(ncode)),
  };
}

/** Compiled once: every instance publishes the same document. */
let published: PublishedAnswers | undefined;

/** The complete service on its own port, with a real upstream server over the embedded catalogue. */
export async function startTestCatalogue(options: TestCatalogueOptions = {}): Promise<TestCatalogue> {
  const { catalogue, clock: shared } = sharedWorld();
  let ahead = 0;
  const clock = options.clock ?? { now: () => shared.at, monotonic: () => performance.now() + ahead };
  const upstream = await startNarouServer({
    catalogue,
    clock,
    ...(options.switches && { switches: options.switches }),
  });
  const problems: SourceProblem[] = [];
  const lines: string[] = [];
  const narouSource = createNarouSource({
    transport: testTransport(upstream.url, { clock, maxBodyBytes: 20_000_000, ...options.limits }),
    report: (problem) => problems.push(problem),
    clock,
  });
  const upstreamSource = options.maxStart === null ? { ...narouSource, maxStart: null } : narouSource;
  const source =
    options.sourceOver?.(upstreamSource, clock) ??
    (options.isSample ? createSampleSource(catalogue, clock) : upstreamSource);
  const log = createLogger('catalogue', 'info', {
    write: (line) => {
      lines.push(line);
    },
  });
  const { admission = new Admission({ maxBytes: 64_000_000, maxClientBytes: 64_000_000 }) } = options;
  const cache = new ResponseCache({ clock, maxBytes: options.cacheBytes ?? 50_000_000, admission });
  const app = createCatalogueApp({
    source,
    cache,
    admission,
    limiter: createLimiter({ requestsPerMinute: options.rateLimit ?? 0, clock, store: undefined }),
    clock,
    log,
    trustedProxies: [],
    requestIdStem: 'test',
    ...(options.connectionTimeoutMs !== undefined && { connectionTimeoutMs: options.connectionTimeoutMs }),
    isSample: () => options.sourceOver === undefined || source.isSample(),
  });
  stopRequestTimeouts(app.app.server);
  const base = await app.listen('127.0.0.1', 0);
  async function get(path: string, { isChecked = true, ...given }: SendOptions = {}) {
    const answer = await request(base, path, given);
    const isJson = answer.headers['content-type']?.startsWith('application/json') && answer.text !== '';
    const body: unknown = isJson ? JSON.parse(answer.text) : undefined;
    if (isJson && isChecked && !OUTSIDE.test(path)) {
      published ??= publishedAnswers(JSON.parse((await request(base, '/openapi.json', {})).text) as never);
      published.check(path, answer.status, body);
    }
    return { ...answer, body: body as TestBody };
  }

  return {
    base,
    server: app.app.server,
    upstream,
    source,
    catalogue,
    problems,
    lines,
    cacheEntries: () => cache.stats.entries,
    get,
    setTime: (now) => {
      shared.at = now;
    },
    advance: (seconds) => {
      shared.at += seconds * 1_000;
      ahead += seconds * 1_000;
    },
    close: async () => {
      await app.close();
      await source.close();
      await upstream.close();
    },
  };
}
