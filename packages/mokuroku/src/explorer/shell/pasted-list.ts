/** The items of a pasted text, separated by lines, spaces, commas (`、`, `，`) or semicolons; each once, in one spelling. */
export function pastedList(text: string, tidy: (item: string) => string): string[] {
  const items = text
    .normalize('NFKC')
    .split(/[\s,;、]+/)
    .map(tidy);
  return [...new Set(items)].filter((item) => item !== '');
}
