import type { NovelInterface } from '../novels/of-fields.ts';
import type { CatalogueNovel } from '../index/catalogue-novel.ts';
import type { Found } from '../index/novel-index.ts';
import type { Interface, InterfaceRequest } from './interfaces.ts';
import { recordKeys, toNovelRecord } from './novel-records.ts';
import { NothingMatches } from './parameters.ts';
import type { PhpRecord } from './php-json.ts';
import { readNovelQuery } from './read-novel-query.ts';
import type { NarouServerSwitches } from './switches.ts';
import { readWindow } from './window.ts';

/** `allcount` as sent: from 1000 on the upstream may give one up to four hours old, each server its own. */
export function sentAllcount(allcount: number, start: number, switches: NarouServerSwitches): number {
  return switches.staleAllcount && allcount >= 1000 ? allcount - 3 - (start % 7) : allcount;
}

const find = (source: NovelInterface, request: InterfaceRequest): Found<CatalogueNovel> => {
  const { parameters, catalogue, switches } = request;
  const window = readWindow(parameters, switches);
  try {
    const query = { ...readNovelQuery(source, parameters, switches), ...window };
    const index = source === 'novelapi' ? catalogue.novelIndex() : catalogue.adultNovelIndex();
    return index.search(query);
  } catch (error) {
    if (error instanceof NothingMatches) return { total: 0, records: [] };
    throw error;
  }
};

const answer = (source: NovelInterface, request: InterfaceRequest): PhpRecord[] => {
  const { parameters, switches } = request;
  const selected = recordKeys(source, parameters, switches);
  const { total, records } = find(source, request);
  const { st } = readWindow(parameters, switches);
  return [
    { allcount: sentAllcount(total, st, switches) },
    ...records.map((novel) => toNovelRecord(novel, selected)),
  ];
};

/** The novel interface: `allcount`, then the records. */
export const novelapi: Interface = (request) => answer('novelapi', request);

/** The adult novel interface. */
export const novel18api: Interface = (request) => answer('novel18api', request);
