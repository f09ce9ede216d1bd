/** The client that work is done for. */
export interface ClientIdentity {
  /** An IPv4 address, or an IPv6 /64 (one household, one data-centre guest). */
  readonly key: string;
  /** An IPv4 /24 or an IPv6 /48. */
  readonly network: string;
}

/** The network of a client, named by its first address. */
export function networkOf(client: string): string {
  if (!client.includes(':')) return client.replace(/\.\d+$/, '.0');
  return `${client.split(':', 3).join(':')}::`;
}

export const identityOf = (key: string): ClientIdentity => ({ key, network: networkOf(key) });

/** Share of a resource for one network, such as an IPv6 /48 with 65,536 clients. */
export const NETWORK_SHARE = 1 / 2;

/** Something bounded, in all, for a network and for a client. */
export interface Rule {
  readonly all: number | string;
  /** Share of `all`, or a text. */
  readonly network: number | string;
  readonly client: number | string;
}

/** Hours of its refill that a bucket of the upstream's quota holds. */
export const UPSTREAM_HOURS = { all: 12, network: 2, client: 2 } as const;

/** How many clients' requests an IPv6 /48 may send: 65,536 clients may be one household. */
export const NETWORK_CLIENTS = 20;

/** What `Admission` bounds. */
export const RULES = {
  connections: {
    all: '3/4 of the descriptors (`ulimit -n`) above 64, half for each service, at most 10,000',
    network: NETWORK_SHARE,
    client: 1 / 4,
  },
  requests: {
    all: 5_000,
    network: NETWORK_SHARE,
    client: '',
  },
  bytes: {
    all: 64_000_000,
    network: NETWORK_SHARE,
    client: 16_000_000,
  },
  compressions: {
    all: 2,
    network: '',
    client: '',
  },
} as const satisfies Record<string, Rule>;

/** An amount that may be in use at once: in all, by one network and by one client. */
export interface Bound {
  readonly all: number;
  readonly network: number;
  readonly client: number;
}

/** The bound of a rule. Shares are of `all`; without a share it is the whole. */
export function boundOf({ network, client }: Rule, all: number, clientMax?: number): Bound {
  const part = (share: number | string) => (typeof share === 'number' ? all * share : all);
  return { all, network: part(network), client: clientMax ?? part(client) };
}
