import { readFileSync, readdirSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { answeredSources, codeOf } from '../../test/answered-source.ts';
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
import { OF_FIELDS } from '../novels/of-fields.ts';
import type { NovelRecord } from '../source/index.ts';

const { start, closeAll } = answeredSources();
afterEach(closeAll);

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

describe('a record of the upstream', () => {
  it.each([
    ['2026', RECORD_OF_2026],
    ['2020', RECORD_OF_2020],
    ['2017', RECORD_OF_2017],
    ['2016', RECORD_OF_2016],
  ])('in the shape of %s is passed on with all fields, types and their order', async (_year, raw) => {
    for (const write of [packed, spaced]) {
      const { source } = await start(write([{ allcount: 1 }, raw]));
      const page = await source.novels.novelapi.search(SEARCH);
      expect(page.allCount).toBe(1);
      const record = withoutLabels(page.items[0]);
      expect(record).toEqual(published(raw));
      expect(Object.keys(record)).toEqual(Object.keys(published(raw)));
    }
  });

  it('has its text decoded exactly once', async () => {
    const { source } = await start(packed([{ allcount: 1 }, RECORD_OF_TODAY]));
    const [novel] = (await source.novels.novelapi.search(SEARCH)).items;
    expect(novel?.['title']).toBe('霧の港の「時計師」 & 猫');
    expect(novel?.['story']).toBe('港町の時計師は言った。\n"時間は<売り物>ではない"\n\n※1/3 完結 𠮟&lt;');
  });

  it('has the label beside the genre, an empty one for an unknown genre', async () => {
    const { source, problems } = await start(
      packed([{ allcount: 2 }, RECORD_OF_TODAY, { ...RECORD_OF_2016, ncode: 'N0001A' }]),
    );
    const [novel, old] = (await source.novels.novelapi.search(SEARCH)).items;
    expect(novel?.['genre_label']).toBe('ヒューマンドラマ〔文芸〕');
    const names = Object.keys(novel ?? {});
    expect(names.indexOf('genre_label')).toBe(names.indexOf('genre') + 1);
    expect(old?.['genre_label']).toBe('');
    expect(problems).toContainEqual({
      upstream: 'novelapi',
      problem: 'unknown_code',
      about: 'genre 5',
      count: 1,
    });
  });

  it('without `of` keeps unknown fields', async () => {
    const { source, problems } = await start(
      packed([
        { allcount: 1 },
        { ...RECORD_OF_TODAY, weekly_unique: 12, memo: 'a &amp; b', extra: { a: [1] } },
      ]),
    );
    const [novel] = (await source.novels.novelapi.search(SEARCH)).items;
    expect(novel).toMatchObject({ weekly_unique: 12, memo: 'a & b', extra: { a: [1] } });
    expect(problems).toEqual([]);
  });

  it('with `of` has exactly the selected fields, in the order of the table', async () => {
    const { source, upstream } = await start(packed([{ allcount: 1 }, RECORD_OF_TODAY]));
    const [novel] = (await source.novels.novelapi.search({ ...SEARCH, of: ['n', 'g', 'nt'] })).items;
    expect(Object.entries(novel ?? {})).toEqual([
      ['ncode', 'N4821KZ'],
      ['genre', 302],
      ['genre_label', 'ヒューマンドラマ〔文芸〕'],
      ['noveltype', 1],
    ]);
    expect(upstream.seen[0]?.query.get('of')).toBe('n-g-nt');
  });

  it('of adult novels has its own genre with its label', async () => {
    const { source } = await start(packed([{ allcount: 1 }, ADULT_RECORD]));
    const [novel] = (await source.novels.novel18api.search(SEARCH)).items;
    expect(withoutLabels(novel)).toEqual(published(ADULT_RECORD));
    expect(novel?.['nocgenre_label']).toBe('ムーンライトノベルズ(女性向け)');
  });

  it('with an empty selection is an empty record, not a full one', async () => {
    const { source, upstream } = await start(packed([{ allcount: 1 }, ADULT_RECORD]));
    expect((await source.novels.novel18api.search({ ...SEARCH, of: [] })).items).toEqual([{}]);
    expect(upstream.seen[0]?.query.get('of')).toBe('n');
  });
});

describe('a malformed record', () => {
  it('has numbers written as text converted, with one report per response', async () => {
    const raw = { ...RECORD_OF_TODAY, length: '100501', title: 404, isr15: true, ncode: 'n4821kz' };
    const { source, problems } = await start(packed([{ allcount: '2' }, { ...raw, ncode: 'N0001A' }, raw]));
    const page = await source.novels.novelapi.search(SEARCH);
    expect(page.allCount).toBe(2);
    expect(page.items[1]).toMatchObject({ length: 100_501, title: '404', isr15: 1, ncode: 'N4821KZ' });
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
    const raw = { ...RECORD_OF_TODAY, length: 'long', story: null, end: [] };
    const { source, problems } = await start(packed([{ allcount: 1 }, raw]));
    const [novel] = (await source.novels.novelapi.search(SEARCH)).items;
    for (const field of ['length', 'story', 'end']) expect(novel).not.toHaveProperty(field);
    expect(problems.map((problem) => problem.about)).toEqual(
      expect.arrayContaining(['length', 'story', 'end']),
    );
  });

  it('drops a value that is not a number, or a number that has lost its last digits', async () => {
    const text =
      '[{"allcount":1},{"ncode":"N0001A","title":1e400,"length":1e400,"time":123456789012345678901,"end":0.4}]';
    const { source } = await start(plain(text));
    expect((await source.novels.novelapi.search(SEARCH)).items).toEqual([{ ncode: 'N0001A' }]);
  });

  it('is no record if none of its fields is readable', async () => {
    const nothing = Object.fromEntries(Object.keys(RECORD_OF_TODAY).map((name) => [name, null]));
    const { source } = await start(packed([{ allcount: 1 }, nothing]));
    expect(await codeOf(source.novels.novelapi.search(SEARCH))).toBe('upstream_invalid');
  });

  it.each([{ length: null }, {}])(
    'without a requested field, %j, is empty if it has its Ncode',
    async (raw) => {
      const selected = { ...SEARCH, of: ['l'] } as const;
      const { source, upstream } = await start(packed([{ allcount: 1 }, { ncode: 'N0001A', ...raw }]));
      expect((await source.novels.novelapi.search(selected)).items).toEqual([{}]);
      expect(upstream.seen[0]?.query.get('of')).toBe('n-l');
      const unnamed = await start(packed([{ allcount: 1 }, {}]));
      expect(await codeOf(unnamed.source.novels.novelapi.search(selected))).toBe('upstream_invalid');
    },
  );

  it('has its Ncode in the report of a text that is too long, requested or not', async () => {
    const raw = { ncode: 'N0001A', title: '猫', story: 'a'.repeat(20_001) };
    const { source, problems } = await start(packed([{ allcount: 1 }, raw]));
    const { items } = await source.novels.novelapi.search({ ...SEARCH, of: ['t', 's'] });
    expect(items).toEqual([{ title: '猫' }]);
    expect(problems).toMatchObject([{ problem: 'overlong_text', about: 'story of N0001A' }]);
  });

  it.each([
    [20_000, true],
    [20_001, false],
  ])('has texts of %i letters: %j, in known and unknown fields', async (length, isServed) => {
    const long = { story: 'a'.repeat(length), new_field: 'b'.repeat(length) };
    const { source } = await start(packed([{ allcount: 1 }, { ncode: 'N0001A', title: '猫', ...long }]));
    const { items } = await source.novels.novelapi.search(SEARCH);
    expect(items).toEqual([{ ncode: 'N0001A', title: '猫', ...(isServed && long) }]);
  });

  it('has missing fields reported, whole or selected', async () => {
    const raw = omit(RECORD_OF_TODAY, 'kaiwaritu');
    const { source, problems } = await start(packed([{ allcount: 1 }, raw]));
    const withUnrequested = await start(packed([{ allcount: 1 }, { ...raw, weekly_unique: 1 }]));
    await source.novels.novelapi.search(SEARCH);
    await source.novels.novelapi.search({ ...SEARCH, of: ['t', 'ka'] });
    // A field that was not requested does not stand for a missing one.
    await withUnrequested.source.novels.novelapi.search(SEARCH);
    const missing = { upstream: 'novelapi', problem: 'missing_field', about: 'kaiwaritu', count: 1 };
    expect(problems).toEqual([missing, missing]);
    expect(withUnrequested.problems).toEqual([missing]);
  });

  it('cannot reach the prototype of a record', async () => {
    const text = '[{"allcount":1},{"ncode":"N0001A","__proto__":{"admin":1}}]';
    const { source } = await start(plain(text));
    const [novel] = (await source.novels.novelapi.search(SEARCH)).items;
    expect(Object.getPrototypeOf(novel)).toBe(Object.prototype);
    expect(novel?.['admin']).toBeUndefined();
  });
});

// Recorded responses of the real upstream are not part of this repository. Name a folder of them (`*.json`,
// novelapi's beginning with `novelapi_`) to check them.
const recorded = process.env['MOKUROKU_RECORDED_ANSWERS'];
describe.runIf(recorded)('recorded responses', () => {
  const files = recorded ? readdirSync(recorded).filter((name) => name.startsWith('novelapi_')) : [];
  it.each(files)('%s passes unchanged', async (name) => {
    const text = readFileSync(`${recorded ?? ''}/${name}`, 'utf8');
    const { source } = await start(plain(text));
    const raw = (JSON.parse(text) as NovelRecord[]).filter((record) => !('allcount' in record));
    const page = await source.novels.novelapi.search(SEARCH);
    expect(page.items.map(withoutLabels)).toEqual(raw.map(published));
    const selected = await source.novels.novelapi.search({ ...SEARCH, of: OF_FIELDS.map((row) => row.code) });
    expect(selected.items).toHaveLength(raw.length);
  });
});
