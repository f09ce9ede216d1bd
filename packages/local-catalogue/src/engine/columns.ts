import fs from 'node:fs';
import { ncodeToNumber, NOVELAPI_ORDERS } from '@mokuroku/narou';
import { FACETS, fieldsOf } from '@mokuroku/narou/queries';
import type { FacetName, ConditionField } from '@mokuroku/narou/queries';
import type { FewValuesField, SortField } from '@mokuroku/narou';
import { STORED_FIELDS, UNKNOWN, bytesOf, isPickable, workType, numberOf } from '@mokuroku/narou/scan';
import type { CatalogueNovel } from '@mokuroku/narou/scan';
import { DamagedFile, readFully, withFile } from './files.ts';
import { TEXTS } from './layout.ts';

type ColumnNumbers = Uint8Array<ArrayBuffer> | Uint16Array<ArrayBuffer> | Uint32Array<ArrayBuffer>;

interface Column {
  readonly width: 1 | 2 | 4;
  /** A whole number below the maximum of the width; undefined if unknown. */
  readonly of: (novel: CatalogueNovel) => number | undefined;
}

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

/** Columns made of several fields, of one byte. */
const COMPUTED = {
  type: workKind,
  istt: (novel) => Number(novel.istensei === 1 || novel.istenni === 1),
  /** The condition of `ispickup` beside a recent date. */
  pickable: (novel) => Number(isPickable(novel)),
  texts: knownTextsOf,
} satisfies Record<string, Column['of']>;
type Computed = keyof typeof COMPUTED;

/** A field by which novels are found, sorted or counted. No stored record has the style, `buntai`. */
type ColumnField = Exclude<
  ConditionField | SortField | FacetName | 'fetched_at',
  Computed | 'buntai' | ConditionField<'someWord' | 'noWord'>
>;
export type ColumnName = ColumnField | Computed;

/** Columns of many values, in which a few are looked up. */
export type KeyColumn = Exclude<ConditionField<'oneOf'>, FewValuesField | 'buntai'>;
export const KEY_COLUMNS = fieldsOf('oneOf').filter(
  (name): name is KeyColumn => name !== 'buntai' && bytesOf(name) === 4,
);
export const isKeyColumn = (name: ColumnName): name is KeyColumn =>
  KEY_COLUMNS.some((column) => column === name);

function columnOf(name: ColumnName): Column {
  if (name in COMPUTED) return { width: 1, of: COMPUTED[name as Computed] };
  const field = name as ColumnField;
  if (field === 'xid')
    return { width: 4, of: ({ xid }) => (xid === undefined ? undefined : xidToNumber(xid)) };
  return { width: bytesOf(field), of: (novel) => numberOf(novel, field) };
}

const SORTED_BY: ReadonlySet<string> = new Set(Object.values(NOVELAPI_ORDERS).map(({ field }) => field));

/** The order of the columns in the file. */
const NAMES = new Set<ColumnName | 'buntai'>([
  'ncode', // The first: `splitIds` reads it alone.
  ...KEY_COLUMNS,
  ...fieldsOf('betweenTimes'),
  ...fieldsOf('between'),
  ...STORED_FIELDS.filter((field): field is SortField => SORTED_BY.has(field)),
  'fetched_at',
  ...FACETS,
  ...fieldsOf('oneOf'),
  ...fieldsOf('noneOf'),
  ...fieldsOf('equal'),
  'istt',
  'pickable',
  'texts',
]);

const TABLE = [...NAMES].flatMap((name) => (name === 'buntai' ? [] : [[name, columnOf(name)] as const]));

/** Columns of few values, each of which has a bitmap of its ids in memory. */
export const VALUE_COLUMNS = TABLE.filter(([, { width }]) => width < 4).map(([name]) => name);

export type Columns = Readonly<Record<ColumnName, ColumnNumbers>>;

const WIDTHS = new Map<ColumnName, Column['width']>(TABLE.map(([name, { width }]) => [name, width]));

/** The value of a column that means unknown. */
export const unknownIn = (name: ColumnName): number => UNKNOWN[WIDTHS.get(name) ?? 4];

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
    for (const [name] of TABLE) fs.writeFileSync(file, columns[name]);
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
