/** Share of a resource for one network, such as an IPv6 /48 with 65,536 clients. */
export const NETWORK_SHARE = 1 / 2;

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
