import fs from 'node:fs';
import path from 'node:path';
import { ncodeToNumber } from '@mokuroku/narou';
import { changesBetween, numberOf } from '@mokuroku/narou/scan';
import type { CatalogueNovel, NovelChange } from '@mokuroku/narou/scan';
import type { ChangeLog } from './change-log.ts';
import { readColumns, unknownIn } from './columns.ts';
import type { IndexGeneration } from './index-generations.ts';
import { MAX_RECORDS } from './layout.ts';
import { openRecords } from './segment.ts';

/** The changes of a catalogue between two generations. */
export interface Compared {
  /** The log to continue; undefined: a new log, because the generations cannot be compared. */
  readonly log: ChangeLog | undefined;
  readonly changes: readonly NovelChange[];
}

/** More changes than a catalogue has in two weeks mean another catalogue: a new log starts. */
const MAX_CHANGES = 300_000;

/** The changes between two records, without texts that events do not contain. */
export const loggedChanges = (...records: Parameters<typeof changesBetween>): NovelChange[] =>
  changesBetween(...records).map((change) => ({
    ...change,
    novel: { ...change.novel, story: '', keyword: '' },
  }));

/** Of a record that was not fetched again, these show whether it differs; its other figures are no events. */
const COMPARED = ['fetched_at', 'general_lastup', 'novelupdated_at', 'isstop'] as const;

/** The records of a generation by Ncode, read one by one: of equal Ncodes, that in the last segment. */
function openLiveRecords(dir: string, { segments }: IndexGeneration) {
  const globalIds = new Map<number, number>();
  const compared = segments.map((segment, at) => {
    const columns = readColumns(path.join(dir, segment.folder, 'columns'), segment.records);
    for (let id = 0; id < segment.records; id++)
      globalIds.set(columns.ncode[id] as number, at * MAX_RECORDS + id);
    return COMPARED.map((name) => columns[name]);
  });
  const readers = segments.map((segment) => openRecords(dir, segment));
  const at = (globalId: number) => [Math.floor(globalId / MAX_RECORDS), globalId % MAX_RECORDS] as const;
  return {
    globalIds,
    isSame: (globalId: number, novel: CatalogueNovel): boolean => {
      const [segment, id] = at(globalId);
      return COMPARED.every(
        (name, place) => compared[segment]?.[place]?.[id] === (numberOf(novel, name) ?? unknownIn(name)),
      );
    },
    read: (globalId: number): CatalogueNovel | undefined => {
      const [segment, id] = at(globalId);
      return readers[segment]?.reader.record(id);
    },
    close: (): void => {
      for (const { file } of readers) fs.closeSync(file);
    },
  };
}

type LiveRecords = ReturnType<typeof openLiveRecords>;

/**
 * Compares every record of a new generation with the previous one, which was verified. Without a previous one there are
 * no events.
 */
export function compareWith(dir: string, before: IndexGeneration | null, maxChanges = MAX_CHANGES) {
  const changes: NovelChange[] = [];
  let records: LiveRecords | null = before && openLiveRecords(dir, before);
  const close = (): void => {
    records?.close();
    records = null;
  };
  const log = (...records: Parameters<typeof loggedChanges>): void => {
    changes.push(...loggedChanges(...records));
    if (changes.length > maxChanges) close();
  };
  return {
    close,
    add: (novel: CatalogueNovel): void => {
      if (records === null) return;
      const { globalIds, isSame, read } = records;
      const key = ncodeToNumber(novel.ncode);
      const globalId = globalIds.get(key);
      globalIds.delete(key);
      if (globalId === undefined) log(undefined, novel);
      else if (!isSame(globalId, novel)) log(read(globalId), novel);
    },
    finish: (withdrawn: ReadonlySet<number> = new Set()): Compared => {
      for (const [ncode, globalId] of records?.globalIds ?? [])
        if (withdrawn.has(ncode)) log(records?.read(globalId), undefined);
      const isComparison = records !== null;
      close();
      return isComparison ? { log: before?.changes, changes } : { log: undefined, changes: [] };
    },
  };
}
