import { readFileSync, readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { startAnsweredSource, codeOf } from '../../test/narou-test-source.ts';
import {
  ADULT_RECORD,
  RECORD_OF_2016,
  RECORD_OF_2017,
  RECORD_OF_2020,
  RECORD_OF_2026,
  RECORD_OF_TODAY,
  omit,
} from '../../test/invented-records.ts';
import { packed, plain } from '../../../../test/catalogue/loopback-upstream.ts';
import type { UpstreamHandler } from '../../../../test/catalogue/loopback-upstream.ts';
import { japanDateTime } from '../novels/japan-date.ts';
import { OF_FIELDS } from '../novels/of-fields.ts';
import type { NovelQuery } from '../novels/novel-query.ts';
import type { NovelRecord } from '../source/index.ts';

/** The same JSON in a form that takes the general parser. */
const spaced = (value: unknown): UpstreamHandler => plain(JSON.stringify(value, null, 1));

const SEARCH = { order: 'new', lim: 20, st: 1 } as const;
const decoded = (text: string) =>
  text.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');

/** The expected record: the same fields with the same values, except the four published changes. */
function published(raw: NovelRecord): NovelRecord {
  const record: NovelRecord = {};
  for (const [name, value] of Object.entries(raw)) {
    record[name === 'novel_type' ? 'noveltype' : name] = typeof value === 'string' ? decoded(value) : value;
  }
  return record;
}

const withoutLabels = (record: NovelRecord = {}) => omit(record, 'genre_label', 'nocgenre_label');

const answer = (rows: readonly NovelRecord[]) => [{ allcount: rows.length }, ...rows];

/** The novels of a search that the upstream answers with these rows, its `of`, and what was reported. */
async function searched(rows: readonly NovelRecord[] | UpstreamHandler, query: Partial<NovelQuery> = {}) {
  const { source, upstream, problems } = await startAnsweredSource(
    typeof rows === 'function' ? rows : answer(rows),
  );
  const { items } = await source.novels.novelapi.search({ ...SEARCH, ...query });
  return { items, novel: items[0] ?? {}, of: upstream.seen[0]?.query.get('of'), problems };
}

describe('a record of the upstream', () => {
  it.each([
    ['2026', RECORD_OF_2026],
    ['2020', RECORD_OF_2020],
    ['2017', RECORD_OF_2017],
    ['2016', RECORD_OF_2016],
  ])('in the shape of %s is passed on with all fields, types and their order', async (_year, raw) => {
    for (const write of [packed, spaced]) {
      const record = withoutLabels((await searched(write(answer([raw])))).novel);
      expect(record).toEqual(published(raw));
      expect(Object.keys(record)).toEqual(Object.keys(published(raw)));
    }
  });

  it('has its text decoded exactly once', async () => {
    expect((await searched([RECORD_OF_TODAY])).novel).toMatchObject({
      title: '霧の港の「時計師」 & 猫',
      story: '港町の時計師は言った。\n"時間は<売り物>ではない"\n\n※1/3 完結 𠮟&lt;',
    });
  });

  it('has the label beside the genre, an empty one for an unknown genre', async () => {
    const { items, problems } = await searched([RECORD_OF_TODAY, { ...RECORD_OF_2016, ncode: 'N0001A' }]);
    const [novel = {}, old] = items;
    expect([novel['genre_label'], old?.['genre_label']]).toEqual(['ヒューマンドラマ〔文芸〕', '']);
    const names = Object.keys(novel);
    expect(names.indexOf('genre_label')).toBe(names.indexOf('genre') + 1);
    expect(problems).toContainEqual({
      upstream: 'novelapi',
      problem: 'unknown_code',
      about: 'genre 5',
      count: 1,
    });
  });

  it('without `of` keeps unknown fields', async () => {
    const unknown = { weekly_unique: 12, memo: 'a &amp; b', extra: { a: [1] } };
    const { novel, problems } = await searched([{ ...RECORD_OF_TODAY, ...unknown }]);
    expect(novel).toMatchObject({ ...unknown, memo: 'a & b' });
    expect(problems).toEqual([]);
  });

  it('with `of` has exactly the selected fields, in the order of the table', async () => {
    const { novel, of } = await searched([RECORD_OF_TODAY], { of: ['n', 'g', 'nt'] });
    expect(Object.entries(novel)).toEqual([
      ['ncode', 'N4821KZ'],
      ['genre', 302],
      ['genre_label', 'ヒューマンドラマ〔文芸〕'],
      ['noveltype', 1],
    ]);
    expect(of).toBe('n-g-nt');
  });

  it('of adult novels has its own genre with its label; with an empty selection it is empty', async () => {
    const { source, upstream } = await startAnsweredSource(answer([ADULT_RECORD]));
    const [novel] = (await source.novels.novel18api.search(SEARCH)).items;
    expect(withoutLabels(novel)).toEqual(published(ADULT_RECORD));
    expect(novel?.['nocgenre_label']).toBe('ムーンライトノベルズ(女性向け)');
    expect((await source.novels.novel18api.search({ ...SEARCH, of: [] })).items).toEqual([{}]);
    expect(upstream.seen[1]?.query.get('of')).toBe('n');
  });
});

describe('a malformed record', () => {
  it('lacks a flag that is neither 0 nor 1', async () => {
    const { novel, problems } = await searched([{ ...RECORD_OF_TODAY, isr15: 2 }]);
    expect(novel).not.toHaveProperty('isr15');
    expect(problems).toMatchObject([{ problem: 'mistyped_field', about: 'isr15' }]);
  });

  it('has numbers written as text converted, with one report per response', async () => {
    const raw = { ...RECORD_OF_TODAY, length: '100501', title: 404, isr15: true, ncode: 'n4821kz' };
    const { items, problems } = await searched([{ ...raw, ncode: 'N0001A' }, raw]);
    expect(items[1]).toMatchObject({ length: 100_501, title: '404', isr15: 1, ncode: 'N4821KZ' });
    expect(problems).toEqual(
      ['title', 'length', 'isr15'].map((about) => ({
        upstream: 'novelapi',
        problem: 'mistyped_field',
        about,
        count: 2,
      })),
    );
  });

  it('drops unreadable fields, and reports them', async () => {
    const fields = { length: 'long', story: null, end: [] };
    const { novel, problems } = await searched([{ ...RECORD_OF_TODAY, ...fields }]);
    for (const field of Object.keys(fields)) expect(novel).not.toHaveProperty(field);
    expect(new Set(problems.map(({ about }) => about))).toEqual(new Set(Object.keys(fields)));
  });

  it('drops times more than a day ahead, but for those of the upstream itself', async () => {
    const inHours = (hours: number) => japanDateTime(Date.now() + hours * 3_600_000);
    const soon = { general_lastup: inHours(23), novelupdated_at: inHours(23), updated_at: inHours(48) };
    const { novel, problems } = await searched([{ ...RECORD_OF_TODAY, ...soon }]);
    expect([novel, problems]).toEqual([expect.objectContaining(soon), []]);
    const late = { general_lastup: inHours(25), novelupdated_at: inHours(25) };
    const { novel: dropped, problems: noted } = await searched([{ ...RECORD_OF_TODAY, ...late }]);
    for (const field of Object.keys(late)) expect(dropped).not.toHaveProperty(field);
    expect(noted.map(({ about }) => about)).toEqual(Object.keys(late));
  });

  it.each(['N', 'X0001A', 'N0001A-N0002A', '', 5, null, ['N0001A']])(
    'with %j as its Ncode is none',
    async (ncode) => {
      const { items } = await searched([RECORD_OF_TODAY, { ...RECORD_OF_TODAY, ncode }]);
      expect(items.map((each) => each['ncode'])).toEqual([RECORD_OF_TODAY['ncode']]);
    },
  );

  it('drops a value that is not a number, or a number that has lost its last digits', async () => {
    const numbers = '"title":1e400,"length":1e400,"time":123456789012345678901,"end":0.4';
    const { items } = await searched(plain(`[{"allcount":1},{"ncode":"N0001A",${numbers}}]`));
    expect(items).toEqual([{ ncode: 'N0001A' }]);
  });

  it('is no record if none of its fields is readable', async () => {
    const nothing = Object.fromEntries(Object.keys(RECORD_OF_TODAY).map((name) => [name, null]));
    expect(await codeOf(searched([nothing]))).toBe('upstream_invalid');
  });

  it.each([{ length: null }, {}])(
    'without a requested field, %j, is empty if it has its Ncode',
    async (raw) => {
      const { items, of } = await searched([{ ncode: 'N0001A', ...raw }], { of: ['l'] });
      expect([items, of]).toEqual([[{}], 'n-l']);
      expect(await codeOf(searched([{}], { of: ['l'] }))).toBe('upstream_invalid');
    },
  );

  it('has its Ncode in the report of a text that is too long, requested or not', async () => {
    const raw = { ncode: 'N0001A', title: '猫', story: 'a'.repeat(20_001) };
    const { items, problems } = await searched([raw], { of: ['t', 's'] });
    expect(items).toEqual([{ title: '猫' }]);
    expect(problems).toMatchObject([{ problem: 'overlong_text', about: 'story of N0001A' }]);
  });

  it.each([
    [20_000, true],
    [20_001, false],
  ])('has texts of %i letters: %j, in known and unknown fields', async (length, isServed) => {
    const long = { story: 'a'.repeat(length), new_field: 'b'.repeat(length) };
    const { items } = await searched([{ ncode: 'N0001A', title: '猫', ...long }]);
    expect(items).toEqual([{ ncode: 'N0001A', title: '猫', ...(isServed && long) }]);
  });

  it.each<[string, NovelRecord, Partial<NovelQuery>]>([
    ['whole', {}, {}],
    ['selected', {}, { of: ['t', 'ka'] }],
    // A field that was not requested does not stand for a missing one.
    ['whole, with another that was not requested', { weekly_unique: 1 }, {}],
  ])('has missing fields reported, %s', async (_, of, query) => {
    const { problems } = await searched([{ ...omit(RECORD_OF_TODAY, 'kaiwaritu'), ...of }], query);
    const missing = { upstream: 'novelapi', problem: 'missing_field', about: 'kaiwaritu', count: 1 };
    expect(problems).toEqual([missing]);
  });

  it('cannot reach the prototype of a record', async () => {
    const { novel } = await searched(plain('[{"allcount":1},{"ncode":"N0001A","__proto__":{"admin":1}}]'));
    expect(Object.getPrototypeOf(novel)).toBe(Object.prototype);
    expect(novel['admin']).toBeUndefined();
  });
});

// Recorded responses of the real upstream are not part of this repository. Name a folder of them (`*.json`,
// novelapi's beginning with `novelapi_`) to check them.
const recorded = process.env['MOKUROKU_RECORDED_ANSWERS'];
describe.runIf(recorded)('recorded responses', () => {
  const files = recorded ? readdirSync(recorded).filter((name) => name.startsWith('novelapi_')) : [];
  it.each(files)('%s passes unchanged', async (name) => {
    const text = readFileSync(`${recorded ?? ''}/${name}`, 'utf8');
    const { source } = await startAnsweredSource(plain(text));
    const raw = (JSON.parse(text) as NovelRecord[]).filter((record) => !('allcount' in record));
    const page = await source.novels.novelapi.search(SEARCH);
    expect(page.items.map(withoutLabels)).toEqual(raw.map(published));
    const selected = await source.novels.novelapi.search({ ...SEARCH, of: OF_FIELDS.map((row) => row.code) });
    expect(selected.items).toHaveLength(raw.length);
  });
});
