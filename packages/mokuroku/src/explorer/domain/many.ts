import { writeCsv } from '@mokuroku/kit';
import type { LookUp } from 'mokuroku-client/source';
import { isUnknown } from 'mokuroku-whois/record';
import type { RecordField } from 'mokuroku-whois/record';
import { problemKey } from '../../words/problems.ts';
import type { Facts } from '../shell/shelf.ts';
import type { LookUpAnswer } from './domain-url.ts';

/** The result of a name. `state` is that of the response, or the code of its error, for readers its `problem`. */
export type NameResult = Partial<
  Pick<LookUp, 'parsed' | 'daysLeft' | 'ending' | 'truncated' | 'incomplete' | 'unpublished'>
> & {
  state: string;
  problem?: string | undefined;
  /** Whether another look-up may succeed. */
  isPassing?: boolean | undefined;
};

export const resultOf = ({ data, error }: Pick<LookUpAnswer, 'data' | 'error'>): NameResult =>
  data ?? {
    state: error?.code ?? 'other',
    problem: error && problemKey(error),
    isPassing: error?.retryable,
  };

/** Stands for the value of a field that the registry never publishes; null: it states none for this name. */
export const absenceOf = ({ unpublished = [] }: Pick<NameResult, 'unpublished'>, field: string): '' | null =>
  unpublished.some((each) => each === field) ? '' : null;

/** What the shelf remembers of a name; without a fact that is unknown because a server did not answer. */
export function followedFacts(result: NameResult): Facts {
  const { state, parsed, ending = null } = result;
  const registrar = parsed?.registrar ?? absenceOf(result, 'registrar');
  const expires = parsed?.expirationDate?.slice(0, 10) ?? absenceOf(result, 'expirationDate');
  const isFact = (fact: string | null, ...fields: readonly RecordField[]) =>
    fact !== null || !isUnknown(result, ...fields);
  return {
    state,
    ...(isFact(ending, 'status', 'expirationDate') && { ending }),
    ...(isFact(registrar, 'registrar') && { registrar }),
    ...(isFact(expires, 'expirationDate') && { expires }),
  };
}

/** Names sorted by expiry, the next first; those without a date last, in their order. */
export function sortByExpiry(
  names: readonly string[],
  results: ReadonlyMap<string, NameResult>,
): readonly string[] {
  const end = (name: string): number => {
    const at = Date.parse(results.get(name)?.parsed?.expirationDate ?? '');
    return Number.isNaN(at) ? Number.MAX_VALUE : at;
  };
  return names.toSorted((a, b) => end(a) - end(b));
}

/** CSV for spreadsheets. Names without a result have a line too. */
export function toCsv(names: readonly string[], results: ReadonlyMap<string, NameResult>): string {
  const rows = names.map((domain) => {
    const { state, parsed, ending } = results.get(domain) ?? {};
    return {
      domain,
      state,
      expires: parsed?.expirationDate,
      created: parsed?.creationDate,
      updated: parsed?.updatedDate,
      registrar: parsed?.registrar,
      nameServers: parsed?.nameServers.join(' '),
      status: parsed?.status.join(' '),
      ending,
      deletionDate: parsed?.deletionDate,
    };
  });
  return writeCsv({ columns: Object.keys(rows[0] ?? {}), rows }, { bom: true });
}
