import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { plainNovel } from '../../../narou/test/plain-novel.ts';
import { ncodeFromNumber, ncodeToNumber } from '@mokuroku/narou';
import type { CatalogueNovel } from '@mokuroku/narou/scan';
import {
  VALUE_COLUMNS,
  createColumnWriter,
  readColumns,
  readNcodes,
  unknownIn,
  writeColumns,
  xidToNumber,
} from './columns.ts';
import type { ColumnName } from './columns.ts';

function columnsOf(...novels: Partial<CatalogueNovel>[]) {
  const writer = createColumnWriter();
  for (const novel of novels) writer.add(plainNovel(novel));
  return writer.finish();
}

describe('a column', () => {
  it('has a value for each of any number of records, also when it is read from its file', () => {
    // Beyond the first memory of a writer.
    for (const size of [0, 1, 1024, 1025]) {
      const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'mokuroku-columns-'));
      onTestFinished(() => {
        fs.rmSync(dir, { recursive: true });
      });
      const novels = Array.from({ length: size }, (_, index) => ({
        ncode: ncodeFromNumber(index + 1),
        length: index * 3,
        genre: index % 1000,
        isbl: index % 2 === 0 ? (0 as const) : (1 as const),
      }));
      const columns = columnsOf(...novels);
      expect([...columns.ncode]).toEqual(novels.map(({ ncode }) => ncodeToNumber(ncode)));
      expect([...columns.length]).toEqual(novels.map(({ length }) => length));
      expect([...columns.isbl]).toEqual(novels.map(({ isbl }) => isbl));
      writeColumns(path.join(dir, 'columns'), columns);
      expect(isDeepStrictEqual(readColumns(path.join(dir, 'columns'), size), columns)).toBe(true);
      expect(readNcodes(path.join(dir, 'columns'), size)).toEqual(columns.ncode);
    }
  });

  it.each<[ColumnName, Partial<CatalogueNovel>]>([
    ['length', { length: -1 }],
    ['length', { length: 1.5 }],
    ['length', { length: NaN }],
    ['userid', { userid: 2 ** 32 }],
    ['genre', { genre: 65_536 }],
    ['biggenre', { biggenre: 256 }],
  ])('%s refuses a number that it cannot store: %j', (name, novel) => {
    expect(() => columnsOf(novel)).toThrow(RangeError);
    expect(() => columnsOf(novel)).toThrow(
      `${name} of N0001TA must be a whole number below ${unknownIn(name)}`,
    );
  });

  it.each<[ColumnName, Partial<CatalogueNovel>]>([
    ['length', { length: 2 ** 32 - 2 }],
    ['genre', { genre: 65_534 }],
    ['biggenre', { biggenre: 254 }],
    ['length', { length: 0 }],
  ])('%s stores its least and greatest number: %j', (name, novel) => {
    expect(columnsOf(novel)[name][0]).toBe(novel[name as keyof CatalogueNovel]);
  });

  it('states that a value is unknown', () => {
    const { ncode, fetched_at } = plainNovel();
    const writer = createColumnWriter();
    writer.add({ ncode, fetched_at });
    const columns = writer.finish();
    // The others are derived from several fields.
    const derived = ['ncode', 'fetched_at', 'istt', 'pickable', 'texts'];
    for (const [name, values] of Object.entries(columns)) {
      expect(values[0] === unknownIn(name as ColumnName), name).toBe(!derived.includes(name));
    }
  });

  it('has bitmaps of its values only if they are few', () => {
    for (const name of VALUE_COLUMNS) expect(unknownIn(name), name).toBeLessThan(65_536);
    expect(VALUE_COLUMNS).toContain('genre');
  });
});

it.each([
  ['x0001a', ncodeToNumber('N0001A')],
  ['x9999zz', ncodeToNumber('N9999ZZ')],
  ['X0001A', undefined],
  ['x001a', undefined],
  ['x00001a', undefined],
  ['x0001abc', undefined],
  ['x0001', undefined],
  ['x0001a ', undefined],
  ['', undefined],
])('the X id "%s" has a number only if it is valid', (xid, number) => {
  expect(xidToNumber(xid)).toBe(number);
});
