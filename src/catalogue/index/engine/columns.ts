import fs from 'node:fs';
import { japanSeconds } from '../../novels/japan-date.ts';
import { ncodeToNumber } from '../../novels/ncode.ts';
import type { CatalogueNovel } from '../catalogue-novel.ts';
import { isPickable, workType } from '../novel-conditions.ts';
import { DamagedFile, readFully, withFile, writeFully } from './files.ts';
import { TEXTS } from './layout.ts';

type ColumnNumbers = Uint8Array<ArrayBuffer> | Uint16Array<ArrayBuffer> | Uint32Array<ArrayBuffer>;

interface Column {
  readonly width: 1 | 2 | 4;
  /** A whole number below the maximum of the width; undefined if unknown. */
  readonly of: (novel: CatalogueNovel) => number | undefined;
}

/** Marks an unknown value: the greatest number of the width, which no value has. */
const UNKNOWN = { 1: 0xff, 2: 0xffff, 4: 0xffff_ffff } as const;

/** Marks an unknown value of a sorted column: all of these are 4 bytes wide. */
export const UNKNOWN_KEY = UNKNOWN[4];

/** The number of an Ncode with the same digits and letters; undefined for an invalid id. */
export const xidToNumber = (xid: string): number | undefined =>
  /^x\d{4}[a-z]{1,2}$/.test(xid) ? ncodeToNumber(xid) : undefined;

/** Exclusive types of a work, stored as their index. `re` is a serial that may be complete or not. */
export const KINDS = ['t', 'r', 'er', 're'] as const;
const workKind = (novel: CatalogueNovel): number | undefined => {
  const type = workType(novel);
  return type && KINDS.indexOf(type);
};

/** A bit for each known text: a search for excluded words needs all of them. */
const knownTextsOf = (novel: CatalogueNovel): number =>
  TEXTS.reduce((mask, name, text) => mask | (novel[name] === undefined ? 0 : 1 << text), 0);

type NumberField = {
  [Name in keyof CatalogueNovel]-?: Required<CatalogueNovel>[Name] extends number ? Name : never;
}[keyof CatalogueNovel];

const field = (width: Column['width'], name: NumberField): Column => ({ width, of: (novel) => novel[name] });

/** The columns for filters and orders, in the order of the file. */
const COLUMNS = {
  ncode: { width: 4, of: (novel) => ncodeToNumber(novel.ncode) },
  userid: field(4, 'userid'),
  xid: { width: 4, of: ({ xid }) => (xid === undefined ? undefined : xidToNumber(xid)) },
  lastup: { width: 4, of: (novel) => japanSeconds(novel.general_lastup) },
  lastupdate: { width: 4, of: (novel) => japanSeconds(novel.novelupdated_at) },
  firstup: { width: 4, of: (novel) => japanSeconds(novel.general_firstup) },
  length: field(4, 'length'),
  time: field(4, 'time'),
  kaiwaritu: field(4, 'kaiwaritu'),
  sasie: field(4, 'sasie_cnt'),
  global_point: field(4, 'global_point'),
  daily_point: field(4, 'daily_point'),
  weekly_point: field(4, 'weekly_point'),
  monthly_point: field(4, 'monthly_point'),
  quarter_point: field(4, 'quarter_point'),
  yearly_point: field(4, 'yearly_point'),
  fav_novel_cnt: field(4, 'fav_novel_cnt'),
  impression_cnt: field(4, 'impression_cnt'),
  review_cnt: field(4, 'review_cnt'),
  all_hyoka_cnt: field(4, 'all_hyoka_cnt'),
  weekly_unique: field(4, 'weekly_unique'),
  fetched_at: field(4, 'fetched_at'),
  genre: field(2, 'genre'),
  biggenre: field(1, 'biggenre'),
  nocgenre: field(1, 'nocgenre'),
  type: { width: 1, of: workKind },
  isstop: field(1, 'isstop'),
  isr15: field(1, 'isr15'),
  isbl: field(1, 'isbl'),
  isgl: field(1, 'isgl'),
  iszankoku: field(1, 'iszankoku'),
  istensei: field(1, 'istensei'),
  istenni: field(1, 'istenni'),
  istt: { width: 1, of: (novel) => Number(novel.istensei === 1 || novel.istenni === 1) },
  /** The condition of `ispickup` beside a recent date. */
  pickable: { width: 1, of: (novel) => Number(isPickable(novel)) },
  texts: { width: 1, of: knownTextsOf },
} satisfies Record<string, Column>;

export type ColumnName = keyof typeof COLUMNS;
export type Columns = Readonly<Record<ColumnName, ColumnNumbers>>;

const TABLE = Object.entries(COLUMNS) as [ColumnName, Column][];

/** Columns of few values, each of which has a bitmap of its ids in memory. */
export const VALUE_COLUMNS = TABLE.filter(([, { width }]) => width < 4).map(([name]) => name);

/** The value of a column that means unknown. */
export const unknownIn = (name: ColumnName): number => UNKNOWN[COLUMNS[name].width];

const KINDS_OF_NUMBERS = { 1: Uint8Array, 2: Uint16Array, 4: Uint32Array } as const;

const makeColumns = (size: number): Columns =>
  Object.fromEntries(TABLE.map(([name, { width }]) => [name, new KINDS_OF_NUMBERS[width](size)])) as Columns;

/** Columns that grow as records are added. */
export function createColumnWriter() {
  let columns = makeColumns(1024);
  let size = 0;
  const grow = (to: number): void => {
    const larger = makeColumns(to);
    for (const [name] of TABLE) larger[name].set(columns[name].subarray(0, Math.min(size, to)));
    columns = larger;
  };
  return {
    add(novel: CatalogueNovel): void {
      if (size === columns.ncode.length) grow(size * 2);
      for (const [name, { width, of }] of TABLE) {
        const value = of(novel) ?? UNKNOWN[width];
        if (!Number.isInteger(value) || value < 0 || value > UNKNOWN[width]) {
          throw new RangeError(
            `${name} of ${novel.ncode} must be a whole number below ${UNKNOWN[width]}, not ${value}`,
          );
        }
        columns[name][size] = value;
      }
      size += 1;
    },
    finish(): Columns {
      grow(size);
      return columns;
    },
  };
}

/** The file is the concatenation of the columns. */
export const writeColumns = (path: string, columns: Columns): void => {
  withFile(path, 'wx', (file) => {
    let at = 0;
    for (const [name] of TABLE) {
      writeFully(file, columns[name], at);
      at += columns[name].byteLength;
    }
  });
};

const RECORD_BYTES = TABLE.reduce((sum, [, { width }]) => sum + width, 0);

/** The columns of so many records. */
export const readColumns = (path: string, size: number): Columns =>
  withFile(path, 'r', (file) => {
    if (fs.fstatSync(file).size !== size * RECORD_BYTES) throw new DamagedFile('columns');
    const columns = makeColumns(size);
    let at = 0;
    for (const [name] of TABLE) {
      readFully(file, columns[name], at);
      at += columns[name].byteLength;
    }
    return columns;
  });

/** The first of the columns alone. */
export const readNcodes = (path: string, size: number): Uint32Array =>
  withFile(path, 'r', (file) => {
    const numbers = new Uint32Array(size);
    readFully(file, numbers, 0);
    return numbers;
  });
