import { describe, expect, it } from 'vitest';
import { NOON, upstreamUnderTest } from '../../../test/catalogue/upstream-under-test.ts';
import { checkOf, reportOf, runDoctor, troublesOf } from '../../../test/doctor/doctor-under-test.ts';
import type { NarouServerSwitches } from '../../catalogue/narou-server/switches.ts';
import { judgeClock } from './checks.ts';
import type { Terminal } from '../../cli/terminal.ts';

const upstream = upstreamUnderTest();
const settings = () => ({ NAROU_BASE_URL: upstream.server.url, SERVE_ONLY: 'catalogue' });

const check = async (
  switches: Partial<NarouServerSwitches>,
  more: Record<string, string> = {},
  of: Partial<Terminal> = {},
) => {
  Object.assign(upstream.server.switches, switches);
  const before = upstream.server.requestCount();
  const report = await reportOf('doctor --live', { ...settings(), ...more }, of);
  return { ...report, sentCount: upstream.server.requestCount() - before };
};

describe('a novel site in trouble', () => {
  it.each<[string, Partial<NarouServerSwitches>, Record<string, string>, string]>([
    ['is dead', {}, { NAROU_BASE_URL: 'http://127.0.0.1:9' }, 'does not respond'],
    ['is slow', { latencyMs: 60_000 }, { UPSTREAM_HEADERS_TIMEOUT_MS: '20' }, 'does not respond'],
    ['is silent in the body', { hang: 'midBody' }, { UPSTREAM_TIMEOUT_MS: '50' }, 'does not respond'],
    ['cuts connections', { reset: 'beforeHeaders' }, {}, 'does not respond'],
    ['cuts its gzip files', { body: 'truncated' }, {}, 'does not respond'],
    ['sends a web page', { body: 'notJson' }, {}, 'does not respond'],
    ['refuses', { status: 403, body: 'notJson' }, {}, 'does not respond'],
    ['asks to slow down', { status: 429, body: 'notJson' }, {}, 'throttles'],
    ['names a time to wait', { status: 503, retryAfterSeconds: 60, body: 'notJson' }, {}, 'throttles'],
  ])(
    'that %s is requested three times at most, nothing is to be reported, and the remaining checks are skipped',
    async (_how, switches, more, why) => {
      const { code, report, sentCount, text } = await check(switches, more);
      expect(code).toBe(7);
      expect(sentCount).toBeLessThanOrEqual(why === 'throttles' ? 1 : 3);
      expect(text).not.toContain('Report it');
      const forms = report.checks.filter(({ title }) => title.startsWith('The form of'));
      expect(forms.filter(({ answered }) => answered)).toEqual([]);
      const left = report.skipped.filter(({ group }) => group !== 'here');
      expect(left.length).toBeGreaterThan(30);
      expect([...new Set(left.map(({ reason }) => reason.includes(why)))]).toEqual([true]);
    },
  );

  it.each<[Partial<NarouServerSwitches>, Record<string, string>]>([
    [
      { record: 'extraField', doubledRows: true },
      {
        novelapi: 'warning: new fields: pc_or_k',
        'rankget-monthly': 'warning: 2026-11-01: not the ranks 1 to 300',
      },
    ],
    [{ missingField: 'title' }, { novelapi: 'broken: missing_field title (20)' }],
    [{ renamedField: 'global_point' }, { novel18api: 'broken: missing_field global_point (20)' }],
    [{ record: 'floats' }, { 'rankget-daily': 'broken: mistyped_field rank (300), mistyped_field pt (300)' }],
    [{ record: 'numbersAsStrings' }, { userapi: 'broken: mistyped_field userid (20)' }],
    [{ record: 'noNcode' }, { 'rankget-weekly': 'broken: the client cannot read it: upstream_invalid' }],
  ])('that sends other records (%j) is reported', async (switches, expected) => {
    const { report } = await check(switches);
    const troubles = troublesOf(report);
    for (const [id, finding] of Object.entries(expected)) expect(troubles[id]).toContain(finding);
  });

  it('is reported when its rankings are late', async () => {
    const late = Date.parse('2026-11-21T12:00:00+09:00');
    upstream.clock.set(Date.parse('2026-11-20T12:00:00+09:00'));
    const { report } = await check({}, {}, { now: () => late });
    expect(checkOf(report, 'rankingReadyHour')).toMatchObject({ answer: 'late', state: 'warning' });
    expect(checkOf(report, 'rankget-daily').state).toBe('broken');
  });
});

describe('a clock', () => {
  it.each([
    [3, 'ok'],
    [-20, 'warning'],
    [90, 'broken'],
    [-3600, 'broken'],
  ])('that is off by %i s is %s', (seconds, state) => {
    expect(judgeClock(seconds * 1_000).state).toBe(state);
  });

  it('is compared with the Date header of the novel site', async () => {
    const { report } = await check({}, {}, { now: () => NOON - 20_000 });
    expect(checkOf(report, 'clock')).toMatchObject({
      state: 'warning',
      finding: '20 s off the clock of the server',
    });
  });
});

describe('the requests', () => {
  it('are a second apart', async () => {
    const pauses: number[] = [];
    const pause = (ms: number) => Promise.resolve(void pauses.push(ms));
    const { sentCount } = await check({}, {}, { pause });
    expect(pauses).toHaveLength(sentCount - 1);
    for (const ms of pauses) expect(ms).toBeGreaterThan(0);
    // The duration of a request is part of the second or added to it: the pause is never shorter.
    expect(Math.max(...pauses)).toBeLessThanOrEqual(1_000);
  });

  it('are counted, and end when the budget is low', async () => {
    const budget = { UPSTREAM_DAILY_REQUESTS: '10', UPSTREAM_CLIENT_SHARE_PERCENT: '100' };
    const { report, sentCount } = await check({}, budget);
    expect(sentCount).toBe(8);
    expect(report.skipped.map(({ reason }) => reason)).toContain('the daily quota of requests is used up');
  });

  it('end with Ctrl-C, and the results so far are printed', async () => {
    const interruption = new AbortController();
    let pauses = 0;
    const of = {
      interrupted: interruption.signal,
      pause: () => {
        if (++pauses === 5) interruption.abort(new Error('interrupted'));
        return interruption.signal.aborted ? Promise.reject(new Error('interrupted')) : Promise.resolve();
      },
    };
    const { code, out, err } = await runDoctor('doctor --live', settings(), of);
    expect(code).toBe(130);
    expect(out).toContain('The form of novelapi: 20 records of');
    expect(err).toMatch(/skipped: interrupted/);
  });
});
