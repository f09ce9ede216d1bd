const UNITS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600 };

/** Seconds that the lines of a throttling answer ask to wait; null where they name none. The name is left out by then. */
export function waitIn(lines: readonly string[]): number | null {
  const match = /(?<![\w.-])(\d{1,6})(\.\d{1,6})?[\s-]*(s|m|h)(?:ec|in|our)/i.exec(lines.join(' '));
  if (match === null) return null;
  const unit = UNITS[match[3]?.toLowerCase() ?? 's'] ?? 1;
  return Math.ceil((Number(match[1]) + Number(match[2] ?? 0)) * unit);
}
