import { errorOf, isRecord } from './fetch-json.ts';
import type { CallOptions, Query, ServiceSite } from './fetch-json.ts';
import { endedEarly, fetchLines } from './fetch-lines.ts';

/**
 * The items of an NDJSON list. The last line says that the list is complete. Without it the connection broke off:
 * rejects with `unreachable`, or with the error that ended the list.
 */
export async function* streamOf<Item>(
  site: ServiceSite,
  path: string,
  search: object,
  call: CallOptions | undefined,
): AsyncGenerator<Item, void, undefined> {
  const query = { ...search, format: 'ndjson' } as Query;
  for await (const { line, response } of fetchLines(site, path, query, call?.signal)) {
    const { meta } = line;
    if (!isRecord(meta)) yield line as Item;
    else if (meta['complete'] === true) return;
    else throw errorOf(response, undefined, meta);
  }
  throw endedEarly(site.urlOf(path, query));
}
