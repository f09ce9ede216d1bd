import type { LookUp } from '../../client/index.ts';

export type EvidenceLine = NonNullable<LookUp['evidence']>;

type Details = Partial<Pick<LookUp, 'whoisServer' | 'raw' | 'hops'>> & {
  /** The lines that decided, or that contradict each other. */
  lines?: readonly EvidenceLine[];
};

const isLine = (value: unknown): value is EvidenceLine => {
  const { kind, line } = (value ?? {}) as Record<string, unknown>;
  return typeof kind === 'string' && typeof line === 'string';
};

/** The printable parts of an error's details: an answer's text, the queried servers. */
export function readDetails(details: unknown): Details {
  // A registry's rejection of a name is a list of one fault.
  const only: unknown = Array.isArray(details) && details.length === 1 ? details[0] : details;
  if (typeof only !== 'object' || only === null || Array.isArray(only)) return {};
  const { whoisServer, raw, hops, evidence, contradictions } = only as Record<string, unknown>;
  const said = [evidence, ...(Array.isArray(contradictions) ? (contradictions as unknown[]) : [])];
  return {
    ...(typeof whoisServer === 'string' && { whoisServer }),
    ...(typeof raw === 'string' && { raw }),
    ...(said.some(isLine) && { lines: said.filter(isLine) }),
    ...(Array.isArray(hops) && { hops: hops as LookUp['hops'] }),
  };
}
