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
  readonly bounded: string;
  /** How long it counts. */
  readonly over: string;
  readonly all: number | string;
  /** Share of `all`, or a text. */
  readonly network: number | string;
  readonly client: number | string;
  readonly beyond: string;
}

/** Hours of its refill that a bucket of the upstream's quota holds. */
export const UPSTREAM_HOURS = { all: 12, network: 2, client: 2 } as const;

/** How many clients' requests an IPv6 /48 may send: 65,536 clients may be one household. */
export const NETWORK_CLIENTS = 20;

/** What `Admission`, the rate limiter and the budget bound. */
export const RULES = {
  rate: {
    bounded: 'requests of a client',
    over: 'any 60 s',
    all: '',
    network: `an IPv6 /48: ${NETWORK_CLIENTS} times that at once, refilled in 60 s, in each process`,
    client: '`RATE_LIMIT`',
    beyond: '429 `rate_limited`',
  },
  upstream: {
    bounded: 'upstream requests and bytes',
    over: `any 24 h; at once ${UPSTREAM_HOURS.all} h of the refill in all, ${UPSTREAM_HOURS.client} h of a share`,
    all: '`UPSTREAM_DAILY_REQUESTS`, `UPSTREAM_DAILY_BYTES`',
    network: NETWORK_SHARE,
    client: '`UPSTREAM_CLIENT_SHARE_PERCENT`',
    beyond: '503 `upstream_budget_spent`; of a network or client 429 `upstream_share_spent`',
  },
  connections: {
    bounded: 'connections (`TRUSTED_PROXIES` count only in all)',
    over: 'until closed',
    all: '3/4 of the descriptors (`ulimit -n`) above 64, half for each service, at most 10,000',
    network: NETWORK_SHARE,
    client: 1 / 4,
    beyond: 'an idle one closes; if none is idle, the new one is refused',
  },
  requests: {
    bounded: 'requests in progress',
    over: 'until the response is closed',
    all: 5_000,
    network: NETWORK_SHARE,
    client: '',
    beyond: '503 `overloaded`',
  },
  bytes: {
    bounded: 'bytes of requests and responses',
    over: 'until the response is closed',
    all: 64_000_000,
    network: NETWORK_SHARE,
    client: 16_000_000,
    beyond: '503 `overloaded`',
  },
  turns: {
    bounded: 'loads that begin; pages of streams that are made',
    over: 'a turn of the event loop',
    all: 1,
    network: 'in rotation',
    client: '',
    beyond: 'waits',
  },
  compressions: {
    bounded: 'compressions of 64 kB and more',
    over: 'until done',
    all: 2,
    network: '',
    client: '',
    beyond: 'waits',
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
