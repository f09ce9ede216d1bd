import { ServiceError } from '@mokuroku/kit';
import type { OpenIndex } from '../engine/open-index.ts';
import type { NovelQuery } from '@mokuroku/narou/queries';
import type { LocalIndex } from './local-index.ts';
import { NOVEL_ERRORS } from '@mokuroku/narou';

export function notHere(what: string, more = ''): ServiceError {
  const message = `This local catalogue lacks ${what}. ${more}`;
  return new ServiceError(NOVEL_ERRORS.not_available_here, { message: message.trimEnd() });
}

/** Retry-After of catalogue_outdated: only a new harvest helps, and it takes hours. */
const RETRY_OUTDATED_SECONDS = 3600;

export function outdated(what: string): ServiceError {
  const message = `The ${what} of this local catalogue were fetched more than 14 days ago; its operator must update it.`;
  return new ServiceError(NOVEL_ERRORS.catalogue_outdated, {
    message,
    retryAfterSeconds: RETRY_OUTDATED_SECONDS,
  });
}

/** The error for a part that is not served; `lacked`: for data that it does not have. */
export function partUnavailable(
  part: Pick<LocalIndex, 'state'>,
  what: string,
  lacked = notHere(what),
): ServiceError {
  const state = part.state();
  if (state === 'unreadable' || state === 'broken') return damaged(what);
  return state === 'outdated' ? outdated(what) : lacked;
}

/** Time until another generation is loaded, if there is one. */
const RETRY_DAMAGED_SECONDS = 60;

function damaged(what: string): ServiceError {
  const message = `A file of this local catalogue is damaged or unreadable: some of its ${what} are not available at present.`;
  return new ServiceError(NOVEL_ERRORS.catalogue_unreadable, {
    message,
    retryAfterSeconds: RETRY_DAMAGED_SECONDS,
  });
}

/** Reads an open index. Throws catalogue_unreadable if it cannot be read; `again` reads the same. */
export function readUndamaged<Found>(
  local: LocalIndex,
  what: string,
  read: () => Found,
  again: () => unknown = read,
): Found {
  try {
    return read();
  } catch (error) {
    if (error instanceof TypeError) throw error; // A fault of this program.
    local.reportFailure(error, again);
    throw damaged(what);
  }
}

/** Parameters of a search by fields that the records lack: the upstream returns no style, and no author's X id. */
function lackedOf(index: OpenIndex, { xid, buntai, order, opt }: Partial<NovelQuery>): string[] {
  const lacked = {
    xid: xid !== undefined && !index.hasAny('xid'),
    buntai: buntai !== undefined,
    order: order === 'weekly' && !index.hasAny('weekly_unique'),
    opt: opt === 'weekly' && !index.hasAny('weekly_unique'),
  };
  return Object.entries(lacked).flatMap(([name, isLacked]) => (isLacked ? [name] : []));
}

/** Reads the current index. Throws why it cannot answer the query. */
export function queryIndex<Found>(
  local: LocalIndex,
  what: string,
  query: Partial<NovelQuery>,
  read: (index: OpenIndex) => Found,
): Found {
  const index = local.current();
  if (index === undefined) throw partUnavailable(local, what);
  const lacked = lackedOf(index, query);
  if (lacked.length > 0) throw notHere(`the fields for a search of ${what} by ${lacked.join(', ')}`);
  return readUndamaged(local, what, () => read(index));
}
