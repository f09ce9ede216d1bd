import { writeCsv } from '../../csv.ts';
import type { LookUp } from '../../client/index.ts';
import { tidyDomain } from './domain-url.ts';

/** As many as the service takes in one request. */
export const MOST_NAMES = 100;

/** The names in a text that people paste: one a line, or with commas or blanks between them; each once. */
export function namesIn(text: string): string[] {
  const names = text.split(/[\s,;、，]+/).map(tidyDomain);
  return [...new Set(names)].filter((name) => name !== '').slice(0, MOST_NAMES);
}

/** Reads `location.search`: several names are asked for by `names`. */
export const readNames = (search: string): string[] =>
  namesIn(new URLSearchParams(search).get('names') ?? '');

/** Whether they are wanted in the order in which they end. */
export const isSoonestFirst = (search: string): boolean =>
  new URLSearchParams(search).get('order') === 'soonest';

export function hrefOfNames(names: readonly string[], soonestFirst = false): string {
  const asked = new URLSearchParams({ names: names.join(','), ...(soonestFirst && { order: 'soonest' }) });
  return `/?${asked.toString()}`;
}

/** What became of a name. `state` is that of the answer, or the code of the error that stands for one. */
export interface NameResult {
  state: string;
  parsed?: LookUp['parsed'];
}

export const resultOf = ({ state, parsed }: LookUp): NameResult => ({ state, parsed });

/** Names by when their registrations end, the next first; those without a date behind, as they were. */
export function bySoonest(
  names: readonly string[],
  results: ReadonlyMap<string, NameResult>,
): readonly string[] {
  const end = (name: string): number => {
    const at = Date.parse(results.get(name)?.parsed?.expirationDate ?? '');
    return Number.isNaN(at) ? Number.MAX_VALUE : at;
  };
  return names.toSorted((a, b) => end(a) - end(b));
}

const COLUMNS = ['domain', 'state', 'expires', 'created', 'updated', 'registrar', 'nameServers', 'status'];

/** For spreadsheets. Names that have no result yet have a line all the same. */
export function toCsv(names: readonly string[], results: ReadonlyMap<string, NameResult>): string {
  const rows = names.map((domain) => {
    const { state, parsed } = results.get(domain) ?? {};
    return {
      domain,
      state,
      expires: parsed?.expirationDate,
      created: parsed?.creationDate,
      updated: parsed?.updatedDate,
      registrar: parsed?.registrar,
      nameServers: parsed?.nameServers.join(' '),
      status: parsed?.status.join(' '),
    };
  });
  return writeCsv({ columns: COLUMNS, rows }, { bom: true });
}
