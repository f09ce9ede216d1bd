const LINE = /^([a-z0-9-]{1,63}) ([a-z0-9.-]{4,253})\r?$/gim;

/** whois.tonic.to answers with nothing but pairs: the name without `.to`, and a name server. */
export function isTonicList(text: string): boolean {
  return text.startsWith('Tonic whoisd');
}

/** Tonic's pairs as labelled lines. */
export function textOfTonic(text: string): string {
  const lines: string[] = [];
  for (const [, label, host] of text.matchAll(LINE)) {
    if (lines.length === 0) lines.push(`Domain Name: ${label ?? ''}.to`);
    lines.push(`Name Server: ${host ?? ''}`);
  }
  return lines.length === 0 ? text : lines.join('\n');
}
