/** Registrations that end within this many days get a warning; registrars send theirs at 30 days. */
export const SOON_DAYS = 30;

/**
 * The elapsed part of a registration: 0 at its creation, 1 at its expiry, above 1 after it. null unless both dates
 * are present, readable and in order.
 */
export function shareOfLifetime(
  creation: string | null,
  expiration: string | null,
  now: number,
): number | null {
  const [from, to] = [Date.parse(creation ?? ''), Date.parse(expiration ?? '')];
  return to > from ? Math.max(0, (now - from) / (to - from)) : null;
}
