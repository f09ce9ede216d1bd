/**
 * The network of a client, named by its first address: an IPv4 /24 or an IPv6 /48. A client is an IPv4 address, or an
 * IPv6 /64 (one household, one data-centre guest).
 */
export function networkOf(client: string): string {
  if (!client.includes(':')) return client.replace(/\.\d+$/, '.0');
  return `${client.split(':', 3).join(':')}::`;
}

/** Share of a resource for one network, such as an IPv6 /48 with 65,536 clients. */
export const NETWORK_SHARE = 1 / 2;

/** How many clients' requests an IPv6 /48 may send: 65,536 clients may be one household. */
export const NETWORK_CLIENTS = 20;
