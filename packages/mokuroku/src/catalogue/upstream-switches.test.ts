import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestCatalogue } from '../../test/catalogue/start-test-catalogue.ts';
import type { TestCatalogue } from '../../test/catalogue/start-test-catalogue.ts';
import { UNKNOWN_SWITCHES, makeSwitches } from '../../../../test/upstream/switches.ts';
import type { NarouServerSwitches } from '../../../../test/upstream/switches.ts';

// What no manual settles about the upstream must make no difference to this service's answers.

let service: TestCatalogue;
let questions: readonly string[];
let usual: readonly unknown[];

beforeAll(async () => {
  const patient = { deadlineMs: 60_000 };
  service = await startTestCatalogue({ cacheBytes: 1, limits: { ...patient, maxBodyBytes: 3_000_000 } });
  const novels = service.catalogue.novels();
  const codes = novels.slice(0, 45).map((novel) => novel.ncode);
  const ranked = service.catalogue.ranking('daily', 20_500)?.[0]?.ncode ?? '';
  questions = [
    '/v1/novels?lim=3',
    '/v1/novels?lim=500&of=n',
    '/v1/novels?st=2000&of=n-g-nt',
    `/v1/novels?of=t&ncode=${codes.join(',')}`,
    // The longest request.
    '/v1/rankings/daily/hydrated?of=t',
    '/v1/novels?word=%E9%9B%A8&title=1&order=hyoka&genre=201,302',
    '/v1/novels?word=%E9%BE%98%E9%BE%98',
    `/v1/novels/${codes[0] ?? ''}`,
    '/v1/novels/N9999ZZ',
    `/v1/novels/${ranked}/ranking-history`,
    '/v1/novels/N9999ZZ/ranking-history',
    '/v1/rankings/daily',
    '/v1/rankings/weekly?date=2026-03-09',
    '/v1/rankings/daily?date=2026-11-22',
    '/v1/rankings/monthly/hydrated?of=t&date=2026-03-01',
    '/v1/users?lim=5',
    '/v1/users?word=%E9%BE%98%E9%BE%98',
    `/v1/users/${novels[0]?.userid ?? ''}`,
    '/v1/users/1',
    '/v1/r18/novels?lim=2&genre=101&userid=3',
    '/v1/r18/novels?lim=2&of=u-g',
    `/v1/r18/novels/${service.catalogue.adultNovels()[0]?.ncode ?? ''}`,
  ];
  usual = await answers(true);
  return service.close;
});
beforeEach(() => {
  Object.assign(service.upstream.switches, makeSwitches());
});

/** Status, data and error of every question. Those equal to checked ones need no check. */
async function answers(isChecked = false): Promise<unknown[]> {
  return Promise.all(
    questions.map(async (question) => {
      const { status, body } = await service.get(question, { isChecked });
      // Whether a name without a first kana has null or '' is the upstream's; both are published.
      return JSON.parse(
        JSON.stringify([question, status, body.data, body.error]).replaceAll(
          '"name1st":null',
          '"name1st":""',
        ),
      ) as unknown;
    }),
  );
}

const CHOICES = Object.entries<{ values?: readonly unknown[] }>(UNKNOWN_SWITCHES)
  .filter(([name]) => name !== 'maintenance')
  .map(([name, { values = [] }]) => ({ name, values }));
/** Each value of each switch: the first values of all together, the second ones, and so on. */
const SETTINGS: Partial<NarouServerSwitches>[] = Array.from(
  { length: Math.max(...CHOICES.map(({ values }) => values.length)) },
  (_, round) =>
    Object.fromEntries(
      CHOICES.flatMap(({ name, values }) => (round in values ? [[name, values[round]]] : [])),
    ),
);
// URLs of 4 kB (500 codes) are in use, so the real limit is above them.
SETTINGS[0]!.maxUrlLength = 4_500;

describe("any behaviour that the upstream's manual leaves open", () => {
  it('has settings to test', () => {
    expect(SETTINGS.flatMap((setting) => Object.keys(setting)).length).toBeGreaterThan(60);
    const statuses = (usual as [string, number][]).map(([, status]) => status);
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThan(14);
    expect(new Set(statuses)).toEqual(new Set([200, 404]));
  });

  it.each(SETTINGS)('changes no response: %j', async (setting) => {
    Object.assign(service.upstream.switches, setting);
    expect(await answers()).toEqual(usual);
  });

  it('all unlikely settings together change no response', async () => {
    for (const { name, values } of CHOICES) {
      if (values.length > 0) Object.assign(service.upstream.switches, { [name]: values.at(-1) });
    }
    expect(await answers()).toEqual(usual);
  });
});

it('an upstream that returns fewer rows at once than its manual says changes no response', async () => {
  const users = await service.get('/v1/users?lim=300');
  service.upstream.switches.maxRows = 100;
  expect((await service.get('/v1/users?lim=300')).body.data).toEqual(users.body.data);
  expect(await answers()).toEqual(usual);
  service.upstream.switches.stBeyondWindow = 'serve';
  const beyond = await service.get('/v1/novels?st=1990&lim=300&of=n');
  expect(beyond.status, 'as no page begins there by the manual').toBe(502);
  service.upstream.switches.maxRows = 20;
  expect((await service.get('/v1/novels?lim=500&of=n')).status).toBe(502);
});

type Fault = Partial<NarouServerSwitches>;

const FAULTS: [Fault, string][] = [
  [{ maintenance: 'html503' }, 'upstream_unavailable'],
  [{ maintenance: 'html200' }, 'upstream_unavailable'],
  [{ maintenance: 'text503' }, 'upstream_unavailable'],
  [{ maintenance: 'text200' }, 'upstream_invalid'],
  [{ status: 500 }, 'upstream_unavailable'],
  [{ status: 503, retryAfterSeconds: 77 }, 'upstream_unavailable'],
  [{ status: 403 }, 'upstream_unavailable'],
  [{ status: 404 }, 'upstream_invalid'],
  [{ body: 'truncated' }, 'upstream_invalid'],
  [{ body: 'garbage' }, 'upstream_invalid'],
  [{ body: 'empty' }, 'upstream_invalid'],
  [{ body: 'notJson' }, 'upstream_unavailable'],
  [{ body: 'object' }, 'upstream_invalid'],
  [{ body: 'trailing' }, 'upstream_invalid'],
  [{ hugeBodyBytes: 50_000_000 }, 'upstream_invalid'],
  [{ reset: 'beforeHeaders' }, 'upstream_unavailable'],
  [{ reset: 'midBody' }, 'upstream_unavailable'],
];

describe('a fault of the upstream', () => {
  it.each(FAULTS)('%o becomes %s on every endpoint, uncached and without leaks', async (fault, code) => {
    Object.assign(service.upstream.switches, fault);
    const requests = questions.filter((question) => !question.includes('2026-11-22'));
    const failed = await Promise.all(requests.map((question) => service.get(question)));
    expect(new Set(failed.map(({ body }) => body.error.code))).toEqual(new Set([code]));
    for (const { headers, text } of failed) {
      expect(Number(headers['retry-after'])).toBeGreaterThan(0);
      expect(headers['cache-control']).toBe('no-store');
      expect(text).not.toMatch(/maintenance|127\.0\.0\.1|novelapi|\bat \S+:\d|Error:/i);
    }
    Object.assign(service.upstream.switches, makeSwitches());
    // Whatever pause it asked for is over.
    service.advance(100);
    expect((await service.get(requests[0] ?? '')).status).toBe(200);
  });

  it.each<Fault>([{ hang: 'beforeHeaders' }, { hang: 'midBody' }, { latencyMs: 60_000 }, { dripMs: 5_000 }])(
    '%o becomes upstream_timeout',
    async (fault) => {
      const hurried = await startTestCatalogue({ switches: fault, limits: { deadlineMs: 300 } });
      const failed = await Promise.all(['/v1/novels', '/v1/users'].map((path) => hurried.get(path)));
      await hurried.close();
      for (const { status, body, headers } of failed) {
        expect([status, body.error.code, headers['retry-after']]).toEqual([504, 'upstream_timeout', '10']);
      }
    },
  );
});

describe('a record that is not as documented', () => {
  it.each(['extraField', 'numbersAsStrings', 'floats'] as const)(
    'with %s is served as published',
    async (record) => {
      service.upstream.switches.record = record;
      const { status, body } = await service.get('/v1/novels?lim=5');
      expect([status, (body.data as unknown[]).length]).toEqual([200, 5]);
    },
  );

  it.each(['noNcode', 'nullStrings'] as const)(
    'with %s has no Ncode: the response is unreadable',
    async (record) => {
      service.upstream.switches.record = record;
      expect((await service.get('/v1/novels?lim=5')).status).toBe(502);
    },
  );
});

describe('the log of a flapping upstream', () => {
  it('has one warning per kind and minute, without stacks', async () => {
    const service = await startTestCatalogue({ cacheBytes: 1 });
    for (let i = 1; i <= 60; i++) {
      service.upstream.switches.status = i % 2 === 0 ? 500 : 0;
      await service.get(`/v1/novels?minlen=${i}&of=n`, { isChecked: false });
    }
    const failed = service.lines.filter((line) => line.includes('"status":50')).length;
    const warnings = service.lines.filter((line) => line.includes('"level":40'));
    await service.close();
    expect(failed).toBe(30);
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain('upstream responded 500');
    expect(warnings.join('')).not.toMatch(/\bat .+:\d+/);
  });
});
