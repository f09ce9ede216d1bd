import { BlockList, isIPv4, isIPv6 } from 'node:net';

/** The reason to refuse an address; undefined if it is allowed. */
export type AddressGuard = (address: string) => string | undefined;

/** The special-purpose ranges of IANA's registries (RFC 6890), by purpose. */
const SPECIAL_V4: Readonly<Record<string, string>> = {
  unspecified: '0.0.0.0/8',
  loopback: '127.0.0.0/8',
  private: '10.0.0.0/8 172.16.0.0/12 192.168.0.0/16',
  'link-local': '169.254.0.0/16',
  'shared, RFC 6598': '100.64.0.0/10',
  'protocol assignments': '192.0.0.0/24',
  documentation: '192.0.2.0/24 198.51.100.0/24 203.0.113.0/24',
  benchmarking: '198.18.0.0/15',
  '6to4 relay': '192.88.99.0/24',
  AS112: '192.31.196.0/24 192.175.48.0/24',
  AMT: '192.52.193.0/24',
  multicast: '224.0.0.0/4',
  reserved: '240.0.0.0/4',
};

/** The only range from which IANA has assigned global unicast addresses (RFC 4291, section 2.4). */
const GLOBAL_UNICAST_V6 = '2000::/3';
/** The special ranges within it. Those with an IPv4 address in them (6to4, Teredo in 2001::/23) could reach any address. */
const SPECIAL_V6: Readonly<Record<string, string>> = {
  'protocol assignments, Teredo': '2001::/23',
  documentation: '2001:db8::/32 3fff::/20',
  '6to4': '2002::/16',
  AS112: '2620:4f:8000::/48',
};

type Family = 'ipv4' | 'ipv6';
const familyOf = (address: string): Family => (address.includes(':') ? 'ipv6' : 'ipv4');

/** IPv4 in four decimal parts, or IPv6 without a zone. Refuses old spellings: 0x7f.1, 2130706433, 010.0.0.1. */
const isPlainAddress = (text: string): boolean => isIPv4(text) || (isIPv6(text) && !text.includes('%'));

/** `10.0.0.0/8` or a single address; undefined for anything else. */
export function parseAddressRange(text: string): [address: string, prefix: number, Family] | undefined {
  const [, address = '', bits] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const width = familyOf(address) === 'ipv4' ? 32 : 128;
  const prefix = bits === undefined ? width : Number(bits);
  return isPlainAddress(address) && prefix <= width ? [address, prefix, familyOf(address)] : undefined;
}

/** Throws a TypeError that names the first text which is neither an address nor a range. */
function rangesOf(texts: readonly string[]): BlockList {
  const ranges = new BlockList();
  for (const text of texts) {
    const range = parseAddressRange(text);
    if (range === undefined) throw new TypeError(`${JSON.stringify(text)} is not an address range`);
    ranges.addSubnet(...range);
  }
  return ranges;
}

const named = (rows: Readonly<Record<string, string>>) =>
  Object.entries(rows).map(([name, ranges]) => ({ name, ranges: rangesOf(ranges.split(' ')) }));

/**
 * Allows public unicast addresses. Refuses private, loopback, link-local, shared, multicast, documentation, benchmarking
 * and reserved ones, and IPv6 forms that contain an IPv4 address (mapped, NAT64, 6to4, Teredo, ISATAP). `allowedCidrs`
 * allows further ranges, each in its own family: 127.0.0.0/8 does not allow ::ffff:127.0.0.1. Check the address that is
 * connected to, never a name. Throws a TypeError for an invalid range.
 */
export function createAddressGuard(allowedCidrs: readonly string[]): AddressGuard {
  const allowed = {
    ipv4: rangesOf(allowedCidrs.filter((range) => familyOf(range) === 'ipv4')),
    ipv6: rangesOf(allowedCidrs.filter((range) => familyOf(range) === 'ipv6')),
  };
  const special = { ipv4: named(SPECIAL_V4), ipv6: named(SPECIAL_V6) };
  const globalUnicast = rangesOf([GLOBAL_UNICAST_V6]);

  return function refusalOf(address) {
    if (!isPlainAddress(address)) return 'not an IP address in its usual form';
    const family = familyOf(address);
    if (allowed[family].check(address, family)) return undefined;
    if (family === 'ipv6' && !globalUnicast.check(address, family))
      return 'a special address (not global unicast)';
    const range = special[family].find(({ ranges }) => ranges.check(address, family));
    if (range !== undefined) return `a special address (${range.name})`;
    return family === 'ipv6' && isIsatap(address) ? 'a special address (ISATAP)' : undefined;
  };
}

/** RFC 5214: the interface part 0000:5efe or 0200:5efe is followed by an IPv4 address. */
function isIsatap(address: string): boolean {
  // The URL parser writes an address in its shortest form, without an IPv4 part.
  const [head = '', tail = ''] = new URL(`http://[${address}]/`).hostname.slice(1, -1).split('::');
  const last = tail === '' ? [] : tail.split(':');
  const first = head === '' ? [] : head.split(':');
  const zeros = Array.from({ length: 8 - first.length - last.length }, () => '0');
  const [fifth, sixth] = [...first, ...zeros, ...last].slice(4, 6);
  return sixth === '5efe' && (fifth === '0' || fifth === '200');
}
