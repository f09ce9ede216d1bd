import { writeCsv } from '../../csv.ts';
import type { LookUp } from '../../client/index.ts';

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
