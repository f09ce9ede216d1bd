/** Share of a resource for one network, such as an IPv6 /48 with 65,536 clients. */
export const NETWORK_SHARE = 1 / 2;

/** The network of a client, named by its first address: an IPv4 /24 or an IPv6 /48. See `ClientAddress`. */
export function networkOf(client: string): string {
  if (!client.includes(':')) return client.replace(/\.\d+$/, '.0');
  return `${client.split(':', 3).join(':')}::`;
}
