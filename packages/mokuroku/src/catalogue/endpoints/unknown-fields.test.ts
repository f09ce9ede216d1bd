import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../../../test/temporary-folder.ts';
import { recordByHand, searchByHand } from '../../../test/catalogue/search-by-hand.ts';
import { ordersOn } from '../../../test/catalogue/three-sources.ts';
import { testTransport } from '../../../../narou/test/narou-test-source.ts';
import { chanceOf, seededRandom, withHoles } from '../../../../narou/test/random-questions.ts';
import { startTestCatalogue, TEST_NOW } from '../../../test/catalogue/start-test-catalogue.ts';
import type { TestCatalogue } from '../../../test/catalogue/start-test-catalogue.ts';
import { createEmbeddedCatalogue, createSampleSource } from '@mokuroku/narou/sample';
import type { CatalogueSource } from '@mokuroku/narou/source';
import type { CatalogueNovel } from '@mokuroku/narou/scan';
import { buildIndex } from '../../../../local-catalogue/src/engine/build-index.ts';
import { createNovelScan } from '../../../../narou/src/scan/novel-scan.ts';
import { overFolder } from '../../../test/catalogue/local-folder.ts';
import { createNarouSource } from '../../../../narou/src/live/narou-source.ts';
import { startNarouServer } from '../../../../../test/upstream/index.ts';
import { NOVELAPI_ORDERS } from '@mokuroku/narou';
import { CONDITION_NAMES, FIELD_ROWS } from '../../../../narou/src/novels/search-conditions.ts';
import { NOVEL_SEARCH_PARAMETERS } from '@mokuroku/narou/queries';

const NAMES = ['live', 'sample', 'local'] as const;
const services: Partial<Record<(typeof NAMES)[number], TestCatalogue>> = {};
let server: Awaited<ReturnType<typeof startNarouServer>>;
let novels: CatalogueNovel[] = [];
let whole: readonly CatalogueNovel[] = [];

beforeAll(async () => {
  const clock = { now: () => TEST_NOW, monotonic: () => performance.now() };
  const embedded = createEmbeddedCatalogue({ clock });
  const chance = chanceOf(seededRandom(22));
  whole = embedded
    .novels()
    .filter((_, index) => index % 60 === 0)
    .map((novel) => ({ ...novel, novelupdated_at: '2026-10-15 12:00:00', story: '' }));
  novels = embedded
    .novels()
    .slice(-120)
    .map((novel) => withHoles(chance, novel))
    // A date that is none is not published: here every date is one, or absent.
    .map(({ general_lastup = '', ...novel }) => ({
      ...novel,
      ...(/^20\d\d-\d\d-\d\d \d/.test(general_lastup) && { general_lastup }),
    }));
  const scan = createNovelScan(novels, clock.now);
  const catalogue = { ...embedded, novelIndex: () => scan };
  server = await startNarouServer({ catalogue, clock });
  const dir = temporaryFolder();
  await buildIndex(path.join(dir, 'novels'), novels);
  const overServer = (): CatalogueSource =>
    createNarouSource({
      transport: testTransport(server.url, { clock }),
      report: () => undefined,
      clock,
    });
  services.live = await startTestCatalogue({ sourceOver: overServer });
  services.sample = await startTestCatalogue({
    sourceOver: () => createSampleSource(catalogue, clock),
  });
  services.local = await startTestCatalogue({ sourceOver: overFolder(dir) });
});
afterAll(async () => {
  for (const service of Object.values(services)) await service.close();
  await server.close();
});

const CONDITIONS: readonly Readonly<Record<string, string>>[] = [
  {},
  ...FIELD_ROWS.filter(({ kind }) => kind === 'flag').map(({ name }) => ({ [name]: '1' })),
  { istt: '1' },
  { stop: '1' },
  { stop: '2' },
  { isr15: '1', notbl: '1', istensei: '1' },
  ...['t', 'r', 'er', 're', 'ter'].map((type) => ({ type })),
  { length: '0-' },
  { length: '-50000' },
  { minlen: '0' },
  { maxlen: '9000000' },
  { time: '0-' },
  { kaiwaritu: '-100' },
  { sasie: '0-5' },
  { genre: '201,101' },
  { notgenre: '201' },
  { biggenre: '2' },
  { notbiggenre: '1' },
  { lastup: '0-9999999999' },
  { firstup: '0-9999999999' },
  { ispickup: '1' },
  { lastupdate: 'lastmonth' },
  { notword: 'ない' },
  { word: 'の', title: '1' },
  { notword: 'の', ex: '1' },
  { order: 'dailypoint', of: 't-n-w-g-gl-l-ir-nt-dp' },
];

/** Those that do not match as they are, and would with the missing fields of some other novel. */
function undecidedByHand(query: Readonly<Record<string, string>>): string[] {
  const matches = (some: readonly CatalogueNovel[]) => searchByHand(some, { lim: '500', ...query }).all > 0;
  const undecided = novels.filter(
    (novel) => !matches([novel]) && matches(whole.map((other) => ({ ...other, ...novel }))),
  );
  return undecided.map(({ ncode }) => ncode).sort();
}

describe.each(NAMES)('fields missing in the response of the upstream, on %s', (name) => {
  it('match no filter, sort last, and are absent in the response', async () => {
    const orders = ordersOn(name === 'live', NOVELAPI_ORDERS).map((order) => ({ order }));
    for (const requested of [...CONDITIONS, ...orders]) {
      const query: Readonly<Record<string, string>> = { lim: '500', ...requested };
      const { body } = await services[name]!.get(`/v1/novels?${new URLSearchParams(query).toString()}`);
      const { all, items } = searchByHand(novels, query);
      const ncodes = (body.data as { ncode: string }[]).map(({ ncode }) => ncode);
      expect([body.meta.upstreamAllCount, ncodes], JSON.stringify(requested)).toEqual([
        all,
        items.map(({ ncode }) => ncode),
      ]);
      const [first] = body.data as Record<string, unknown>[];
      const wanted = novels.find(({ ncode }) => ncode === first?.['ncode']);
      if (wanted === undefined) continue;
      const { genre_label, ...fields } = first ?? {};
      expect(fields).toEqual(recordByHand(wanted, query['of']));
      expect(genre_label === undefined, 'a label where there is a code').toBe(wanted.genre === undefined);
    }
  });

  it('are no reason to take a requested novel for none that matches: it is named', async () => {
    const ncode = novels.map((novel) => novel.ncode).join();
    const ofUpstream = ['word', 'notword', 'ispickup'];
    let count = 0;
    for (const requested of CONDITIONS) {
      if (name === 'live' && ofUpstream.some((each) => each in requested)) continue;
      const query = new URLSearchParams({ ...requested, ncode, of: 'n', lim: '1' }).toString();
      const { unknown = [] } = (await services[name]!.get(`/v1/novels?${query}`)).body.meta;
      expect(unknown.toSorted(), JSON.stringify(requested)).toEqual(undecidedByHand(requested));
      count += unknown.length;
    }
    expect(count).toBeGreaterThan(200);
  });

  it('do not remove their row, which is empty if nothing else was requested', async () => {
    const { body } = await services[name]!.get('/v1/novels?of=l&lim=500&order=ncodeasc');
    const { items } = searchByHand(novels, { lim: '500', order: 'ncodeasc' });
    expect(body.data).toEqual(items.map((novel) => recordByHand(novel, 'l')));
    expect(body.data).toContainEqual({});
  });

  it('are empty cells of CSV, and missing in no other form', async () => {
    const { get } = services[name]!;
    const page = 'lim=200&order=ncodeasc';
    const { body } = await get(`/v1/novels?${page}`);
    const rows = body.data as Record<string, string | number | undefined>[];
    const csv = (await get(`/v1/novels?${page}&format=csv&of=n-l-g-gp-ir-gl`)).text.split('\r\n');
    expect(csv[0]).toContain('ncode');
    const columns = (csv[0] ?? '').replace('\ufeff', '').split(',');
    const cells = csv.slice(1, rows.length + 1).map((line) => line.split(','));
    for (const [index, row] of rows.entries()) {
      for (const field of ['length', 'genre', 'global_point', 'isr15', 'general_lastup']) {
        expect(cells[index]?.[columns.indexOf(field)], `${String(row['ncode'])} ${field}`).toBe(
          String(row[field] ?? ''),
        );
      }
    }
    const atom = await get(`/v1/novels?${page}&format=atom`);
    expect(atom.status).toBe(200);
    expect(atom.text).not.toMatch(/undefined|NaN|Invalid|null/);
    expect(atom.text.match(/<entry /g)).toHaveLength(rows.length);
  });

  it('a condition that the source does not declare is refused by its name', async () => {
    const { get, source } = services[name]!;
    const applies: ReadonlySet<string> = source.novels.novelapi.applies;
    for (const [condition, { example }] of Object.entries(NOVEL_SEARCH_PARAMETERS)) {
      if (!CONDITION_NAMES.has(condition)) continue;
      // Targets have an effect on words alone.
      const values = { word: 'の', lim: '1', [condition]: String(example ?? 1) };
      const given = new URLSearchParams(values).toString();
      for (const path of [`/v1/novels?${given}`, `/v1/novels?facets=type&${given}`]) {
        if (path.includes('facets') && source.local === undefined) continue;
        const { status, body } = await get(path);
        expect(status, condition).toBe(applies.has(condition) ? 200 : 501);
        if (status === 200) expect(body.meta.ignored).toBeUndefined();
        else expect(body.error.message).toContain(condition);
      }
    }
    expect(applies.has('buntai')).toBe(name !== 'local');
    expect(applies.size).toBeGreaterThan(40);
  });

  it('a condition that the source declares has an effect', async () => {
    const { get, source } = services[name]!;
    const filters = [...source.novels.novelapi.applies].filter((each) => each in NOVEL_SEARCH_PARAMETERS);
    const given: Record<string, string> = { word: '猫', notword: 'の', minlen: '60000', maxlen: '60000' };
    const none = ['title', 'ex', 'keyword', 'wname'];
    const total = async (query: string) =>
      (await get(`/v1/novels?lim=1&of=n&${query}`)).body.meta.upstreamAllCount;
    const [all, ofWord] = [await total(''), await total(`word=${encodeURIComponent('の')}`)];
    for (const condition of filters) {
      if (condition === 'opt') continue;
      const { example } = NOVEL_SEARCH_PARAMETERS[condition as keyof typeof NOVEL_SEARCH_PARAMETERS];
      const isTarget = none.includes(condition);
      const value = given[condition] ?? String(example ?? 1);
      const query = new URLSearchParams({ [condition]: value, ...(isTarget && { word: 'の' }) }).toString();
      expect(await total(query), condition).not.toBe(isTarget ? ofWord : all);
    }
  });
});

// The live upstream has no facets.
it.each(NAMES.filter((name) => name !== 'live'))(
  'missing fields are counted by no facet on %s',
  async (name) => {
    const { body } = await services[name]!.get('/v1/novels?lim=1&facets=genre,biggenre,type,isr15');
    const counts = (values: readonly (string | number | undefined)[]) => {
      const counted: Record<string, number> = {};
      for (const value of values) {
        if (value !== undefined) counted[String(value)] = (counted[String(value)] ?? 0) + 1;
      }
      return counted;
    };
    const typeOf = ({ noveltype, end }: CatalogueNovel) =>
      noveltype === 2 ? 't' : noveltype === 1 && end !== undefined ? (end === 1 ? 'r' : 'er') : undefined;
    expect(body.meta.facets).toEqual({
      genre: counts(novels.map(({ genre }) => genre)),
      biggenre: counts(novels.map(({ biggenre }) => biggenre)),
      isr15: counts(novels.map(({ isr15 }) => isr15)),
      type: counts(novels.map(typeOf)),
    });
  },
);
