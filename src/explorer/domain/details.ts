import type { LookUp } from '../../client/index.ts';

type Evidence = Partial<Pick<LookUp, 'whoisServer' | 'raw' | 'hops'>>;

/** The parts of an error's details that can be shown: an answer's text, the servers asked. */
export function readDetails(details: unknown): Evidence {
  if (typeof details !== 'object' || details === null || Array.isArray(details)) return {};
  const { whoisServer, raw, hops } = details as Record<string, unknown>;
  return {
    ...(typeof whoisServer === 'string' && { whoisServer }),
    ...(typeof raw === 'string' && { raw }),
    ...(Array.isArray(hops) && { hops: hops as LookUp['hops'] }),
  };
}
