/** Retry-After: seconds or an HTTP date (RFC 9110). Of several headers the first one counts. */
export function readRetryAfter(header: string | string[] | undefined, now: number): number | undefined {
  const text = Array.isArray(header) ? header[0] : header;
  if (text === undefined) return undefined;
  if (/^\d{1,9}$/.test(text)) return Number(text);
  const seconds = / GMT$/.test(text) ? Math.ceil((Date.parse(text) - now) / 1_000) : Number.NaN;
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds);
}
