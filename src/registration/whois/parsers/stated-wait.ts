const UNITS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600 };

/** The wait in seconds that the lines of a throttling answer state, without the queried name; null if none. */
export function readStatedWait(lines: readonly string[]): number | null {
  const match = /(?<![\w.-])(\d{1,6})(\.\d{1,6})?[\s-]*(s|m|h)(?:ec|in|our)/i.exec(lines.join(' '));
  if (match === null) return null;
  const unit = UNITS[match[3]?.toLowerCase() ?? 's'] ?? 1;
  return Math.ceil((Number(match[1]) + Number(match[2] ?? 0)) * unit);
}
