import ipaddr from 'ipaddr.js';
import { inAny, parseCidrs } from '../../process/cidr.ts';
import { memoize } from '../../process/memoize.ts';

/** The reason to refuse an address; undefined if it is allowed. */
export type AddressGuard = (address: string) => string | undefined;

/** Registries have few addresses, and the decision on one never changes. */
const MAX_REMEMBERED = 1_000;

/** The only range from which IANA has assigned global unicast addresses (RFC 4291, section 2.4). */
const GLOBAL_UNICAST_V6 = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Allows public unicast addresses. Refuses the special-purpose registries of RFC 6890: private, loopback, link-local,
 * shared (CGNAT), multicast, documentation, benchmarking, reserved, and IPv6 forms that contain an IPv4 address
 * (mapped, NAT64, 6to4, Teredo, ISATAP). `allowedCidrs` allows further ranges, each in its own family: 127.0.0.0/8 does
 * not allow ::ffff:127.0.0.1. Check the address that is connected to, never a name.
 */
export function createAddressGuard(allowedCidrs: readonly string[]): AddressGuard {
  const allowed = parseCidrs(allowedCidrs);
  return memoize(MAX_REMEMBERED, function refusalOf(address) {
    if (!isPlainAddress(address)) return 'not an IP address in its usual form';
    const parsed = ipaddr.parse(address);
    return inAny(parsed, allowed) ? undefined : specialRangeOf(parsed);
  });
}

/** Refuses old spellings (0x7f.1, 2130706433, 010.0.0.1) and zone ids: no resolver returns them. */
function isPlainAddress(address: string): boolean {
  return (
    ipaddr.IPv4.isValidFourPartDecimal(address) || (address.includes(':') && ipaddr.IPv6.isValid(address))
  );
}

function specialRangeOf(parsed: ipaddr.IPv4 | ipaddr.IPv6): string | undefined {
  const range = parsed.range();
  if (range !== 'unicast') return `a special address (${range})`;
  if (!(parsed instanceof ipaddr.IPv6)) return undefined;
  if (parsed.zoneId !== undefined && parsed.zoneId !== '') return 'an address with a zone';
  if (!parsed.match(GLOBAL_UNICAST_V6)) return 'a special address (not global unicast)';
  // ISATAP (RFC 5214): the interface part 0000:5efe or 0200:5efe is followed by an IPv4 address.
  const [fifth, sixth] = parsed.parts.slice(4, 6);
  if (sixth === 0x5efe && (fifth === 0 || fifth === 0x200)) return 'a special address (ISATAP)';
  return undefined;
}
