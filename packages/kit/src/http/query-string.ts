/** A parsed query string. Repeated names and invalid escapes stay visible. */
export interface QueryString {
  /** Decoded values by name, in the order given. */
  values: Map<string, string[]>;
  /** Parts, as written, whose percent-encoding cannot be decoded. */
  malformed: string[];
}

const PLUS = /\+/g;

function decodePart(part: string): string | undefined {
  if (!part.includes('%') && !part.includes('+')) return part;
  try {
    return decodeURIComponent(part.replace(PLUS, ' '));
  } catch {
    return undefined;
  }
}

/** Parses `a=1&b=%E7%8C%AB` (without the question mark). `+` is a blank, as in HTML forms. */
export function parseQueryString(text: string): QueryString {
  const values = new Map<string, string[]>();
  const malformed: string[] = [];
  if (text === '') return { values, malformed };
  for (const pair of text.split('&')) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const name = decodePart(equals < 0 ? pair : pair.slice(0, equals));
    const value = decodePart(equals < 0 ? '' : pair.slice(equals + 1));
    if (name === undefined || value === undefined) {
      malformed.push(pair.length > 100 ? `${pair.slice(0, 100)}...` : pair);
      continue;
    }
    const earlier = values.get(name);
    if (earlier) earlier.push(value);
    else values.set(name, [value]);
  }
  return { values, malformed };
}
