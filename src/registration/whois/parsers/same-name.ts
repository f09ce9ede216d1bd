import { domainToASCII } from 'node:url';

/** One registry runs both and keeps a name in both: .台湾 and .台灣, .中国 and .中國 (IANA root zone, 2026). */
const VARIANT_ZONES = /\.xn--(?:kpry57d|fiqz9s)$/;
const VARIANTS: Readonly<Record<string, string>> = {
  '.xn--kpry57d': '.xn--kprw13d',
  '.xn--fiqz9s': '.xn--fiqs8s',
};

/** Whether two spellings are one name: in Unicode or A-labels, in either form of its zone. */
export function isSameName(stated: string, asked: string): boolean {
  return stated === asked || comparable(stated) === comparable(asked);
}

/** Whether what is stated is the very name that was asked for, or its label alone. */
export function isAbout(stated: string | null, asked: string): boolean {
  if (stated === null) return false;
  if (isSameName(stated, asked)) return true;
  return !stated.includes('.') && !asked.endsWith(`.${stated}`) && asked.startsWith(`${stated}.`);
}

function comparable(name: string): string {
  return asciiOf(name).replace(VARIANT_ZONES, (zone) => VARIANTS[zone] ?? zone);
}

/** A name in A-labels where it can be written so. */
export function asciiOf(name: string): string {
  return domainToASCII(name) || name;
}
