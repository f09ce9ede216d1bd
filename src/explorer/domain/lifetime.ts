/** A registration that ends within this many days is worth a warning: registrars send theirs at 30 days. */
export const SOON_DAYS = 30;

/**
 * How far a registration is through the time it is registered for: 0 at its creation, 1 at its expiry, beyond 1 when it
 * has run out. null unless both ends are stated, readable and in order.
 */
export function shareOfLifetime(
  creation: string | null,
  expiration: string | null,
  now: number,
): number | null {
  const [from, to] = [Date.parse(creation ?? ''), Date.parse(expiration ?? '')];
  return to > from ? Math.max(0, (now - from) / (to - from)) : null;
}
