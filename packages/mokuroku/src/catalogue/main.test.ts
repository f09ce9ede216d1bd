import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { packed, startLoopbackUpstream } from '../../../../test/catalogue/loopback-upstream.ts';
import { untilTestEnds } from '../../../../test/http/serve-http.ts';
import { plainNovel } from '../../../narou/test/plain-novel.ts';
import { temporaryFolder } from '../../../../test/temporary-folder.ts';
import { requestPatiently } from '../../test/http/request-patiently.ts';
import type { Clock } from '@mokuroku/kit/process';
import { ConfigError, createLogger } from '@mokuroku/kit/process';
import { buildIndex } from '../../../local-catalogue/src/engine/build-index.ts';
import { publishRankings } from '../../../local-catalogue/src/local/ranking-files.ts';
import type { LocalSource, PartState } from '@mokuroku/local-catalogue';
import { partsLacking, readinessOf } from './readiness.ts';
import { createSourceProblemLog, startCatalogue } from './main.ts';

async function start(environment: Record<string, string>, clock?: Clock) {
  const settings = { CATALOGUE_PORT: '0', LOG_LEVEL: 'silent', ...environment };
  return untilTestEnds(await startCatalogue(settings, clock));
}

describe('the start', () => {
  it('without settings serves an invented catalogue and marks every response', async () => {
    const { address, isSample } = await start({});
    expect(isSample).toBe(true);
    const answer = await requestPatiently(`${address}/v1/novels?lim=1`);
    expect([answer.status, answer.headers['x-data']]).toEqual([200, 'sample']);
    // The embedded catalogue has no ceiling on the start position.
    const far = await requestPatiently<{ data: unknown[] }>(`${address}/v1/novels?st=3001&lim=1&of=n`);
    expect(far.body.data).toHaveLength(1);
  });

  it.each(['on', 'off'])(
    'with ADULT=%s serves adult novels in every spelling of their path, or in none',
    async (ADULT) => {
      const { address } = await start({ ADULT });
      const statuses: number[] = [];
      for (const path of [
        'r18/novels',
        '%7218/novels',
        'r18/novels/',
        'r18/novels/n6153sd',
        'meta/nocgenres',
      ])
        statuses.push((await requestPatiently(`${address}/v1/${path}`)).status);
      expect(new Set(statuses)).toEqual(new Set([ADULT === 'on' ? 200 : 404]));
      const document = await (await fetch(`${address}/openapi.json`)).text();
      expect(/r18|nocgenres|Adult novels/.test(document)).toBe(ADULT === 'on');
    },
  );

  it('on the live upstream sends its User-Agent, and rejects what the upstream cannot serve', async () => {
    const upstream = await startLoopbackUpstream(packed([{ allcount: 1 }, { ncode: 'N0001A' }]));
    const { address, isSample } = await start({
      CATALOGUE_SOURCE: 'narou',
      NAROU_BASE_URL: upstream.url,
      NAROU_CONTACT: 'https://example.org/contact',
    });
    const answer = await requestPatiently(`${address}/v1/novels?lim=1`);
    expect([isSample, answer.status, answer.headers['x-data']]).toEqual([false, 200, undefined]);
    expect(upstream.seen[0]?.headers['user-agent']).toMatch(
      /^mokuroku\/\d+\.\d+\.\d+ \(.*https:\/\/example\.org\/contact\)$/,
    );
    expect((await requestPatiently(`${address}/v1/novels?st=2000`)).status).toBe(200);
    expect((await requestPatiently(`${address}/v1/novels?st=2001`)).status).toBe(400);
  });

  it('on a local catalogue serves its folder, reports its age, and sends no upstream requests', async () => {
    const dir = temporaryFolder();
    const fetched_at = Math.floor(Date.now() / 1000) - 60;
    await buildIndex(path.join(dir, 'novels'), [plainNovel({ ncode: 'N0001A', fetched_at })]);
    const { address, isSample } = await start({ CATALOGUE_SOURCE: 'local', CATALOGUE_DIR: dir });
    const answer = await requestPatiently(`${address}/v1/novels/n0001a`);
    expect([isSample, answer.status, answer.headers['x-data']]).toEqual([false, 200, undefined]);
    expect(Number(answer.headers['age'])).toBeGreaterThanOrEqual(60);
    expect((await requestPatiently(`${address}/v1/users`)).status).toBe(501);
    const ready = (await requestPatiently(`${address}/readyz`)).body;
    const asOf = new Date(fetched_at * 1000).toISOString();
    expect(ready).toMatchObject({
      status: 'ready',
      catalogue: { novels: 1, adultNovels: 0, rankings: 0, asOf },
    });
  });

  it('on a local catalogue /readyz is ready, degraded or not ready, with the reason', async () => {
    const dir = temporaryFolder();
    let now = Date.now();
    const clock: Clock = { now: () => now, monotonic: () => performance.now() };
    const fetched_at = Math.floor(now / 1000);
    const readiness = async (environment: Record<string, string> = {}) => {
      const local = { CATALOGUE_SOURCE: 'local', CATALOGUE_DIR: dir, ...environment };
      const { address, close, metrics } = await start(local, clock);
      const { status, body } = await requestPatiently<Record<string, unknown>>(`${address}/readyz`);
      const requested = await requestPatiently<{ error?: { code: string } }>(`${address}/v1/novels?lim=1`);
      const text = await metrics.metrics();
      await close();
      return { answer: [status, body['status'], body['missing']], given: requested.body.error?.code, text };
    };
    expect((await readiness()).answer).toEqual([503, 'not ready', { novels: 'there is no such folder' }]);
    fs.mkdirSync(path.join(dir, 'rankings'));
    await buildIndex(path.join(dir, 'novels'), [plainNovel({ ncode: 'N0001A', fetched_at })]);
    const degraded = await readiness();
    const noRankings = 'the catalogue contains none';
    expect(degraded.answer).toEqual([200, 'degraded', { rankings: noRankings }]);
    expect(degraded.text).toMatch(/^mokuroku_catalogue_generation\S* 1$/m);
    now += 15 * 86_400_000;
    const gone = await readiness();
    const outdated = 'fetched more than 14 days ago; run mokuroku harvest';
    expect(gone.answer).toEqual([503, 'not ready', { novels: outdated, rankings: noRankings }]);
    expect(gone.given).toBe('catalogue_outdated');
    expect(gone.text).toMatch(/^mokuroku_catalogue_outdated\S* 1$/m);
    expect(degraded.text).toMatch(/^mokuroku_catalogue_age_seconds\S* 0(?:\.\d+)?$/m);
    expect(gone.text).toMatch(/^mokuroku_catalogue_age_seconds\S* Nan$/m);
    const withUpstream = await readiness({
      CATALOGUE_FALLBACK: 'narou',
      NAROU_BASE_URL: 'http://127.0.0.1:9/',
      NAROU_CONTACT: 'https://example.org/',
    });
    expect(withUpstream.answer.slice(0, 2)).toEqual([200, 'degraded']);
    await buildIndex(path.join(dir, 'novels'), []);
    expect((await readiness()).answer).toEqual([
      503,
      'not ready',
      { novels: 'the catalogue contains none', rankings: noRankings },
    ]);
    await buildIndex(path.join(dir, 'novels'), [plainNovel({ ncode: 'N0001A', fetched_at })]);
    const ranking = {
      type: 'daily',
      date: '2024-04-09',
      rows: [{ rank: 1, pt: 9, ncode: 'N0001A' }],
    } as const;
    const fetchedAt = Math.floor(now / 1000);
    await publishRankings(path.join(dir, 'rankings'), { put: [{ ...ranking, fetchedAt }] });
    const partly = await readiness();
    expect(partly.answer).toEqual([200, 'degraded', { novels: outdated }]);
    expect(partly.given).toBe('catalogue_outdated');
    expect(partly.text).toMatch(/^mokuroku_catalogue_rankings\S* 1$/m);
  });

  it.each([
    ['some', 200, 'degraded', 'a file is damaged or cannot be read at present, and some requests fail'],
    ['all', 503, 'not ready', 'no complete generation in the folder'],
  ])('on a local catalogue with %s of its records damaged: %i %s', async (which, status, said, why) => {
    const dir = temporaryFolder();
    const novels = ['N0001A', 'N0002A'].map((ncode) =>
      plainNovel({ ncode, fetched_at: Math.floor(Date.now() / 1000) }),
    );
    await buildIndex(path.join(dir, 'novels'), novels);
    const records = path.join(dir, 'novels/segment-000001-1/records');
    const bytes = which === 'all' ? fs.statSync(records).size : 1;
    fs.writeFileSync(records, Buffer.alloc(bytes), { flag: 'r+' });
    const { address } = await start({ CATALOGUE_SOURCE: 'local', CATALOGUE_DIR: dir });
    await expect
      .poll(async () => {
        const { status, body } = await requestPatiently<Record<string, unknown>>(`${address}/readyz`);
        return [status, body['status'], body['missing']];
      })
      .toEqual([status, said, { novels: why }]);
  });

  it('on a local catalogue without a folder fails with the reason', async () => {
    for (const folder of [{}, { CATALOGUE_DIR: '/there/is/no/such/folder' }]) {
      const failure: unknown = await startCatalogue({ CATALOGUE_SOURCE: 'local', ...folder }).catch(
        (error: unknown) => error,
      );
      expect(failure).toBeInstanceOf(ConfigError);
      expect((failure as ConfigError).message).toContain('CATALOGUE_DIR=');
    }
  });

  it('with invalid settings names every one of them', async () => {
    const bad = {
      CATALOGUE_PORT: '70000',
      CATALOGUE_SOURCE: 'real',
      NAROU_BASE_URL: 'ftp://example.org',
      UPSTREAM_TIMEOUT_MS: '0x10',
      RATE_LIMIT: '-1',
      NAROU_CONTACT: 'line\nbreak',
    };
    const failure: unknown = await startCatalogue(bad).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ConfigError);
    for (const name of Object.keys(bad)) expect((failure as ConfigError).message).toContain(`${name}=`);
  });

  it.each([
    ['UPSTREAM_TIMEOUT_MS', '0'],
    ['NAROU_BASE_URL', 'http://a.example/<b>'],
    ['NAROU_BASE_URL', 'http://[::1'],
    ['CATALOGUE_DIR', import.meta.filename],
  ])('refuses %s=%s', async (name, value) => {
    await expect(startCatalogue({ [name]: value })).rejects.toThrow(
      `${name}=${JSON.stringify(value)}: must be`,
    );
  });

  it('on a port in use fails, and stops everything it has started', async () => {
    const { address } = await start({});
    const again = start({ CATALOGUE_PORT: new URL(address).port });
    await expect(again).rejects.toMatchObject({ code: 'EADDRINUSE' });
  });
});

describe('the queue to the live upstream', () => {
  it('is at most half a second by the mean of the calls so far; longer waits are refused', async () => {
    const time = { ms: 0 };
    const answer = packed([{ allcount: 1 }, { ncode: 'N0001A' }]);
    const upstream = await startLoopbackUpstream((request, response) => {
      // A tenth of it becomes the mean: 50 ms.
      time.ms += 500;
      answer(request, response);
    });
    const { address, metrics } = await start(
      {
        CATALOGUE_SOURCE: 'narou',
        NAROU_BASE_URL: upstream.url,
        NAROU_CONTACT: 'x',
        UPSTREAM_CONNECTIONS: '1',
        RATE_LIMIT: '0',
      },
      { now: () => Date.UTC(2026, 0, 1), monotonic: () => time.ms },
    );
    const statusOf = async (word: string) => (await fetch(`${address}/v1/novels?word=${word}`)).status;
    expect(await statusOf('first')).toBe(200);
    let release: () => void = () => undefined;
    upstream.answer = (request, response) => {
      upstream.answer = answer;
      release = () => {
        answer(request, response);
      };
    };
    const statuses = Array.from({ length: 14 }, (_, i) => statusOf(`w${i}`));
    const cachedCount = async (name: string) =>
      Number(
        new RegExp(`^mokuroku_upstream_calls_${name}.* (\\d+)$`, 'm').exec(await metrics.metrics())?.[1],
      );
    await expect
      .poll(async () => (await cachedCount('waiting')) + (await cachedCount('total.*refused')), {
        timeout: 20_000,
      })
      .toBe(13);
    expect(await cachedCount('waiting')).toBe(10);
    release();
    expect((await Promise.all(statuses)).filter((status) => status === 503)).toHaveLength(3);
  });
});

/** Of files that the system cannot read. */
const readiness = (novels: PartState, rankings: PartState) => {
  const facts = () => ({}) as ReturnType<LocalSource['facts']>;
  const local = { facts, states: () => ({ novels, adult: 'absent' as const, rankings }) };
  expect(partsLacking({ local, gate: undefined })).toEqual([
    'adult',
    ...(['unreadable', 'absent', 'outdated', 'empty', 'broken'].includes(rankings) ? ['rankings'] : []),
  ]);
  const { status, missing } = readinessOf({ local, gate: undefined, budget: undefined });
  return [status, missing];
};
const RETRIED = 'retried every two seconds';
const UNREADABLE = `its files cannot be read at present; ${RETRIED}`;
const BEHIND = `the folder or a newer generation cannot be read at present; ${RETRIED}`;

it.each<[PartState, PartState, string, object | undefined]>([
  ['unreadable', 'unreadable', 'not ready', { novels: UNREADABLE, rankings: UNREADABLE }],
  ['unreadable', 'served', 'degraded', { novels: UNREADABLE }],
  ['behind', 'served', 'degraded', { novels: BEHIND }],
  ['behind', 'behind', 'degraded', { novels: BEHIND, rankings: BEHIND }],
  ['served', 'served', 'ready', undefined],
])('with %s novels and %s rankings a service is %s', (novels, rankings, status, missing) => {
  expect(readiness(novels, rankings)).toEqual([status, missing]);
});

it('malformed responses are logged once per hour and kind, and all are counted', () => {
  const time = { ms: 0 };
  const clock = { now: () => time.ms, monotonic: () => time.ms };
  const lines: unknown[] = [];
  const { logger } = createLogger('test', 'warn', {
    write: (line: string) => {
      lines.push(JSON.parse(line));
    },
  });
  const { report, totals } = createSourceProblemLog(logger, clock);
  const odd = { upstream: 'novelapi', problem: 'mistyped_field', about: 'length', count: 500 } as const;
  for (let i = 0; i < 10; i++) report(odd);
  report({ ...odd, about: 'title', count: 1 });
  expect(lines).toMatchObject([{ about: 'length', count: 500 }, { about: 'title' }]);
  time.ms += 3_599_999;
  report(odd);
  expect(lines).toHaveLength(2);
  time.ms += 1;
  report(odd);
  expect(lines).toHaveLength(3);
  expect(totals).toEqual(new Map([['novelapi mistyped_field', 12 * 500 + 1]]));
});
