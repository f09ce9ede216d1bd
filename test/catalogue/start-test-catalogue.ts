import http from 'node:http';
import type { IncomingHttpHeaders } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { createCatalogueApp } from '../../src/catalogue/app.ts';
import { startNarouServer } from '../../src/catalogue/narou-server/server.ts';
import type { NarouServer } from '../../src/catalogue/narou-server/server.ts';
import type { NarouServerSwitches } from '../../src/catalogue/narou-server/switches.ts';
import type { CatalogueSource, SourceProblem } from '../../src/catalogue/catalogue-source.ts';
import { atHandOf } from '../../src/catalogue/index/catalogue-at-hand.ts';
import { createEmbeddedCatalogue } from '../../src/sample/novels/embedded-catalogue.ts';
import type { EmbeddedCatalogue } from '../../src/sample/novels/embedded-catalogue.ts';
import { createNarouSource } from '../../src/catalogue/narou/narou-source.ts';
import type { NarouTransportOptions } from '../../src/catalogue/narou/transport.ts';
import type { Clock } from '../../src/process/clock.ts';
import { createLogger } from '../../src/process/logger.ts';
import { InFlight } from '../../src/limits/in-flight.ts';
import { createSlidingWindow } from '../../src/limits/rate-limiter.ts';
import { ResponseCache } from '../../src/cache/response-cache.ts';
import { testTransport } from './narou-test-source.ts';
import { publishedAnswers } from './published-answers.ts';
import type { PublishedAnswers } from './published-answers.ts';

export interface TestAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  /** The parsed body; undefined where there is none. */
  body: TestBody;
}

/** Loosely typed on purpose: the form has been held against the published one already. */
export interface TestBody {
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  data: any;
  meta: {
    cached: boolean;
    tookMs: number;
    source: string;
    upstreamAllCount: number;
    date: string;
    stale?: true;
    asOf?: string;
    facets?: Record<string, Record<string, number>>;
    ignored?: string[];
  };
  error: { code: string; message: string; details: { parameter: string; [name: string]: unknown }[] };
}

export interface AskOptions {
  method?: string;
  headers?: Record<string, string>;
  /** False: a long answer is not held against the published schema, to save time. */
  isChecked?: boolean;
}

export interface TestCatalogue {
  base: string;
  upstream: NarouServer;
  /** What the service asks. */
  source: CatalogueSource;
  /** The very data that the upstream serves, for searches by hand. */
  catalogue: EmbeddedCatalogue;
  problems: SourceProblem[];
  /** Lines of the log. */
  lines: string[];
  setTime: (now: number) => void;
  advance: (seconds: number) => void;
  /** Any request; every answer that is JSON is held against the published schema. */
  get: (path: string, options?: AskOptions) => Promise<TestAnswer>;
  close: () => Promise<void>;
}

export interface TestCatalogueOptions {
  switches?: Partial<NarouServerSwitches>;
  limits?: Partial<NarouTransportOptions>;
  /** 0: nothing is counted. */
  rateLimit?: number;
  maxStart?: number | null;
  /** 1: nothing fits, so that every request goes upstream. */
  cacheBytes?: number;
  /** Whether the source has the upstream's own catalogue at hand, as the sample does. */
  isAtHand?: boolean;
  /** Another source in place of the upstream's, which it is given. */
  sourceOver?: (upstream: CatalogueSource, clock: Clock) => CatalogueSource;
}

/** Saturday, noon in Japan: every ranking of the day is there. */
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
    // node:http sends the path as it stands, also when it is no valid URL.
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

/** Documents and health: no part of what is published. */
const OUTSIDE = /^\/(?:openapi\.json|docs|livez|readyz)/;

/** The world is built once: it takes a tenth of a second and holds still at one time of day. */
let world: { catalogue: EmbeddedCatalogue; clock: Clock & { at: number } } | undefined;

function sharedWorld() {
  if (world) return world;
  const clock = { at: TEST_NOW, now: () => clock.at, monotonic: () => performance.now() };
  world = { clock, catalogue: createEmbeddedCatalogue({ clock }) };
  return world;
}

/** Compiled once: every instance publishes the same document. */
let published: PublishedAnswers | undefined;

/** The service as it runs, on a port of its own, against a real upstream server over the embedded catalogue. */
export async function startTestCatalogue(options: TestCatalogueOptions = {}): Promise<TestCatalogue> {
  const { catalogue, clock: shared } = sharedWorld();
  shared.at = TEST_NOW;
  let ahead = 0;
  const clock: Clock = { now: () => shared.at, monotonic: () => performance.now() + ahead };
  const upstream = await startNarouServer({
    catalogue,
    clock,
    ...(options.switches && { switches: options.switches }),
  });
  const problems: SourceProblem[] = [];
  const lines: string[] = [];
  const upstreamSource = createNarouSource({
    transport: testTransport(upstream.url, { clock, maxBodyBytes: 20_000_000, ...options.limits }),
    report: (problem) => problems.push(problem),
    maxStart: options.maxStart === undefined ? 2_000 : options.maxStart,
    clock,
  });
  const source = options.sourceOver?.(upstreamSource, clock) ?? {
    ...upstreamSource,
    ...(options.isAtHand && { atHand: atHandOf(catalogue) }),
  };
  const log = createLogger('catalogue', 'info', {
    write: (line) => {
      lines.push(line);
    },
  });
  const limit = options.rateLimit ?? 0;
  const app = createCatalogueApp({
    source,
    cache: new ResponseCache({ clock, maxBytes: options.cacheBytes ?? 50_000_000 }),
    inFlight: new InFlight({ maxBytes: 64_000_000, maxClientBytes: 64_000_000 }),
    limiter:
      limit === 0 ? undefined : createSlidingWindow({ clock, limit, windowSeconds: 60, maxClients: 1_000 }),
    clock,
    log,
    trustedProxies: [],
    requestIdStem: 'test',
    isSample: options.sourceOver === undefined,
    // The machine that runs the tests may be busy with others.
    maxLagMs: Infinity,
  });
  const base = await app.listen('127.0.0.1', 0);
  async function get(path: string, { isChecked = true, ...given }: AskOptions = {}) {
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
    upstream,
    source,
    catalogue,
    problems,
    lines,
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
