import { setTimeout as wait } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { Agent } from 'undici';
import { beforeAll, describe, expect, it } from 'vitest';
import { startNarouServer } from '../upstream/index.ts';
import type { NarouServer } from '../upstream/server.ts';
import { systemClock } from '@mokuroku/kit/process';
import { createEmbeddedCatalogue } from '@mokuroku/narou/sample';
import { startHttp } from '../http/serve-http.ts';
import { startLimited } from './limited-service.ts';
import type { Attacker, LimitedService } from './limited-service.ts';
import { startMokuroku } from './running-service.ts';
import type { RunningProgram } from './running-service.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { filledFolder } from '../../packages/mokuroku/test/catalogue/local-folder.ts';

const MAX_RESIDENT_MIB = 400;
/** 200 MB. Requests that are discarded take no memory. */
const MAX_PIPELINED_MIB = 190;
/**
 * Limit for 95 % of other clients' requests, in processor time of the service until the response. Other load on the
 * machine does not change it.
 */
const OTHERS_WITHIN_MS = 1_000;
/** Requests of other clients during each attack. */
const REQUESTS = 200;

let service: LimitedService;
let upstream: NarouServer;
/** Responds with 500 novels that unpack to 1 GB, with 200 MB unpacked, or with nested lists. */
let hostile: Awaited<ReturnType<typeof startHttp>>;

const BOMBS = [
  gzipSync(Buffer.alloc(1_000_000_000), { level: 1 }),
  Buffer.alloc(200_000_000, 32),
  gzipSync('['.repeat(4_400_000)),
];
const GOOD = JSON.stringify([{ allcount: 1 }, { ncode: 'N0001A', title: 'invented' }]);

beforeAll(async () => {
  upstream = await startNarouServer({
    catalogue: createEmbeddedCatalogue({ clock: systemClock }),
    clock: systemClock,
  });
  let bombs = 0;
  hostile = await startHttp(({ url = '' }, response) => {
    response.on('error', () => undefined);
    response.end(url.includes('lim=500') ? BOMBS[bombs++ % BOMBS.length] : GOOD);
  });
  return async () => {
    await hostile.close();
    await upstream.close();
  };
});

async function start(settings: Record<string, string>): Promise<() => Promise<void>> {
  service = await startLimited(settings);
  return service.end;
}

/** Repeats `mokuroku harvest` of the whole sample, which ends with a build, in the same cgroup. */
function startHarvests(): () => Promise<void> {
  let harvest: RunningProgram;
  let isOver = false;
  const repeat = async () => {
    while (!isOver) {
      const env = { NAROU_BASE_URL: upstream.url, HARVEST_PAUSE_MS: '0' };
      harvest = startMokuroku(['harvest', '--dir', temporaryFolder()], env);
      service.addProcess(harvest.child.pid ?? 0);
      if ((await harvest.ended) === 0) harvests++;
    }
  };
  const ended = repeat();
  return async () => {
    isOver = true;
    harvest.child.kill('SIGKILL');
    await ended;
  };
}

/** Number of successful harvests. */
let harvests = 0;
let serial = 0;
const cold = (headers = '') =>
  `GET /v1/novels?lim=500&minlen=${++serial} HTTP/1.1\r\nHost: a\r\n${headers}\r\n`;
const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => make(i));
/** So many cold requests, pipelined. */
const coldRequests = (count: number) => times(count, () => cold()).join('');

const SPAN = '/v1/rankings/monthly/hydrated?from=2024-05-01&to=2026-11-01';
/** A span of rankings with all fields of their novels, filtered as nobody before; some 9 MB. */
const filteredSpan = () => `${SPAN}&length=100-${100_000 + ++serial}`;

const fourteenClients = () =>
  times(14, (index) => ({
    text: coldRequests(59),
    from: `127.0.1.${index + 1}`,
    isReading: index % 2 === 0,
  }));

function stalledStreams(): Attacker[] {
  const names = times(100, (index) => `name-${index}.com`).join(',');
  const text = `GET /-/look-ups?names=${names} HTTP/1.1\r\nHost: a\r\n\r\n`.repeat(20);
  return times(50, (index) => ({ text, from: `127.0.3.${index + 1}`, base: service.registration }));
}

/** Novels of the sample that ranked every day for years. */
const LONG_HISTORIES =
  '/v1/ranking-histories?format=ndjson&ncode=N7427UX,N9947UQ,N0438UX,N9123VD,N4559VN,N5163VO,N3663UE,N3425UG';

/** To both services. */
const endless = (header: string): Attacker[] =>
  times(5_000, (index) => ({
    text: `GET / HTTP/1.1\r\nHost: a\r\nX: ${header}`,
    from: `127.0.${60 + Math.floor(index / 500)}.1`,
    base: index % 2 === 0 ? service.catalogue : service.registration,
  }));

const ATTACKS: [string, () => Attacker[]][] = [
  ['fourteen clients with 59 pipelined cold requests, seven of which read', fourteenClients],
  [
    'fifty clients that read nothing',
    () => times(50, (index) => ({ text: coldRequests(50), from: `127.0.2.${index + 1}` })),
  ],
  [
    'one thousand addresses of one /48',
    () =>
      times(1_000, (index) => ({ text: cold(`X-Forwarded-For: 2001:db8:1:${index.toString(16)}::1\r\n`) })),
  ],
  [
    'one client with 22 filtered spans of rankings',
    () =>
      times(22, () => ({
        text: `GET ${filteredSpan()} HTTP/1.1\r\nHost: a\r\n\r\n`,
        from: '127.0.7.1',
        isReading: true,
      })),
  ],
  [
    'one client with 40 feeds of one span, each with an address of its own',
    () =>
      times(40, () => ({
        text: `GET ${SPAN}&format=atom&nobody=${++serial} HTTP/1.1\r\nHost: a\r\n\r\n`,
        from: '127.0.9.1',
        isReading: true,
      })),
  ],
  [
    'twelve clients with 50 streams of changes each',
    () =>
      times(600, (index) => ({
        text: 'GET /v1/changes?format=ndjson HTTP/1.1\r\nHost: a\r\n\r\n',
        from: `127.0.10.${1 + (index % 12)}`,
        isReading: true,
      })),
  ],
  [
    'eight clients with 58 streams of long histories each, which read nothing',
    () =>
      times(464, (index) => ({
        text: `GET ${LONG_HISTORIES} HTTP/1.1\r\nHost: a\r\n\r\n`,
        from: `127.0.11.${1 + (index % 8)}`,
      })),
  ],
  ['streams of look-ups whose readers stall', stalledStreams],
  ['five thousand connections with 30 kB of a request that never ends', () => endless('x'.repeat(30_000))],
  [
    'five thousand connections with 2,200 headers of a request that never ends',
    () => endless(times(2_200, (index) => `${index}:x\r\n`).join('')),
  ],
];

/** A thousand idle connections, and endless pipelined requests. */
const endlessRequests = () => [
  ...times(1_000, (index) => ({ text: '', from: `127.0.4.${(index % 250) + 1}` })),
  ...times(20, (index) => ({
    text: 'GET / HTTP/1.1\r\nHost:a\r\n\r\n'.repeat(40_000),
    from: `127.0.5.${index + 1}`,
  })),
];

/**
 * Sends requests of another client until all responses of the attackers have come, but at most sixty times. Resolves to
 * the attackers' statuses. That work is done in turns, unit tests see by counting them.
 */
async function serveBeside(
  attackers: readonly Promise<number | undefined>[],
  paths: readonly ((turn: number) => string)[],
) {
  const attack = { isOver: false };
  const statuses = Promise.all(attackers).finally(() => (attack.isOver = true));
  const agent = new Agent();
  const longest = paths.map(() => 0);
  let mostMib = 0;
  for (let turn = 0; turn < 60 && !attack.isOver; turn++) {
    for (const [at, path] of paths.entries()) {
      const { ms, refusals } = await service.sendAsOther(path(turn), agent);
      expect(refusals).toEqual([]);
      longest[at] = Math.max(longest[at] ?? 0, ms);
      mostMib = Math.max(mostMib, service.residentMib());
    }
  }
  await agent.close();
  process.stdout.write(
    `others at most ${longest.join(' and ')} ms of processor time; ${Math.round(mostMib)} MiB\n`,
  );
  service.expectAlive();
  expect(mostMib).toBeLessThan(MAX_RESIDENT_MIB);
  return new Set(await statuses);
}

const PATHS = [
  () => '/v1/novels?lim=20',
  (turn: number) => `/v1/meta/genres?turn=${turn}`,
  () => '/livez',
  () => `/v1/novels?lim=20&minlen=${++serial}`,
];

async function survive(attackers: () => Attacker[], maxMib = MAX_RESIDENT_MIB): Promise<void> {
  const agent = new Agent();
  const refusals: string[] = [];
  const tookMs: number[] = [];
  let mostMib = 0;
  const watch = setInterval(() => (mostMib = Math.max(mostMib, service.residentMib())), 100);
  try {
    await service.attack(attackers());
    for (let turn = 0; turn < REQUESTS; turn++) {
      const other = await service.sendAsOther(PATHS[turn % PATHS.length]?.(turn) ?? '', agent);
      refusals.push(...other.refusals);
      tookMs.push(other.ms);
      await wait(20);
    }
  } finally {
    clearInterval(watch);
    service.endAttack();
    await agent.close();
  }
  const p95 = tookMs.sort((one, other) => one - other)[Math.floor(tookMs.length * 0.95)];
  process.stdout.write(
    `${tookMs.length} others: p95 ${p95} ms of processor time; ${Math.round(mostMib)} MiB\n`,
  );
  service.expectAlive();
  expect(mostMib).toBeLessThan(maxMib);
  expect(refusals).toEqual([]);
  expect(p95).toBeLessThan(OTHERS_WITHIN_MS);
}

describe('under 512 MB, with the settings of a new installation', () => {
  // One service for all attacks: none may leave anything behind.
  beforeAll(() => start({}));

  it.each(ATTACKS)(
    '%s do not end the service, and other clients are served within a second',
    async (_what, attackers) => {
      await survive(attackers);
    },
    120_000,
  );
});

describe('under 512 MB, a new service', () => {
  beforeAll(() => start({}));

  it('stays below 200 MB with a thousand idle connections and endless pipelined requests', async () => {
    await survive(endlessRequests, MAX_PIPELINED_MIB);
  }, 120_000);
});

describe('under 512 MB, with a harvest in the same memory', () => {
  beforeAll(() => start({}));

  it('fourteen clients do not end it while it fetches and builds, and other clients are served within a second', async () => {
    const endHarvests = startHarvests();
    try {
      await survive(fourteenClients);
      await expect.poll(() => harvests, { timeout: 60_000 }).toBeGreaterThan(0);
    } finally {
      await endHarvests();
    }
  }, 120_000);
});

describe('under 512 MB, with an upstream that sends decompression bombs', () => {
  beforeAll(() => {
    const NAROU_BASE_URL = hostile.url;
    return start({ CATALOGUE_SOURCE: 'narou', NAROU_BASE_URL, UPSTREAM_DAILY_REQUESTS: '0' });
  });

  it('requests for them do not end the service, and other clients are served within a second', async () => {
    await survive(() =>
      times(50, (index) => ({ text: coldRequests(20), from: `127.0.6.${index + 1}`, isReading: true })),
    );
  }, 120_000);
});

describe('under 512 MB, costly responses of many clients', () => {
  beforeAll(() => start({}));

  it('a filtered span of rankings costs less once its parts are cached', async () => {
    const costs: number[] = [];
    for (let time = 0; time < 6; time++) {
      const before = service.usedMs();
      expect(await service.statusFrom('127.0.8.1', filteredSpan())).toBe(200);
      costs.push(service.usedMs() - before);
    }
    process.stdout.write(`a filtered span: ${costs.join(', ')} ms of processor time\n`);
    const [first = 0, ...others] = costs;
    expect(others.sort((one, other) => one - other)[2]).toBeLessThan(0.6 * first);
  }, 120_000);

  it('sixty of them at once do not end the service, and another client is served beside them', async () => {
    const attackers = times(60, (index) => service.statusFrom(`127.${index + 10}.0.1`, filteredSpan()));
    const statuses = await serveBeside(attackers, [() => '/v1/novels?lim=20', () => '/livez']);
    expect(statuses).toEqual(new Set([200, 503]));
  }, 120_000);
});

const LONG_LIST = 'a,'.repeat(7_500);
/** What no rate limit counts, or what is read before anything else of a request. */
const READ_FIRST: [string, (turn: number) => string, Record<string, string>?][] = [
  ['a page for a client that accepts 7,500 encodings', () => '/docs', { 'accept-encoding': LONG_LIST }],
  ['a page with 3,500 parameters', (turn) => `/?${'a&'.repeat(3_500)}word=${turn}`],
  ['an address with 3,500 malformed parameters', (turn) => `/v1/novels?${'%&'.repeat(3_500)}st=${turn}`],
];

describe('under 512 MB, many requests that are cheap to send', () => {
  beforeAll(() => start({ RATE_LIMIT: '0' }));

  async function costOf(path: (turn: number) => string, headers?: Record<string, string>): Promise<number> {
    const sendSome = async () => {
      for (let turn = 0; turn < 100; turn++) await service.statusFrom('127.0.1.1', path(++serial), headers);
    };
    await sendSome();
    const before = service.usedMs();
    await sendSome();
    return (service.usedMs() - before) / 100;
  }

  it.each(READ_FIRST)(
    '%s costs at most five times as much as /livez',
    async (_what, path, headers) => {
      const [least, cost] = [await costOf(() => '/livez'), await costOf(path, headers)];
      process.stdout.write(`${cost} ms of processor time; /livez ${least} ms\n`);
      expect(cost).toBeLessThan(5 * least);
    },
    120_000,
  );
});

describe('under 512 MB, a local catalogue', () => {
  beforeAll(async () => {
    const catalogue = createEmbeddedCatalogue({ clock: systemClock });
    const CATALOGUE_DIR = await filledFolder(catalogue, Math.floor(Date.now() / 1_000));
    return start({ CATALOGUE_SOURCE: 'local', CATALOGUE_DIR, TRUSTED_PROXIES: '127.0.0.1' });
  }, 120_000);

  it('streams of 120 clients are sent whole, and another client is served beside them', async () => {
    const orders = ['new', 'hyoka', 'old', 'ncodeasc', 'weekly', 'dailypoint'];
    const attackers = times(120, (index) =>
      service.statusFrom(
        `127.100.${index}.1`,
        `/v1/novels?format=ndjson&order=${orders[index % orders.length]}`,
      ),
    );
    const statuses = await serveBeside(attackers, [(turn) => `/v1/novels?lim=5&st=${100 + turn}`]);
    expect(statuses).toEqual(new Set([200]));
  }, 120_000);
});
