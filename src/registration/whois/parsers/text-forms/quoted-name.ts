const LINE = /^Informations about '([^'\n]{1,253})'/m;

/** whois.registry.pf names the domain in a sentence: `Informations about 'example.pf' :`. */
export function isQuotedName(text: string): boolean {
  return text.startsWith('This is the PF ');
}

/** The sentence as a labelled line. */
export function textOfQuotedName(text: string): string {
  return text.replace(LINE, 'Domain Name: $1');
}
