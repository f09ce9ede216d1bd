const DAY_MS = 86_400_000;

/** Days from `now` (milliseconds since 1970) to an ISO instant or day, rounded; negative when it has passed. */
export function daysLeft(expirationDate: string | null, now: number): number | null {
  const at = expirationDate === null ? Number.NaN : Date.parse(expirationDate);
  // Adding 0 turns -0 into 0.
  return Number.isNaN(at) ? null : Math.round((at - now) / DAY_MS) + 0;
}
