import { domainToASCII } from 'node:url';

/** Zones of one registry with the same names: .台湾 and .台灣, .中国 and .中國 (IANA root zone, 2026). */
const VARIANT_ZONES = /\.xn--(?:kpry57d|fiqz9s)$/;
const VARIANTS: Readonly<Record<string, string>> = {
  '.xn--kpry57d': '.xn--kprw13d',
  '.xn--fiqz9s': '.xn--fiqs8s',
};

/** Whether two spellings are one name: Unicode or A-labels, in either variant of the zone. */
export function isSameName(stated: string, queried: string): boolean {
  return stated === queried || comparable(stated) === comparable(queried);
}

/** Whether a stated name is the queried name, or its first label alone. */
export function isQueriedName(stated: string | null, queried: string): boolean {
  if (stated === null) return false;
  if (isSameName(stated, queried)) return true;
  return !stated.includes('.') && !queried.endsWith(`.${stated}`) && queried.startsWith(`${stated}.`);
}

/** Other names are their own A-labels. */
const HAS_TWO_SPELLINGS = /[^\0-\x7f]|xn--/;

function comparable(name: string): string {
  if (!HAS_TWO_SPELLINGS.test(name)) return name;
  return asciiOf(name).replace(VARIANT_ZONES, (zone) => VARIANTS[zone] ?? zone);
}

/** A name in A-labels, or unchanged if it has none. */
export function asciiOf(name: string): string {
  return domainToASCII(name) || name;
}

const NAME_BEFORE = /[\p{L}\p{M}\p{N}_-]$/u;
const NAME_AFTER = /^\.?[\p{L}\p{M}\p{N}_-]/u;

/** Whether a folded text contains a name as whole labels: `sea.example` does not contain `a.example`. */
export function containsName(text: string, name: string): boolean {
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    const after = at + name.length;
    if (!NAME_BEFORE.test(text.charAt(at - 1)) && !NAME_AFTER.test(text.slice(after, after + 2))) return true;
  }
  return false;
}
