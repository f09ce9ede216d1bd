/** A server asked on the way, as the service tells it. */
export interface Hop {
  server: string;
  protocol: string;
  role: string;
  outcome: string;
  /** Milliseconds. */
  ms: number;
}

/** A look-up's answer, as the service gives it. */
export interface Registration {
  domain: string;
  whoisServer: string;
  raw: string;
  parsed: {
    domainName: string | null;
    registrar: string | null;
    creationDate: string | null;
    expirationDate: string | null;
    updatedDate: string | null;
    nameServers: string[];
    status: string[];
  };
  protocol?: string;
  state?: string;
  hops?: Hop[];
  registry?: { whoisServer: string; raw: string; protocol?: string };
  truncated?: boolean;
}

/** What the error for a name that nobody holds carries. */
export interface NotRegistered {
  whoisServer: string;
  raw: string;
  protocol?: string;
  hops?: Hop[];
}

/** The parts of an error's details that can be shown: an answer's text, the servers asked. */
export function readDetails(details: unknown): Partial<NotRegistered> {
  if (typeof details !== 'object' || details === null || Array.isArray(details)) return {};
  const { whoisServer, raw, protocol, hops } = details as Record<string, unknown>;
  return {
    ...(typeof whoisServer === 'string' && { whoisServer }),
    ...(typeof raw === 'string' && { raw }),
    ...(typeof protocol === 'string' && { protocol }),
    ...(Array.isArray(hops) && { hops: hops as Hop[] }),
  };
}
