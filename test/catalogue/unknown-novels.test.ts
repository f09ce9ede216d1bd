import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { HOUR_AGO, localServices } from '../../packages/mokuroku/test/catalogue/local-services.ts';
import type { LocalServiceOptions } from '../../packages/mokuroku/test/catalogue/local-services.ts';
import { storedRanking } from '../../packages/mokuroku/test/catalogue/local-folder.ts';
import { buildIndex } from '../../packages/local-catalogue/src/engine/build-index.ts';
import { ncodeToNumber } from '@mokuroku/narou';

const DAY = 86_400;
const DATE = '2026-11-20';
const services = localServices();

/** The first novels of a ranking that the upstream has. */
const ranked = (count: number): string[] => {
  const { rows } = storedRanking(services.upstream.catalogue, 'daily', DATE, 0);
  const existing = new Set(services.upstream.catalogue.novels().map(({ ncode }) => ncode));
  return rows.flatMap(({ ncode }) => (existing.has(ncode) ? [ncode] : [])).slice(0, count);
};

/**
 * A folder with all rankings. Of the first of one, `missing` was published since the harvest, `withdrawn` was denied by
 * the upstream, `old` was denied and came back, and was fetched too long ago.
 */
async function folder(name: string) {
  const [missing = '', withdrawn = '', old = '', present = ''] = ranked(4);
  const dir = services.copyOf(name);
  const novels = services
    .datedNovels(() => HOUR_AGO)
    .filter(({ ncode }) => [withdrawn, old, present].includes(ncode))
    .map((novel) => (novel.ncode === old ? { ...novel, fetched_at: HOUR_AGO - 14 * DAY } : novel));
  const options = { spacing: 4, now: HOUR_AGO };
  // Other novels of the copied generation are left out without an event.
  await buildIndex(path.join(dir, 'novels'), novels, options);
  const withdraw = (gone: string) =>
    buildIndex(
      path.join(dir, 'novels'),
      novels.filter(({ ncode }) => ncode !== gone),
      { ...options, withdrawn: new Set([ncodeToNumber(gone)]) },
    );
  // Back in the next generation.
  await withdraw(old);
  await withdraw(withdrawn);
  return { dir, missing, withdrawn, old, present };
}

type Entry = { ncode: string; title?: string; unknown?: string };

async function started(name: string, options: LocalServiceOptions = {}) {
  const { dir, ...ncodes } = await folder(name);
  return { ...(await services.start(dir, options)), ...ncodes };
}

describe('a novel that a folder does not hold, without an upstream', () => {
  it('is as unknown to a search for its Ncode as word, as to one by ncode', async () => {
    const { get, missing, withdrawn, present } = await started('by-word');
    const outcomeOf = async (query: string) => {
      const { status, body } = await get(`/v1/novels?of=n&${query}`);
      expect([query, status]).toEqual([query, 200]);
      return [body.data as unknown, body.meta.unknown];
    };
    expect(await outcomeOf(`word=${present.toLowerCase()}`)).toEqual([[{ ncode: present }], undefined]);
    expect(await outcomeOf(`word=${missing}&title=1`)).toEqual([[], [missing]]);
    expect(await outcomeOf(`word=${withdrawn}`)).toEqual([[], undefined]);
    const both = `ncode=${missing},${present}`;
    expect(await outcomeOf(`word=${present}&${both}`)).toEqual([[{ ncode: present }], undefined]);
    // No other novel has that Ncode.
    expect(await outcomeOf(`word=N0001A&${both}`)).toEqual([[], undefined]);
  });

  it('is not available alone or with its history; only one that the upstream denied does not exist', async () => {
    const { get, missing, withdrawn, old, present } = await started('alone');
    const statusOf = async (path: string) => {
      const { status, body } = await get(path);
      return [status, status === 200 ? undefined : body.error.code];
    };
    expect(await statusOf(`/v1/novels/${present}`)).toEqual([200, undefined]);
    expect(await statusOf(`/v1/novels/${withdrawn}`)).toEqual([404, 'not_found']);
    expect(await statusOf(`/v1/novels/${missing}`)).toEqual([501, 'not_available_here']);
    expect(await statusOf(`/v1/novels/${old}`)).toEqual([503, 'catalogue_outdated']);
    expect(await statusOf(`/v1/r18/novels/${missing}`)).toEqual([501, 'not_available_here']);
    // A ranked novel has a history, whatever is known of it; for another one the novel must be known.
    expect(await statusOf(`/v1/novels/${missing}/ranking-history`)).toEqual([200, undefined]);
    expect(await statusOf('/v1/novels/N9999ZZ/ranking-history')).toEqual([501, 'not_available_here']);
    const { body } = await get(`/v1/ranking-histories?ncode=${present},N9999ZZ`);
    expect(Object.keys(body.data as object)).toEqual([present]);
    expect(body.meta.unknown).toEqual(['N9999ZZ']);
    expect(body.meta).not.toHaveProperty('absent');
    const none = await get('/v1/ranking-histories?ncode=N9998ZZ,N9999ZZ');
    expect([none.status, none.body.data, none.body.meta.unknown]).toEqual([200, {}, ['N9998ZZ', 'N9999ZZ']]);
    const lines = (await get(`/v1/ranking-histories?ncode=N9999ZZ&format=ndjson`)).text;
    expect(JSON.parse(lines)).toMatchObject({ ncode: 'N9999ZZ', error: { code: 'not_available_here' } });
  });

  it('keeps a reason in its entry of rankings, so that it does not look withdrawn', async () => {
    const { get, missing, withdrawn, old, present } = await started('ranked');
    const entryOf = (entries: Entry[], ncode: string) => entries.find((entry) => entry.ncode === ncode);
    const one = (await get(`/v1/rankings/daily/hydrated?date=${DATE}&of=t`)).body.data as Entry[];
    const span = (await get(`/v1/rankings/daily/hydrated?from=${DATE}&to=${DATE}&of=t`)).body.data as {
      entries: Entry[];
    }[];
    for (const entries of [one, span[0]!.entries]) {
      expect(entryOf(entries, present)?.title).toEqual(expect.any(String));
      expect(entryOf(entries, present)?.unknown).toBeUndefined();
      expect(Object.keys(entryOf(entries, withdrawn)!)).toEqual(['rank', 'pt', 'ncode']);
      expect(entryOf(entries, missing)?.unknown).toBe('not_available_here');
      expect(entryOf(entries, old)?.unknown).toBe('catalogue_outdated');
    }
    const { text } = await get(`/v1/rankings/daily/hydrated?date=${DATE}&of=t&format=csv`);
    expect(text).toMatch(/^\ufeff?rank,pt,ncode,title,unknown\r\n/);
    expect(text).toMatch(new RegExp(`,${missing},,not_available_here\r\n`));
  });

  it('is named by a filtered ranking, which cannot judge it: in JSON, CSV and Atom', async () => {
    const { get, missing, withdrawn, old, present } = await started('filtered');
    const filter = `of=t&minlen=1&ncode=${[missing, withdrawn, old, present].join()}`;
    const all = ranked(Infinity).filter((ncode) => ![withdrawn, present].includes(ncode));
    const unknown = (body: { meta: { unknown?: string[] } }) => body.meta.unknown?.toSorted();
    for (const dates of [`date=${DATE}`, `from=${DATE}&to=${DATE}`]) {
      const path = `/v1/rankings/daily/hydrated?${dates}`;
      const { body } = await get(`${path}&${filter}`);
      const data = body.data as (Entry & { entries?: Entry[] })[];
      const entries = data.flatMap((each) => each.entries ?? [each]);
      expect([dates, entries.map(({ ncode }) => ncode)]).toEqual([dates, [present]]);
      expect(unknown(body)).toEqual(expect.arrayContaining([missing, old].toSorted()));
      expect(unknown(body)).not.toContain(withdrawn);
      expect(unknown(body)?.length).toBeGreaterThanOrEqual(all.length);
      for (const format of ['csv', 'atom']) {
        const { headers } = await get(`${path}&${filter}&format=${format}`);
        expect(headers['x-incomplete']).toMatch(new RegExp(`^unknown=(?:N\\w+ )*${missing}\\b`));
      }
      expect((await get(`${path}&of=t`)).body.meta).not.toHaveProperty('unknown');
    }
  });

  it('is the failure of rankings of which no novel is known', async () => {
    const dir = services.copyOf('unranked');
    const all = new Set(ranked(Infinity));
    const others = services.datedNovels(() => HOUR_AGO).filter(({ ncode }) => !all.has(ncode));
    await buildIndex(path.join(dir, 'novels'), others.slice(0, 3), { spacing: 4, now: HOUR_AGO });
    const { get } = await services.start(dir);
    for (const dates of [`date=${DATE}`, `from=${DATE}&to=${DATE}`]) {
      const { status, body } = await get(`/v1/rankings/daily/hydrated?${dates}&of=t`);
      expect([status, body.error.code], dates).toEqual([501, 'not_available_here']);
    }
  });

  it('is named by a search for it', async () => {
    const { get, missing, withdrawn, old, present } = await started('searched');
    const path = `/v1/novels?ncode=${[missing, withdrawn, old, present].join()}&of=n`;
    const { body } = await get(path);
    expect([body.data, body.meta.unknown]).toEqual([[{ ncode: present }], [missing, old]]);
    expect((await get(`${path}&format=csv`)).headers['x-incomplete']).toBe(`unknown=${missing} ${old}`);
    const lines = (await get(`${path}&format=ndjson`)).text.trim().split('\n');
    expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ meta: { count: 1, unknown: [missing, old] } });
    expect((await get(`/v1/novels?ncode=${present},${withdrawn}`)).body.meta).not.toHaveProperty('unknown');
  });
});

describe('a novel that a folder does not hold, with an upstream', () => {
  it('comes from there: alone, in rankings, in searches and with its history; a denied one is not requested', async () => {
    const service = await started('joined', { hasUpstream: true });
    const { get, missing, withdrawn, old, present, upstream } = service;
    expect((await get(`/v1/novels/${withdrawn}`)).status).toBe(404);
    expect(upstream.requests()).toHaveLength(0);
    for (const ncode of [missing, old]) expect((await get(`/v1/novels/${ncode}`)).status).toBe(200);
    expect((await get('/v1/novels/N9999ZZ')).body.error.code).toBe('not_found');
    expect((await get('/v1/novels/N9999ZZ/ranking-history')).status).toBe(404);
    const { body } = await get(`/v1/rankings/daily/hydrated?date=${DATE}&of=t&lim=9`);
    const titled = (body.data as Entry[]).filter(({ title }) => title !== undefined);
    const ncodes = titled.map(({ ncode }) => ncode);
    expect(ncodes).toEqual(expect.arrayContaining([missing, old, present]));
    expect(ncodes).not.toContain(withdrawn);
    expect((body.data as Entry[]).filter(({ unknown }) => unknown !== undefined)).toEqual([]);
    const search = await get(`/v1/novels?ncode=${[missing, old, present].join()}&of=n`);
    expect(search.body.data).toHaveLength(3);
    expect(search.body.meta).not.toHaveProperty('unknown');
  });

  it('stays unknown while the upstream fails, for a minute', async () => {
    const service = await started('failing', { hasUpstream: true });
    const { get, missing, withdrawn, old, present, upstream, advance } = service;
    upstream.switches.maintenance = 'html503';
    const hydrated = async (ncode: string) => {
      const { body } = await get(`/v1/rankings/daily/hydrated?date=${DATE}&of=t&lim=9`);
      return (body.data as Entry[]).find((entry) => entry.ncode === ncode);
    };
    for (const ncode of [missing, old]) expect((await hydrated(ncode))?.unknown).toBe('upstream_unavailable');
    for (const ncode of [withdrawn, present]) expect((await hydrated(ncode))?.unknown).toBeUndefined();
    const search = await get(`/v1/novels?ncode=${[missing, old, present].join()}&of=n`);
    expect([search.body.data, search.body.meta.unknown]).toEqual([[{ ncode: present }], [missing, old]]);
    expect((await get(`/v1/novels/${missing}`)).status).toBe(503);
    upstream.switches.maintenance = 'off';
    advance(90);
    expect((await hydrated(missing))?.title).toEqual(expect.any(String));
  });
});
