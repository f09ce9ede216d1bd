import { isRecord } from '@mokuroku/kit';
import type { LookUp } from 'mokuroku-client/source';

export type EvidenceLine = NonNullable<LookUp['evidence']>;

const isLine = (value: unknown): value is EvidenceLine =>
  isRecord(value) && typeof value['kind'] === 'string' && typeof value['line'] === 'string';

/** The printable parts of an error's details: an answer's text, the queried servers. */
export function readDetails(details: unknown) {
  // A registry's rejection of a name is a list of one fault.
  const only: unknown = Array.isArray(details) && details.length === 1 ? details[0] : details;
  if (!isRecord(only)) return {};
  const { domainName, whoisServer, protocol, raw, hops, evidence, contradictions } = only;
  const said = [evidence, ...(Array.isArray(contradictions) ? (contradictions as unknown[]) : [])];
  return {
    ...(typeof domainName === 'string' && { domainName }),
    ...(typeof whoisServer === 'string' && { whoisServer }),
    ...(typeof protocol === 'string' && { protocol }),
    ...(typeof raw === 'string' && { raw }),
    ...(said.some(isLine) && { lines: said.filter(isLine) }),
    ...(Array.isArray(hops) && { hops: hops as LookUp['hops'] }),
  };
}
