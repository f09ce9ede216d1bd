/**
 * Whether a look-up could reach none of its servers: root, WHOIS and RDAP. Fewer say less: a network may block port 43.
 */
export const isOffline = (hops: readonly { role: string; outcome: string }[]): boolean =>
  hops.length > 2 &&
  hops.every(({ outcome }) => outcome === 'unreachable') &&
  hops.some(({ role }) => role === 'root');
