import { expect, it } from 'vitest';
import { temporaryFolder } from '../../../../test/temporary-folder.ts';
import { DAY, HOUR, THEN, copyOnce, followedUpstream, novel } from '../../test/followed-upstream.ts';
import { eventsIn, harvestedIn } from '../../test/harvest-under-test.ts';
import { seededRandom } from '../../../narou/test/random-questions.ts';
import { japanDateTime } from '@mokuroku/narou';
import type { CatalogueNovel } from '@mokuroku/narou/scan';
import { changesBetween } from '../../../narou/src/scan/novel-changes.ts';
import { harvest } from './harvest.ts';
import { IncompleteWalk } from './walk-catalogue.ts';

type Row = Record<string, unknown>;
type Fault = (rows: readonly Row[]) => Row[];

const TEXTS = ['title', 'writer', 'story', 'keyword'];
const MARKS = ['isr15', 'isbl', 'isgl', 'iszankoku', 'istensei', 'istenni', 'end', 'isstop'];
const TIMES = ['general_firstup', 'general_lastup', 'novelupdated_at', 'updated_at'];

const upstream = followedUpstream();

/** Gives fields of each row another value. */
const each =
  (fields: readonly string[], valueOf: (row: Row, field: string) => unknown): Fault =>
  (rows) =>
    rows.map((row) => ({
      ...row,
      ...Object.fromEntries(fields.map((field) => [field, valueOf(row, field)])),
    }));
const all = (fields: readonly string[], value: unknown) => each(fields, () => value);
const textOf = (row: Row, field: string) => String(row[field]);
/** Gives each row fields of the next one. */
const shifted =
  (...fields: string[]): Fault =>
  (rows) =>
    rows.map((row, at) => ({
      ...row,
      ...Object.fromEntries(fields.map((field) => [field, rows[(at + 1) % rows.length]?.[field]])),
    }));

const FAULTS: readonly (readonly [string, Fault])[] = [
  ['nothing is wrong', (rows) => [...rows]],
  [
    'half of the fields are null',
    all(['title', 'userid', 'story', 'genre', 'end', 'length', 'isr15', 'novelupdated_at'], null),
  ],
  ['the other half is', all(['writer', 'biggenre', 'keyword', 'general_all_no', 'general_lastup'], null)],
  ['all marks are 0', all(MARKS, 0)],
  ['all marks are 1', all(MARKS, 1)],
  ['texts are question marks', each(TEXTS, (row, field) => textOf(row, field).replace(/[^ -~]/g, '?'))],
  ['texts are Latin-1', each(TEXTS, (row, field) => Buffer.from(textOf(row, field)).toString('latin1'))],
  ['texts are cut', each(TEXTS, (row, field) => textOf(row, field).slice(0, 2))],
  ['texts are empty', all(TEXTS, '')],
  ['genres are 0', all(['genre', 'biggenre'], 0)],
  ['genres are equal', all(['genre'], 201)],
  ['lengths are 0', all(['length', 'time'], 0)],
  ['times are of 1970', all(TIMES, '1970-01-01 09:00:00')],
  ['last episodes are before the first', all(['general_lastup'], '2001-01-01 09:00:00')],
  ['changes are of now', each(['novelupdated_at'], () => japanDateTime(upstream.clock.now()))],
  ['counts are 1', all(['general_all_no'], 1)],
  ['counts are too high', each(['general_all_no'], (row) => Number(row['general_all_no']) + 1)],
  ['titles are those of others', shifted('title')],
  ['pen names are those of others', shifted('writer', 'userid')],
  ['counts are those of others', shifted('general_all_no', 'length')],
  ['times are those of others', shifted('novelupdated_at', 'general_lastup')],
  ['rows are those of others', shifted(...Object.keys(novel(1)).filter((field) => field !== 'ncode'))],
  ['rows are of yesterday', (rows) => rows.map((row) => YESTERDAY.get(row['ncode']) ?? row)],
];

/** Each novel with fields of its own. */
const firstNovels = (): CatalogueNovel[] =>
  Array.from({ length: 30 }, (_, index) =>
    novel(index, {
      title: `題名その${index}の話`,
      writer: `作者${index}`,
      userid: 500 + index,
      story: `物語${index}の粗筋`,
      keyword: `猫 旅${index}`,
      genre: index % 2 ? 101 : 302,
      general_all_no: 2 + index,
      length: 1_000 + 37 * index,
      isr15: index % 3 ? 0 : 1,
      general_firstup: japanDateTime(THEN - 900 * DAY + index * HOUR),
      general_lastup: japanDateTime(THEN - 800 * DAY + index * 20 * DAY),
      novelupdated_at: japanDateTime(THEN - 30 * DAY - index * HOUR),
    }),
  );

/** A day later: some novels changed, a few of them without a time of change, and one is new. */
function changed(before: readonly CatalogueNovel[], day: number, random: () => number): CatalogueNovel[] {
  const at = japanDateTime(THEN + day * DAY - HOUR);
  const next = before.map((each) => {
    const kind = Math.floor(random() * 40);
    const { general_all_no = 0, length = 0, title = '', writer = '' } = each;
    const changes: Partial<CatalogueNovel>[] = [
      { title: `${title}改`, novelupdated_at: at },
      { writer: `${writer}改` },
      { isr15: each.isr15 === 1 ? 0 : 1, novelupdated_at: at },
      { length: length + 11, novelupdated_at: at },
      { novelupdated_at: at },
    ];
    const episode = { general_all_no: general_all_no + 1, general_lastup: at, novelupdated_at: at };
    return { ...each, ...(kind < 35 ? changes[kind] : { ...episode, length: length + 2_000 }) };
  });
  const times = { general_firstup: at, general_lastup: at, novelupdated_at: at };
  return [...next, novel(800 + day, { title: `新作${day}`, isr15: 1, ...times })];
}

const MINOR = new Set(['length', 'novelupdated_at']);

/** What an event says, but for what changes with anything else. */
function saysOf(event: {
  readonly kind: string;
  readonly ncode: string;
  readonly episode?: number | undefined;
  readonly before?: Row | undefined;
}): string[] {
  const { kind, ncode, episode, before = {} } = event;
  if (kind === 'new' || kind === 'episode') return [`${ncode} ${kind} ${episode ?? ''}`];
  const fields = Object.entries(before).filter(([field]) => !MINOR.has(field));
  return fields.map(([field, value]) => `${ncode} ${field} was ${String(value)}`);
}

const BAD_DAY = 3;
/** The novels of each day: five with changes, then three without. */
const DAYS = [firstNovels()];
const random = seededRandom(7);
for (let day = 1; day <= 8; day++)
  DAYS.push(day <= 5 ? changed(DAYS[day - 1]!, day, random) : DAYS[day - 1]!);
const byNcode = (novels: readonly CatalogueNovel[]) => new Map(novels.map((each) => [each.ncode, each]));
const YESTERDAY = new Map<unknown, Row>(
  [...byNcode(DAYS[BAD_DAY - 1]!)].map(([ncode, each]) => [ncode, { ...each }]),
);
const EXPECTED = DAYS.slice(1).flatMap((novels, day) => {
  const before = byNcode(DAYS[day]!);
  return novels.flatMap((each) =>
    changesBetween(before.get(each.ncode), each).flatMap(({ novel: { ncode }, ...change }) =>
      saysOf({ ...change, ncode }),
    ),
  );
});

it.each(FAULTS)('a harvest loses and invents no event by a day on which %s', async (_, fault) => {
  const dir = temporaryFolder();
  let isFaulty = false;
  upstream.searchBy((query, index) => {
    const { total, records } = index.search(query);
    const rows = isFaulty ? fault(records.map((record) => ({ ...record }))) : records;
    return { total, records: rows as CatalogueNovel[] };
  });
  const harvestFrom = async (first: number, last: number) => {
    for (let day = first; day <= last; day++) {
      upstream.clock.set(THEN + day * DAY);
      upstream.novels = DAYS[day];
      isFaulty = day === BAD_DAY;
      await harvest(upstream.options(dir)).catch((error: unknown) => {
        if (!isFaulty || !(error instanceof IncompleteWalk)) throw error;
      });
    }
  };
  await copyOnce(dir, 'days before a bad one', () => harvestFrom(0, BAD_DAY - 1));
  await harvestFrom(BAD_DAY, DAYS.length - 1);
  expect(eventsIn(dir).flatMap(saysOf).sort()).toEqual(EXPECTED.toSorted());
  const stored = harvestedIn(dir, 'novels');
  for (const each of DAYS.at(-1)!)
    expect({ ...stored.get(each.ncode), fetched_at: 0 }).toEqual({ ...each, buntai: undefined });
});
