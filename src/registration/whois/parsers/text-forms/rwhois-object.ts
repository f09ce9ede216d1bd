/** RWhois (RFC 2167 section 3.3.2) names the class before every attribute: `domain:Created:20090324`. */
export function isRwhois(text: string): boolean {
  return text.startsWith('%rwhois ');
}

/** The attributes of an RWhois answer without class and type: `Created:20090324`. */
export function textOfRwhois(text: string): string {
  return text.replace(/^domain:([^:;\n]{1,64})(?:;[A-Z])?:/gm, '$1: ');
}
