import { describe, expect, it } from 'vitest';
import { japan, upstreamUnderTest } from '../../../test/catalogue/upstream-under-test.ts';
import { checkOf, reportOf, troublesOf } from '../../../test/doctor/doctor-under-test.ts';
import { UNKNOWN_SWITCHES } from '../../catalogue/narou-server/switches.ts';
import type { NarouServerSwitches } from '../../catalogue/narou-server/switches.ts';
import { SITE_REQUESTS } from './checks.ts';

const upstream = upstreamUnderTest();
/** An hour at which the ranking of the day may or may not be published. */
const EARLY = japan('2026-11-21T05:30:00');

const check = async (switches: Partial<NarouServerSwitches>, now = EARLY) => {
  upstream.clock.set(now);
  Object.assign(upstream.server.switches, switches);
  const environment = { NAROU_BASE_URL: upstream.server.url, SERVE_ONLY: 'catalogue' };
  return reportOf('doctor --live', environment, { now: () => now });
};

type SwitchName = keyof typeof UNKNOWN_SWITCHES;
const NAMES = Object.keys(UNKNOWN_SWITCHES) as SwitchName[];

/** A point's answer, if it differs from the value of its switch. */
const ANSWERS: Readonly<Record<string, string>> = {
  'contentType=html': 'text/html',
  'maxUrlLength=1000': 'other (414)',
  'rankingReadyHour=6': 'late',
  'rankingReadyHour=7': 'late',
};

/** Values of a switch other than the sample's. */
function othersOf(name: SwitchName): readonly (string | number | boolean)[] {
  if (name === 'maxUrlLength') return [1000];
  if (name === 'rankingReadyHour') return [6, 7];
  const row: { values?: readonly (string | number | boolean)[] } = UNKNOWN_SWITCHES[name];
  return (row.values ?? []).slice(1);
}

describe('an upstream that responds like the sample', () => {
  it('is ok in every point, with some forty requests, all announced at the start', async () => {
    const { code, report } = await check({});
    expect(troublesOf(report)).toEqual({});
    expect(code).toBe(0);
    expect(report.skipped.map(({ id }) => id)).toEqual(['store']);
    expect(report.requests).toBe(upstream.server.requestCount());
    expect(report.requests).toBeGreaterThan(38);
    expect(report.requests).toBeLessThanOrEqual(SITE_REQUESTS);
  });
});

describe('an unknown behaviour of the upstream', () => {
  // Sets all switches at once to another value than the default, for as many reports as the longest list has values.
  it.each([0, 1, 2])('appears in the report as the other answer (%i)', async (round) => {
    const changes = NAMES.filter((name) => name !== 'maintenance').flatMap((name) => {
      const value = othersOf(name)[round];
      return value === undefined ? [] : [[name, value] as const];
    });
    const { code, report } = await check(Object.fromEntries(changes));
    const expected = changes.map(([name, value]) => [
      name,
      ANSWERS[`${name}=${String(value)}`] ?? String(value),
    ]);
    const differing = report.checks.filter(({ state, group }) => group === 'open-points' && state !== 'ok');
    expect(Object.fromEntries(differing.map(({ id, answer }) => [id, answer]))).toEqual(
      Object.fromEntries(expected),
    );
    expect(code).toBe(round === 0 ? 7 : 6);
  });

  it('is broken only if responses of the service would be wrong', async () => {
    const { report } = await check({
      firstupFilter: 'ignored',
      neverRanked: 'error',
      maxUrlLength: 1000,
      keyOrder: 'requested',
    });
    expect(troublesOf(report)).toEqual({
      keyOrder: 'warning: requested; the sample assumes canonical',
      firstupFilter: 'broken: ignored; the client expects works',
      maxUrlLength: 'broken: other (414); the client expects served',
      neverRanked: 'warning: error; the sample assumes empty',
    });
  });

  it.each(['html503', 'html200', 'text503', 'text200'] as const)(
    'maintenance is reported as %s, with few further requests',
    async (maintenance) => {
      const before = upstream.server.requestCount();
      const { code, report } = await check({ maintenance });
      expect(checkOf(report, 'maintenance').answer).toBe(maintenance);
      expect(upstream.server.requestCount() - before).toBe(3);
      expect(code).toBe(7);
    },
  );

  it('the daily ranking is on time after the hours of publication, and before them without it', async () => {
    const onTime = { state: 'ok', answer: 'on time' };
    const late = await check({ rankingReadyHour: 7 }, japan('2026-11-21T12:00:00'));
    expect(checkOf(late.report, 'rankingReadyHour')).toMatchObject(onTime);
    const early = await check({}, japan('2026-11-21T03:00:00'));
    expect(checkOf(early.report, 'rankingReadyHour')).toMatchObject(onTime);
  });
});
