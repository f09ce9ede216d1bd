import { gunzipSync } from 'node:zlib';
import { request } from 'undici';
import { onTestFinished } from 'vitest';
import { createRegistrationApp } from '../../src/registration/app.ts';
import { createLogger } from '@mokuroku/kit/process';
import { Admission } from '../../../kit/src/limits/admission.ts';
import { createLimiter } from '../../../kit/src/limits/rate-limiter.ts';
import { ResponseCache } from '../../../kit/src/cache/response-cache.ts';
import { logTo } from '../../src/registration/service-look-up.ts';
import { stopRequestTimeouts } from '../../../../test/http/serve-http.ts';
import { record, startWorld } from '../../../whois/test/loopback-world.ts';
import type { WorldOptions } from '../../../whois/test/loopback-world.ts';

export const NIC = 'whois.nic.test';

/** The service over a loopback world, on 2026-01-01, until it is closed; `advance` moves the clock of cache and limiter. */
export async function startService(options: WorldOptions = {}, limit = 0, connectionTimeoutMs?: number) {
  let skipped = 0;
  const began = performance.now();
  const clock = {
    now: () => Date.UTC(2026, 0, 1) + performance.now() - began + skipped,
    monotonic: () => performance.now() + skipped,
  };
  const lines: string[] = [];
  const log = createLogger('registration', 'debug', { write: (line) => void lines.push(line) });
  const world = await startWorld({
    root: { test: { refer: NIC } },
    whois: {
      [NIC]: (query, socket) => socket.end(query.startsWith('free') ? 'No match!!\r\n' : record(query)),
    },
    clock,
    log: logTo(log.logger),
    ...options,
    settings: { perSecondPerRegistry: 0, ...options.settings },
  });
  const app = createRegistrationApp({
    domainLookUp: world.domainLookUp,
    cache: new ResponseCache({ clock, maxBytes: 10_000_000 }),
    admission: new Admission({ maxBytes: 64_000_000, maxClientBytes: 64_000_000 }),
    limiter: createLimiter({ requestsPerMinute: limit, clock, store: undefined }),
    clock,
    log,
    trustedProxies: [],
    requestIdStem: 'test',
    ...(connectionTimeoutMs !== undefined && { connectionTimeoutMs }),
    isSample: () => true,
  });
  stopRequestTimeouts(app.app.server);
  const base = await app.listen('127.0.0.1', 0);
  return {
    base,
    server: app.app.server,
    lines,
    queries: world.queries,
    close: async () => {
      await app.close();
      await world.close();
    },
    advance: (seconds: number) => void (skipped += seconds * 1_000),
    get: async (
      path: string,
      headers: Record<string, string> = {},
      method: 'GET' | 'HEAD' | 'POST' | 'OPTIONS' = 'GET',
    ) => {
      const response = await request(base + path, { method, headers });
      const bytes = Buffer.from(await response.body.arrayBuffer());
      const isGzip = response.headers['content-encoding'] === 'gzip';
      const text = String(isGzip ? gunzipSync(bytes) : bytes);
      return {
        status: response.statusCode,
        headers: response.headers,
        text,
        json: () => JSON.parse(text) as ResponseBody,
      };
    },
  };
}

/** The same until the test ends. */
export async function serve(...options: Parameters<typeof startService>) {
  const service = await startService(...options);
  onTestFinished(service.close);
  return service;
}

interface ResponseBody {
  domain: string;
  whoisServer: string;
  raw: string;
  error: { code: string; message: string; details: Record<string, unknown> };
}
