import ipaddr from 'ipaddr.js';
import { commaList } from './config.ts';

type Cidr = [ipaddr.IPv4 | ipaddr.IPv6, number];

/** Four-part decimal or IPv6. The short and octal forms of inet_aton are rejected as typing errors. */
export function parseAddress(text: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  if (!text.includes(':')) {
    return ipaddr.IPv4.isValidFourPartDecimal(text) ? ipaddr.IPv4.parse(text) : undefined;
  }
  return ipaddr.IPv6.isValid(text) ? ipaddr.process(text) : undefined;
}

/** Parses `10.0.0.0/8` or a single address; undefined for anything else. */
function parseCidr(text: string): Cidr | undefined {
  const [, first = text, bits] = /^(.+)\/(\d{1,3})$/.exec(text) ?? [];
  const address = parseAddress(first);
  const width = address?.kind() === 'ipv4' ? 32 : 128;
  const size = bits === undefined ? width : Number(bits);
  return address && size <= width ? [address, size] : undefined;
}

/** Throws a TypeError that names the first text which is neither an address nor a range. */
export const parseCidrs = (texts: readonly string[]): readonly Cidr[] =>
  texts.map((text) => {
    const range = parseCidr(text);
    if (range === undefined) throw new TypeError(`${JSON.stringify(text)} is not an address range`);
    return range;
  });

/**
 * A setting of addresses and ranges. Each must be valid: a typing error would silently trust nobody. `parse` is that of
 * its reader.
 */
export const addressRanges = (parse: (text: string) => unknown = parseCidr) =>
  commaList().refine((list) => list.every((text) => parse(text) !== undefined), {
    error: 'must be addresses and ranges separated by commas, such as 10.0.0.0/8,fd00::/8',
  });

export function inAny(address: ipaddr.IPv4 | ipaddr.IPv6, ranges: readonly Cidr[]): boolean {
  return ranges.some(([range, bits]) => range.kind() === address.kind() && address.match(range, bits));
}
