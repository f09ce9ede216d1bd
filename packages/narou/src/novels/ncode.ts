/** An Ncode in any case: N, four digits, one or two letters (`N8856GP`, `n0001a`). */
export const NCODE_PATTERN = /^[Nn][0-9]{4}[A-Za-z]{1,2}$/;

/** The upper-case Ncode, or null if the text is not exactly one; surrounding spaces make it invalid. */
export function parseNcode(text: string): string | null {
  return NCODE_PATTERN.test(text) ? text.toUpperCase() : null;
}

/**
 * The Ncode of a pasted text, in upper case: with blanks, in full width, or in the site's address of a novel
 * (`https://ncode.syosetu.com/n8403vf/1/`). Null if it has none.
 */
export function findNcode(text: string): string | null {
  const [, ncode] = /(?:^|\/)(n\d{4}[a-z]{1,2})(?:[/?#]|$)/i.exec(text.normalize('NFKC').trim()) ?? [];
  return ncode?.toUpperCase() ?? null;
}

export const NCODE_COUNT = 7_020_000;

/**
 * The position of an Ncode in the site's order of assignment (`ncodeasc`, `ncodedesc`): letters count first (A ... Z,
 * AA, AB ... ZZ), then digits. Text order would differ, because the digits stand first. Returns a whole number below
 * NCODE_COUNT. Requires a valid Ncode in any case.
 */
export function ncodeToNumber(ncode: string): number {
  const letters = ncode.slice(5).toUpperCase();
  const last = letters.charCodeAt(letters.length - 1) - 65;
  const group = letters.length === 1 ? last : (letters.charCodeAt(0) - 64) * 26 + last;
  return group * 10_000 + Number(ncode.slice(1, 5));
}

/** The upper-case Ncode at a position of that order: the inverse of `ncodeToNumber`. */
export function ncodeFromNumber(number: number): string {
  const group = Math.floor(number / 10_000);
  const digits = String(number % 10_000).padStart(4, '0');
  const last = String.fromCharCode(65 + (group % 26));
  const first = group < 26 ? '' : String.fromCharCode(64 + Math.floor(group / 26));
  return `N${digits}${first}${last}`;
}

/** For sorting: negative if `a` was assigned before `b`. */
export function compareNcodes(a: string, b: string): number {
  return ncodeToNumber(a) - ncodeToNumber(b);
}
